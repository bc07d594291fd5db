package report

import (
	"html/template"
	"sml/evaluation/report/drawing"
	"strings"
)

// Picture is a figure that is drawn.
type Picture struct {
	Figure
	Caption string
	drawing *drawing.Figure
}

// Title is what the picture is called beside its caption, nothing if it has no number.
func (p Picture) Title() string {
	if p.Number == "" {
		return ""
	}
	return "Figure " + p.Number
}

// NewPicture is a figure that is drawn, for a Section. Its name is that of its files:
// letters, digits and hyphens.
func NewPicture(name, caption string, d *drawing.Figure) Picture {
	return Picture{Figure{Name: name}, caption, d}
}

// Files are the picture as SVG and as PNG.
func (p Picture) Files() []File {
	name := "figures/" + p.Name
	return []File{{name + ".svg", p.drawing.WriteSVG}, {name + ".png", p.drawing.WritePNG}}
}

// Image returns the picture as elements of HTML.
func (p Picture) Image() (template.HTML, error) {
	var image strings.Builder
	err := p.drawing.WriteInline(&image, p.Name, strings.TrimPrefix(p.Title()+". "+p.Caption, ". "))
	return template.HTML(image.String()), err
}
