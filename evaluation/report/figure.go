package report

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"sml/data/safefile"
)

// Figure is a drawing of a fixed size: panels beside and below one another,
// their data areas aligned, and one legend for all of them. Save writes it.
type Figure struct {
	width, height vg.Length
	panels        [][]panel
	legend        []legendEntry // beside one another, below the panels
}

// panel is a plot and the title above it. The plot's own title stays empty:
// it would be centred over the labels and the data instead of the data.
type panel struct {
	title string
	*plot.Plot
}

type legendEntry struct {
	text string
	line draw.LineStyle
}

// Save writes the figure to path as SVG or PNG (300 dots per inch), which its
// extension says. The file appears whole or not at all: it is written aside
// and renamed. The same figure gives the same bytes.
func Save(path string, figure *Figure) error {
	var encode func(io.Writer, *Figure) error
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".svg":
		encode = writeSVG
	case ".png":
		encode = writePNG
	default:
		return fmt.Errorf("report: cannot save figure %s: unknown extension %q; known extensions: .svg, .png", path, extension)
	}
	err := safefile.Write(path, func(w io.Writer) error { return encode(w, figure) })
	if err != nil {
		return fmt.Errorf("report: cannot save figure %s: %w", path, err)
	}
	return nil
}

// fontFamilies lets a reader without the Liberation fonts see a font of the
// same widths instead.
var fontFamilies = strings.NewReplacer("font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;")

func writeSVG(w io.Writer, figure *Figure) error {
	canvas := vgsvg.New(figure.width, figure.height)
	figure.draw(draw.New(canvas))
	var image strings.Builder
	if _, err := canvas.WriteTo(&image); err != nil {
		return err
	}
	_, err := fontFamilies.WriteString(w, image.String())
	return err
}

func writePNG(w io.Writer, figure *Figure) error {
	canvas := vgimg.NewWith(vgimg.UseWH(figure.width, figure.height), vgimg.UseDPI(300))
	figure.draw(draw.New(canvas))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

func (f *Figure) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	if len(f.legend) > 0 {
		f.drawLegend(c)
		c = draw.Crop(c, 0, 0, legendHeight, 0)
	}
	plots := make([][]*plot.Plot, len(f.panels))
	for j, row := range f.panels {
		for _, p := range row {
			plots[j] = append(plots[j], p.Plot)
		}
	}
	tiles := draw.Tiles{
		Rows: len(plots), Cols: len(plots[0]),
		PadX: gap, PadY: gap + titleHeight, PadTop: titleHeight,
	}
	style := textStyle(titleSize)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	for j, row := range plot.Align(plots, tiles, c) {
		for i, canvas := range row {
			p := f.panels[j][i]
			p.Draw(canvas)
			area := p.DataCanvas(canvas)
			canvas.FillText(style, vg.Point{X: area.Center().X, Y: canvas.Max.Y + titleSize/2}, p.title)
		}
	}
}

// drawLegend centres the entries on one line at the foot of the canvas.
func (f *Figure) drawLegend(c draw.Canvas) {
	const sample, space, between = 16, 4, 18 // points
	style := textStyle(labelSize)
	style.YAlign = draw.YCenter
	width := vg.Length(len(f.legend)-1) * between
	for _, entry := range f.legend {
		width += sample + space + style.Width(entry.text)
	}
	x := c.Min.X + (c.Max.X-c.Min.X-width)/2
	y := c.Min.Y + legendHeight/3
	for _, entry := range f.legend {
		c.StrokeLine2(entry.line, x, y, x+sample, y)
		x += sample + space
		c.FillText(style, vg.Point{X: x, Y: y}, entry.text)
		x += style.Width(entry.text) + between
	}
}
