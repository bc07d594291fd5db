package report

import "sml/evaluation/report/drawing"

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
