package drawing

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Figure is a picture of a fixed size: a grid of panels whose data areas are aligned, and one legend
// for all of them.
type Figure struct {
	Width, Height vg.Length
	Panels        [][]Panel // by row, equally many in each; a panel without a Plot stays empty
	Rows          []string  // names at the left of the rows; nil if the rows have no names
	Legend        [][]Entry // lines of entries below the panels
	Narrow        *Figure   // figure for a phone; nil stands for the same panels in fewer columns
}

// Panel is a plot with a title above it and a note at the right of the title. The plot must have no
// title of its own: gonum would center it over the labels and the data, not over the data.
type Panel struct {
	Title, Note string
	*plot.Plot

	// Square is true if a unit is equally long on both axes. One axis is then drawn longer than its
	// limits.
	Square bool
}

// Encoder returns the function that writes a figure in the format of the path's extension, .svg or
// .png (300 dots per inch). The same figure gives the same bytes. Encoder returns an error for any
// other extension.
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

// WriteSVG writes the figure as an SVG file. The same figure gives the same bytes. The file needs no
// font and is dark for readers in dark mode.
func (f *Figure) WriteSVG(w io.Writer) error {
	canvas := newSVG(f.Width, f.Height, "")
	f.draw(draw.New(canvas))
	attributes := fmt.Sprintf(
		`xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" aria-label="%s" width="%spt" height="%spt"`,
		html.EscapeString(f.description()), formatDecimal(f.Width.Points()), formatDecimal(f.Height.Points()))
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n%s", canvas.element(attributes, svgBackground))
	return err
}

// svgBackground is the background of an SVG file. A figure within a page has the page's background.
var svgBackground = fmt.Sprintf(`<rect id="ground" width="100%%" height="100%%" fill="#%s"/>
<style>@media screen and (prefers-color-scheme: dark){#ground{fill:#%s}}</style>
`, hexColour(lightBackground), hexColour(darkBackground))

