package drawing

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing of a fixed size: panels beside and below one another,
// their data areas aligned, and one legend for all of them.
type Figure struct {
	Width, Height vg.Length
	Panels        [][]Panel // row by row, as many in each
	Rows          []string  // names at the left of the rows; none if it is empty
	Legend        [][]Entry // lines of entries beside one another, below the panels
}

// Panel is a plot, the title above it and a note at the right of the title.
// The plot's own title stays empty: it would be centred over the labels and
// the data instead of the data.
type Panel struct {
	Title, Note string
	*plot.Plot
}

// Encoder returns what writes a figure as SVG or PNG (300 dots per inch),
// which the extension of path says. The same figure gives the same bytes.
func Encoder(path string) (func(*Figure, io.Writer) error, error) {
	switch extension := strings.ToLower(filepath.Ext(path)); extension {
	case ".svg":
		return (*Figure).WriteSVG, nil
	case ".png":
		return (*Figure).WritePNG, nil
	default:
		return nil, fmt.Errorf("drawing: figure %s: unknown extension %q: there is .svg, .png", path, extension)
	}
}

// corrections lets a reader without the Liberation fonts see a font of the
// same widths instead, and has images called what they are and drawn as large
// as the place that they are for.
var corrections = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;",
	"data:image/jpg;", "data:image/png;",
	"<image ", `<image preserveAspectRatio="none" `,
)

// WriteSVG writes the figure as SVG: the same bytes for the same figure.
func (f *Figure) WriteSVG(w io.Writer) error {
	canvas := vgsvg.New(f.Width, f.Height)
	f.draw(draw.New(canvas))
	var image strings.Builder
	if _, err := canvas.WriteTo(&image); err != nil {
		return err
	}
	_, err := corrections.WriteString(w, withTextLengths(image.String()))
	return err
}

// WritePNG writes the figure as PNG with 300 dots per inch.
func (f *Figure) WritePNG(w io.Writer) error {
	canvas := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(300))
	f.draw(draw.New(canvas))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

func (f *Figure) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	c = draw.Crop(c, 0, 0, drawLegend(c, f.Legend), 0)

	left := vg.Length(0)
	if len(f.Rows) > 0 {
		left = rowNameWidth
	}
	title, name, note := TextStyle(titleSize), TextStyle(titleSize), TextStyle(NoteSize)
	title.XAlign, title.YAlign = draw.XCenter, draw.YBottom
	name.XAlign, name.YAlign, name.Rotation = draw.XCenter, draw.YTop, math.Pi/2
	note.XAlign, note.YAlign, note.Color = draw.XRight, draw.YBottom, Grey
	c = draw.Crop(c, left, 0, 0, 0)
	tiles := draw.Tiles{Rows: len(f.Panels), Cols: len(f.Panels[0]), PadX: gap, PadY: gap}
	plots, crowded := make([][]*plot.Plot, tiles.Rows), make([]bool, tiles.Rows)
	for j, row := range f.Panels {
		head := vg.Length(0)
		for _, p := range row {
			plots[j] = append(plots[j], p.Plot)
			crowded[j] = crowded[j] || p.crowded(c.Rectangle.Size().X/vg.Length(tiles.Cols)-2*gap) // about what its axes leave
			if p.Title != "" {
				head = titleHeight
			} else if p.Note != "" {
				head = max(head, noteHeight)
			}
		}
		if crowded[j] {
			head = titleHeight + noteHeight
		}
		if j == 0 {
			tiles.PadTop = head
		} else {
			tiles.PadY = max(tiles.PadY, gap+head)
		}
	}
	for j, row := range plot.Align(plots, tiles, c) {
		for i, canvas := range row {
			p := f.Panels[j][i]
			p.Draw(canvas)
			area := p.DataCanvas(canvas)
			above := row[0].Max.Y + NoteSize/4 // and above the axes' labels
			if p.Note != "" {
				canvas.FillText(note, vg.Point{X: area.Max.X, Y: above}, p.Note)
			}
			if crowded[j] {
				above += noteHeight
			}
			if p.Title != "" {
				canvas.FillText(title, vg.Point{X: area.Center().X, Y: above + NoteSize/4}, p.Title)
			}
			if i == 0 && len(f.Rows) > 0 {
				canvas.FillText(name, vg.Point{X: c.Min.X - left, Y: area.Center().Y}, f.Rows[j])
			}
		}
	}
}

// crowded tells whether the title and the note need a line each, over so wide a
// plot; then all titles of the row stand above the notes.
func (p Panel) crowded(width vg.Length) bool {
	half := TextStyle(titleSize).Width(p.Title) / 2
	return p.Title != "" && p.Note != "" && half+titleSize+TextStyle(NoteSize).Width(p.Note) > width/2
}
