package report

import (
	"html/template"
	"strings"

	"sml/evaluation/report/drawing"
)

// Picture is a drawn figure with its caption.
type Picture struct {
	Figure
	Caption string
	drawing *drawing.Figure
}

// title returns the picture's number in words, such as "Figure 2", or "" if it has no number.
func (p Picture) title() string {
	if p.Number == "" {
		return ""
	}
	return "Figure " + p.Number
}

// NewPicture returns a picture for a Section. name is the name of its files, of letters, digits and
// hyphens.
func NewPicture(name, caption string, d *drawing.Figure) Picture {
	return Picture{Figure{Name: name}, caption, d}
}

// Files returns the picture's files, an SVG and a PNG.
func (p Picture) Files() []File {
	name := "figures/" + p.Name
	return []File{{name + ".svg", p.drawing.WriteSVG}, {name + ".png", p.drawing.WritePNG}}
}

// image returns the picture as HTML elements for a page.
func (p Picture) image() (template.HTML, error) {
	var image strings.Builder
	err := p.drawing.WriteInline(&image, p.Name, strings.TrimPrefix(p.title()+". "+p.Caption, ". "))
	return template.HTML(image.String()), err
}
