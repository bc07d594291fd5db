package drawing

import (
	"cmp"
	"fmt"
	"html"
	"image/color"
	"io"
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
	Panels        [][]Panel // by row; all rows have the same number; a panel whose Plot is nil stays empty
	Rows          []string  // names at the left of the rows, one for each; nil if the rows have no names
	Legend        [][]Entry // lines of entries below the panels; nil if the figure has no legend
	Narrow        *Figure   // figure for a phone; nil means the same panels in fewer columns
}

// Panel is a plot with a title above it and a note at the right of the title. The plot must have no
// title of its own: gonum would center it over the labels and the data, not over the data.
type Panel struct {
	Title string
	Note  string // for example a count of values that the plot does not show
	*plot.Plot

	// Square is true if a unit has the same length on both axes. One axis is then drawn beyond its
	// limits.
	Square bool
}

// WriteSVG writes the figure as an SVG file. Equal figures give equal bytes. The file needs no font on
// the reader's machine, and is dark for readers in dark mode.
func (f *Figure) WriteSVG(w io.Writer) error {
	canvas := newSVG(f.Width, f.Height, "")
	f.draw(draw.New(canvas))
	attributes := fmt.Sprintf(
		`xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" aria-label="%s" width="%spt" height="%spt"`,
		html.EscapeString(f.description()), formatDecimal(f.Width.Points()), formatDecimal(f.Height.Points()))
	_, err := fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n%s", canvas.element(attributes, svgBackground))
	return err
}

// svgBackground is the element of an SVG file with its background, light or dark. A figure within a page
// has none, so that the page's background shows.
var svgBackground = fmt.Sprintf(`<rect id="ground" width="100%%" height="100%%" fill="#%s"/>
<style>@media screen and (prefers-color-scheme: dark){#ground{fill:#%s}}</style>
`, hexColour(lightBackground), hexColour(darkBackground))

// description returns the titles and axis labels of all panels, each text once, for screen readers.
func (f *Figure) description() string {
	var descriptions []string
	for row, panels := range f.Panels {
		for column, p := range panels {
			if p.Plot == nil {
				continue
			}
			description := JoinNotes(f.fullTitle(row, column), p.Y.Label.Text, p.X.Label.Text)
			if description != "" && !slices.Contains(descriptions, description) {
				descriptions = append(descriptions, description)
			}
		}
	}
	return strings.Join(descriptions, "; ")
}

// fullTitle returns a title by which a panel is understood outside its grid: the name of its row, if rows
// have names, and its own title. A panel without a title has the title of the first panel of its column.
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
func (f *Figure) WritePNG(w io.Writer) error {
	const density = 300
	return f.writeLightPNG(w, density)
}

