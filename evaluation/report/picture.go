package report

import (
	"html/template"
	"strings"

	"sml/evaluation/report/chart"
)

// Picture is a figure with its caption, for a Section.
type Picture struct {
	Name    string // name of its files and on the page: letters, digits and hyphens
	Number  string // number in a publication, such as 2; "" if it has none
	Caption string
	chart.Figure
}

// title returns the picture's number in words, such as "Figure 2", or "" if it has no number.
func (p Picture) title() string {
	if p.Number == "" {
		return ""
	}
	return "Figure " + p.Number
}

// Files returns the picture's files, an SVG and a PNG.
func (p Picture) Files() []File {
	name := "figures/" + p.Name
	return []File{
		{Name: name + ".svg", Write: p.WriteSVG},
		{Name: name + ".png", Write: p.WritePNG},
	}
}

// image returns the picture as an HTML element for a page. Screen readers read its title and caption.
func (p Picture) image() (template.HTML, error) {
	label := p.Caption
	if p.title() != "" {
		label = p.title() + ". " + p.Caption
	}
	var image strings.Builder
	err := p.WriteHTML(&image, label)
	return template.HTML(image.String()), err
}