// description returns the titles and axis labels of all panels, for readers who do not see the
// figure.
func (f *Figure) description() string {
	var parts []string
	for j, row := range f.Panels {
		for i, p := range row {
			if p.Plot == nil {
				continue
			}
			part := JoinNotes(f.fullTitle(j, i), p.Y.Label.Text, p.X.Label.Text)
			if part != "" && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// fullTitle returns a title by which a panel is understood outside its grid: the name of its row and
// its own title, or the title of the first panel of its column.
func (f *Figure) fullTitle(row, column int) string {
	title := cmp.Or(f.Panels[row][column].Title, f.Panels[0][column].Title)
	switch {
	case len(f.Rows) == 0:
		return title
	case title == "":
		return f.Rows[row]
	}
	return f.Rows[row] + " · " + title
}

// WritePNG writes the figure as a PNG file with 300 dots per inch, on a white background.
func (f *Figure) WritePNG(w io.Writer) error { return f.writePixels(w, 300, false) }

// writePixels writes the figure as a PNG file with density dots per inch, in the colours of light or
// dark mode.
func (f *Figure) writePixels(w io.Writer, density int, dark bool) error {
	background := lightBackground
	if dark {
		background = darkBackground
	}
	canvas := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(density), vgimg.UseBackgroundColor(background))
	if dark {
		f.draw(draw.New(darkCanvas{canvas}))
	} else {
		f.draw(draw.New(canvas))
	}
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// draw draws the legend at the foot of the canvas, the names of the rows at the left, and the grid of
// panels in the space that remains.
func (f *Figure) draw(c draw.Canvas) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	legendHeight := drawLegend(c, f.Legend)
	c = draw.Crop(c, 0, 0, legendHeight, 0)
	namesLeft := c.Min.X
	if len(f.Rows) > 0 {
		c = draw.Crop(c, rowNameWidth, 0, 0, 0)
	}
	grid := f.newGrid(c.Rectangle.Size().X)
	for j, row := range plot.Align(grid.plots, grid.tiles, c) {
		top := row[0].Max.Y // of the axes of all panels in the row
		for i, canvas := range row {
			p := f.Panels[j][i]
			if p.Plot == nil {
				continue
			}
			if p.Square {
				p.Plot = equalizeUnits(p.Plot, canvas)
			}
			p.Draw(canvas)
			area := p.DataCanvas(canvas)
			p.drawHeading(canvas, area, top, grid.panelWidth, grid.headings[j])
			if i == 0 && len(f.Rows) > 0 {
				canvas.FillText(rowNameStyle(), vg.Point{X: namesLeft, Y: area.Center().Y}, f.Rows[j])
			}
		}
	}
}

// grid is the layout of a figure's panels.
type grid struct {
	plots      [][]*plot.Plot
	headings   []heading // space above each row
	panelWidth vg.Length
	tiles      draw.Tiles
}

// newGrid returns the layout of the panels on a canvas of the given width.
func (f *Figure) newGrid(width vg.Length) grid {
	columns := len(f.Panels[0])
	g := grid{
		panelWidth: (width+gap)/vg.Length(columns) - gap,
		tiles:      draw.Tiles{Rows: len(f.Panels), Cols: columns, PadX: gap, PadY: gap},
	}
	for j, row := range f.Panels {
		var plots []*plot.Plot
		for _, p := range row {
			plots = append(plots, p.Plot)
		}
		h := newHeading(row, g.panelWidth)
		g.plots = append(g.plots, plots)
		g.headings = append(g.headings, h)
		if j == 0 {
			g.tiles.PadTop = h.height()
		} else {
			g.tiles.PadY = max(g.tiles.PadY, gap+h.height())
		}
	}
	return g
}

// drawHeading writes the panel's note and title above its data area. top is the upper end of the
// axes of the panel's row.
func (p Panel) drawHeading(c, area draw.Canvas, top, width vg.Length, h heading) {
	note := noteStyle()
	noteBottom := vg.Point{X: area.Max.X, Y: top + NoteSize/4} // a little above the axis's labels
	writeUpwards(c, note, wrapText(p.Note, note, width), noteBottom, noteHeight)
	title := titleStyle()
	titleBottom := vg.Point{X: area.Center().X, Y: top + NoteSize/2 + noteHeight*vg.Length(h.notesBelow)}
	writeUpwards(c, title, wrapText(p.Title, title, width), titleBottom, titleLineHeight)
}

// writeUpwards writes lines of text above one another, the last line at the given point.
func writeUpwards(c draw.Canvas, style text.Style, lines []string, bottom vg.Point, lineHeight vg.Length) {
	for _, line := range slices.Backward(lines) {
		c.FillText(style, bottom, line)
		bottom.Y += lineHeight
	}
}

// equalizeUnits returns a copy of the plot in which one axis is widened so that a unit is equally
// long on both axes.
func equalizeUnits(p *plot.Plot, canvas draw.Canvas) *plot.Plot {
	wide := *p
	for range 2 { // the second time, since wider limits may have wider labels
		size := wide.DataCanvas(canvas).Rectangle.Size()
		xRange := p.X.Max - p.X.Min
		yRange := p.Y.Max - p.Y.Min
		wide.X.Min, wide.X.Max = p.X.Min, p.X.Max
		wide.Y.Min, wide.Y.Max = p.Y.Min, p.Y.Max
		excess := float64(size.X/size.Y)*yRange/xRange - 1 // above 0 if a unit is longer on the x axis
		if excess > 0 {
			border := excess * xRange / 2
			wide.X.Min = p.X.Min - border
			wide.X.Max = p.X.Max + border
		} else {
			border := (1/(1+excess) - 1) * yRange / 2
			wide.Y.Min = p.Y.Min - border
			wide.Y.Max = p.Y.Max + border
		}
	}
	return &wide
}

// heading is the space for the titles and notes above the panels of one row.
type heading struct {
	titleLines int // lines of the longest title
	noteLines  int // lines of the longest note
	notesBelow int // lines of notes below the titles; 0 if all notes fit beside the titles
}

// newHeading returns the heading of a row of panels with the given width.
func newHeading(panels []Panel, width vg.Length) heading {
	const axesWidth = 2 * gap // what an axis and its labels take of the width, about
	var h heading
	for _, p := range panels {
		titles := wrapText(p.Title, titleStyle(), width)
		notes := wrapText(p.Note, noteStyle(), width)
		h.titleLines = max(h.titleLines, len(titles))
		h.noteLines = max(h.noteLines, len(notes))
		if len(notes) > 1 || p.isCrowded(width-axesWidth) {
			h.notesBelow = max(h.notesBelow, len(notes))
		}
	}
	return h
}

func (h heading) height() vg.Length {
	if h.titleLines > 0 {
		return titleHeight + titleLineHeight*vg.Length(h.titleLines-1) + noteHeight*vg.Length(h.notesBelow)
	}
	return noteHeight * vg.Length(h.noteLines)
}

// wrapText breaks a text between words into lines of at most the given width. A longer word has a
// line of its own.
func wrapText(text string, style text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line == "" || style.Width(longer) <= width {
			line = longer
			continue
		}
		lines = append(lines, line)
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// isCrowded reports whether the title, which is centered, and the note, which ends at the right, do
// not fit into one line over a data area of the given width.
func (p Panel) isCrowded(width vg.Length) bool {
	if p.Title == "" || p.Note == "" {
		return false
	}
	halfTitle := titleStyle().Width(p.Title) / 2
	note := noteStyle().Width(p.Note)
	return halfTitle+titleSize+note > width/2
}
