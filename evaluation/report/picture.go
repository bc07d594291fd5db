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

// NewPicture returns a picture for a Section. name is the name of its files, which may have letters,
// digits and hyphens.
func NewPicture(name, caption string, d *drawing.Figure) Picture {
	return Picture{Figure: Figure{Name: name}, Caption: caption, drawing: d}
}

// Files returns the picture's files, an SVG and a PNG.
func (p Picture) Files() []File {
	name := "figures/" + p.Name
	return []File{
		{Name: name + ".svg", Write: p.drawing.WriteSVG},
		{Name: name + ".png", Write: p.drawing.WritePNG},
	}
}

// image returns the picture as HTML elements for a page. Screen readers read its title and caption.
func (p Picture) image() (template.HTML, error) {
	label := p.Caption
	if p.title() != "" {
		label = p.title() + ". " + p.Caption
	}
	var image strings.Builder
	err := p.drawing.WriteInline(&image, p.Name, label)
	return template.HTML(image.String()), err
}
