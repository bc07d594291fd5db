package drawing

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Figure is a drawing of a fixed size: panels beside and below one another,
// their data areas aligned, and one legend for all of them.
type Figure struct {
	Width, Height vg.Length
	Panels        [][]Panel // row by row, as many in each; those without a Plot stay empty
	Rows          []string  // names at the left of the rows; none if it is empty
	Legend        [][]Entry // lines of entries beside one another, below the panels
	Narrow        *Figure   // the same for a phone; nil: its panels in fewer columns
}

// Panel is a plot, the title above it and a note at the right of the title.
// The plot's own title stays empty: it would be centred over the labels and
// the data instead of the data.
type Panel struct {
	Title, Note string
	*plot.Plot
	Square bool // a unit is as long on both axes: one of them is drawn longer than its limits
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

// WriteSVG writes the figure as an SVG file, the same bytes for the same figure. It
// needs no font, and is dark where its reader's windows are.
func (f *Figure) WriteSVG(w io.Writer) error {
	canvas := newSVG(f.Width, f.Height, "")
	f.draw(draw.New(canvas))
	size := fmt.Sprintf(`width="%spt" height="%spt"`, decimal(f.Width.Points()), decimal(f.Height.Points()))
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n%s", canvas.element(
		fmt.Sprintf(`xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" aria-label="%s" %s`, html.EscapeString(f.label()), size),
		svgGround))
	return err
}

// svgGround is the ground of a file; on a page, the page's is.
var svgGround = fmt.Sprintf(`<rect id="ground" width="100%%" height="100%%" fill="#%s"/>
<style>@media screen and (prefers-color-scheme: dark){#ground{fill:#%s}}</style>
`, hexOf(lightGround), hexOf(darkGround))

// label says what a file shows: what its panels are called and what is on their axes.
func (f *Figure) label() string {
	var parts []string
	for j, row := range f.Panels {
		for i, p := range row {
			if p.Plot == nil {
				continue
			}
			axes := JoinNotes(p.Y.Label.Text, p.X.Label.Text)
			part := JoinNotes(f.title(j, i), axes)
			if part != "" && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// title is what a panel is called on its own: by the name of its row and by the title
// of its column, which the first panel has for those below it.
func (f *Figure) title(row, column int) string {
	title := cmp.Or(f.Panels[row][column].Title, f.Panels[0][column].Title)
	switch {
	case len(f.Rows) == 0:
		return title
	case title == "":
		return f.Rows[row]
	}
	return f.Rows[row] + " · " + title
}

// WritePNG writes the figure as PNG with 300 dots per inch, on white.
func (f *Figure) WritePNG(w io.Writer) error { return f.writePixels(w, 300, false) }

func (f *Figure) writePixels(w io.Writer, density int, dark bool) error {
	ground := lightGround
	if dark {
		ground = darkGround
	}
	canvas := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(density), vgimg.UseBackgroundColor(ground))
	if dark {
		f.draw(draw.New(darkCanvas{canvas}))
	} else {
		f.draw(draw.New(canvas))
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

func (f *Figure) draw(c draw.Canvas) {
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
	width := (c.Rectangle.Size().X+gap)/vg.Length(tiles.Cols) - gap
	plots, heads := make([][]*plot.Plot, tiles.Rows), make([]head, tiles.Rows)
	for j, row := range f.Panels {
		for _, p := range row {
			plots[j] = append(plots[j], p.Plot)
			heads[j] = heads[j].with(p, width)
		}
		if high := heads[j].height(); j == 0 {
			tiles.PadTop = high
		} else {
			tiles.PadY = max(tiles.PadY, gap+high)
		}
	}
	for j, row := range plot.Align(plots, tiles, c) {
		for i, canvas := range row {
			p := f.Panels[j][i]
			if p.Plot == nil {
				continue
			}
			if p.Square {
				p.Plot = squared(p.Plot, canvas)
			}
			p.Draw(canvas)
			area := p.DataCanvas(canvas)
			above := row[0].Max.Y + NoteSize/4 // and above the axes' labels
			for _, line := range slices.Backward(wrapped(p.Note, note, width)) {
				canvas.FillText(note, vg.Point{X: area.Max.X, Y: above}, line)
				above += noteHeight
			}
			above = row[0].Max.Y + NoteSize/2 + noteHeight*vg.Length(heads[j].below)
			for _, line := range slices.Backward(wrapped(p.Title, title, width)) {
				canvas.FillText(title, vg.Point{X: area.Center().X, Y: above}, line)
				above += titleHeight - 3
			}
			if i == 0 && len(f.Rows) > 0 {
				canvas.FillText(name, vg.Point{X: c.Min.X - left, Y: area.Center().Y}, f.Rows[j])
			}
		}
	}
}

// squared is a plot of which one axis is widened as much as makes their units equal.
func squared(p *plot.Plot, canvas draw.Canvas) *plot.Plot {
	own := *p
	for range 2 { // other limits may have wider labels
		size := own.DataCanvas(canvas).Rectangle.Size()
		own.X.Min, own.X.Max, own.Y.Min, own.Y.Max = p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
		wider := float64(size.X/size.Y)*(p.Y.Max-p.Y.Min)/(p.X.Max-p.X.Min) - 1
		if wider > 0 {
			more := wider * (p.X.Max - p.X.Min) / 2
			own.X.Min, own.X.Max = p.X.Min-more, p.X.Max+more
		} else {
			more := (1/(1+wider) - 1) * (p.Y.Max - p.Y.Min) / 2
			own.Y.Min, own.Y.Max = p.Y.Min-more, p.Y.Max+more
		}
	}
	return &own
}

// head is what stands above the panels of a row: lines of titles, and lines of notes,
// of which as many as are below stand under the titles, since they need the room.
type head struct{ titles, notes, below int }

func (h head) with(p Panel, width vg.Length) head {
	titles, notes := wrapped(p.Title, TextStyle(titleSize), width), wrapped(p.Note, TextStyle(NoteSize), width)
	h.titles, h.notes = max(h.titles, len(titles)), max(h.notes, len(notes))
	if len(notes) > 1 || p.crowded(width-2*gap) { // about what its axes leave
		h.below = max(h.below, len(notes))
	}
	return h
}

func (h head) height() vg.Length {
	if h.titles > 0 {
		return titleHeight + (titleHeight-3)*vg.Length(h.titles-1) + noteHeight*vg.Length(h.below)
	}
	return noteHeight * vg.Length(h.notes)
}

// wrapped breaks a text into lines of at most a width, between its words.
func wrapped(text string, style text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if longer := strings.TrimSpace(line + " " + word); line == "" || style.Width(longer) <= width {
			line = longer
			continue
		}
		lines, line = append(lines, line), word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// crowded tells whether the title and the note need a line each, over so wide a
// plot; then all titles of the row stand above the notes.
func (p Panel) crowded(width vg.Length) bool {
	half := TextStyle(titleSize).Width(p.Title) / 2
	return p.Title != "" && p.Note != "" && half+titleSize+TextStyle(NoteSize).Width(p.Note) > width/2
}