// writeLightPNG writes the figure as a PNG file with density dots per inch, on a white background.
func (f *Figure) writeLightPNG(w io.Writer, density int) error {
	canvas := f.newPixels(density, lightBackground)
	f.draw(draw.New(canvas))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// writeDarkPNG writes the figure as a PNG file with density dots per inch, in the colours of dark mode.
func (f *Figure) writeDarkPNG(w io.Writer, density int) error {
	canvas := f.newPixels(density, darkBackground)
	f.draw(draw.New(darkCanvas{canvas}))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// newPixels returns an empty canvas of pixels for the figure, with density dots per inch.
func (f *Figure) newPixels(density int, background color.Color) *vgimg.Canvas {
	return vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(density), vgimg.UseBackgroundColor(background))
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
	canvases := plot.Align(f.plots(), grid.tiles, c) // by row and column; their data areas are aligned
	for row, rowCanvases := range canvases {
		// Labels make the canvases of a row differ in height, but its titles must be level.
		place := headingPlace{bottom: rowCanvases[0].Max.Y, width: grid.panelWidth, heading: grid.headings[row]}
		for column, canvas := range rowCanvases {
			p := f.Panels[row][column]
			if p.Plot == nil {
				continue
			}
			dataArea := p.draw(canvas, place)
			if column == 0 && len(f.Rows) > 0 {
				canvas.FillText(rowNameStyle(), vg.Point{X: namesLeft, Y: dataArea.Center().Y}, f.Rows[row])
			}
		}
	}
}

// plots returns the plots of the panels, by row and column. A plot is nil for an empty panel.
func (f *Figure) plots() [][]*plot.Plot {
	var plots [][]*plot.Plot
	for _, panels := range f.Panels {
		var row []*plot.Plot
		for _, p := range panels {
			row = append(row, p.Plot)
		}
		plots = append(plots, row)
	}
	return plots
}

// grid is the layout of a figure's panels.
type grid struct {
	headings   []heading  // space for titles and notes above each row of panels
	panelWidth vg.Length  // width of a panel with its axes and labels
	tiles      draw.Tiles // division of the canvas into places for panels, with the space between them
}

// newGrid returns the layout of the panels on a canvas of the given width.
//
// A heading needs space above its tile. Above the first row, this is the tiles' PadTop, whose size is free.
// Above each other row, it is a part of PadY, the space between two rows. Tiles have a single PadY, so that
// it must fit the highest of these headings.
func (f *Figure) newGrid(width vg.Length) grid {
	columns := len(f.Panels[0])
	panelWidth := (width+gap)/vg.Length(columns) - gap // columns·panelWidth + (columns−1)·gap is the width
	var headings []heading
	for _, panels := range f.Panels {
		headings = append(headings, newHeading(panels, panelWidth))
	}
	highest := vg.Length(0) // heading of the rows after the first
	for _, h := range headings[1:] {
		highest = max(highest, h.height())
	}
	return grid{
		headings:   headings,
		panelWidth: panelWidth,
		tiles: draw.Tiles{
			Rows:   len(f.Panels),
			Cols:   columns,
			PadTop: headings[0].height(),
			PadX:   gap,
			PadY:   gap + highest,
		},
	}
}

// headingPlace is the place of the titles and notes of the panels of one row.
type headingPlace struct {
	heading
	bottom vg.Length // y coordinate of the lower end
	width  vg.Length // largest width of a line
}

// draw draws the panel's plot on its part of the figure, and its title and note above. It returns the part
// of the plot between the axes.
func (p Panel) draw(c draw.Canvas, place headingPlace) (dataArea draw.Canvas) {
	if p.Square {
		p.Plot = equalizeUnits(p.Plot, c) // in this copy of the panel only
	}
	p.Plot.Draw(c)
	dataArea = p.DataCanvas(c)
	p.drawHeading(c, dataArea, place)
	return dataArea
}

// drawHeading writes the panel's note, which ends at the right edge of the data area, and its title, which
// is centered over the data area.
func (p Panel) drawHeading(c, dataArea draw.Canvas, place headingPlace) {
	noteBottom := place.bottom + NoteSize/4 // a little above the axis's labels
	noteRight := vg.Point{X: dataArea.Max.X, Y: noteBottom}
	noteLines := wrapText(p.Note, noteStyle(), place.width)
	writeUpwards(c, noteStyle(), noteLines, noteRight, noteHeight)

	// Titles of a row are at the same height, even of panels without notes.
	titleBottom := place.bottom + NoteSize/2 + noteHeight*vg.Length(place.notesBelow)
	titleMiddle := vg.Point{X: dataArea.Center().X, Y: titleBottom}
	titleLines := wrapText(p.Title, titleStyle(), place.width)
	writeUpwards(c, titleStyle(), titleLines, titleMiddle, titleLineHeight)
}

// writeUpwards writes lines of text from the last, which is at the given point, up to the first.
func writeUpwards(c draw.Canvas, style text.Style, lines []string, bottom vg.Point, lineHeight vg.Length) {
	for _, line := range slices.Backward(lines) {
		c.FillText(style, bottom, line)
		bottom.Y += lineHeight
	}
}

// equalizeUnits returns a copy of the plot in which the limits of one axis are moved apart until a unit has
// the same length on both axes.
//
// New limits can have wider labels, which leave less space for the data. The second round starts again
// from p's limits, with the size of the data area that the first round's labels leave.
func equalizeUnits(p *plot.Plot, canvas draw.Canvas) *plot.Plot {
	const rounds = 2
	wide := *p
	xRange := p.X.Max - p.X.Min
	yRange := p.Y.Max - p.Y.Min
	for range rounds {
		size := wide.DataCanvas(canvas).Rectangle.Size()
		wide.X.Min, wide.X.Max = p.X.Min, p.X.Max
		wide.Y.Min, wide.Y.Max = p.Y.Min, p.Y.Max
		excess := float64(size.X/size.Y)*yRange/xRange - 1 // 0.1 if a unit on the x axis is longer by a tenth
		if excess > 0 {                                    // the x axis needs more units on the same length
			border := excess * xRange / 2 // at each end
			wide.X.Min = p.X.Min - border
			wide.X.Max = p.X.Max + border
		} else {
			border := (1/(1+excess) - 1) * yRange / 2 // at each end
			wide.Y.Min = p.Y.Min - border
			wide.Y.Max = p.Y.Max + border
		}
	}
	return &wide
}

// heading is the space for the titles and notes above the panels of one row.
type heading struct {
	titleLines int // lines of the longest title; 0 if no panel has a title
	noteLines  int // lines of the longest note; 0 if no panel has a note
	notesBelow int // lines of notes below the titles; 0 if all notes fit beside the titles
}

// newHeading returns the heading of a row of panels with the given width. A note is beside the title if both
// are short, and otherwise below it.
func newHeading(panels []Panel, width vg.Length) heading {
	const yAxisWidth = 2 * gap // width of an axis with its labels, about
	var h heading
	for _, p := range panels {
		titleLines := len(wrapText(p.Title, titleStyle(), width))
		noteLines := len(wrapText(p.Note, noteStyle(), width))
		h.titleLines = max(h.titleLines, titleLines)
		h.noteLines = max(h.noteLines, noteLines)
		needsOwnLine := noteLines > 1 || p.isCrowded(width-yAxisWidth)
		if needsOwnLine {
			h.notesBelow = max(h.notesBelow, noteLines)
		}
	}
	return h
}

// height returns the height of the space: of the titles and the notes below them or, if no panel has a
// title, of the notes. Notes beside titles need no space of their own.
func (h heading) height() vg.Length {
	if h.titleLines == 0 {
		return noteHeight * vg.Length(h.noteLines)
	}
	furtherLines := vg.Length(h.titleLines - 1)
	return titleHeight + titleLineHeight*furtherLines + noteHeight*vg.Length(h.notesBelow)
}

// wrapText breaks a text between words into lines of at most the given width. A wider word has a line of
// its own. The result is empty if the text is.
func wrapText(text string, style text.Style, width vg.Length) []string {
	var lines []string
	line := "" // the line to which words are added
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
	const space = titleSize // smallest distance between them
	halfTitle := titleStyle().Width(p.Title) / 2
	noteWidth := noteStyle().Width(p.Note)
	return halfTitle+space+noteWidth > width/2 // in the right half of the panel
}
