package drawing

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry is an entry of a figure's legend: a sample, such as a short line, and a text after it. A figure
// has one legend for all panels, below them, and breaks its lines at the figure's width. (Gonum's
// plot.Legend is inside a single plot and has one entry on each line.)
type Entry struct {
	Text string

	// Sample draws the sample. left is the middle of the sample's left edge.
	Sample func(c draw.Canvas, left vg.Point)
	Width  vg.Length // width of the sample
}

// LineEntry returns an entry with a short line in the given style as sample.
func LineEntry(text string, style draw.LineStyle) Entry {
	const width = 16
	sample := func(c draw.Canvas, left vg.Point) {
		c.StrokeLine2(style, left.X, left.Y, left.X+width, left.Y)
	}
	return Entry{Text: text, Sample: sample, Width: width}
}

// ColourEntry returns an entry with a filled rectangle as sample.
func ColourEntry(text string, fill color.NRGBA) Entry {
	const width, height = 11, 7
	sample := func(c draw.Canvas, left vg.Point) {
		rectangle := vg.Rectangle{
			Min: vg.Point{X: left.X, Y: left.Y - height/2},
			Max: vg.Point{X: left.X + width, Y: left.Y + height/2},
		}
		c.SetColor(fill)
		c.Fill(rectangle.Path())
	}
	return Entry{Text: text, Sample: sample, Width: width}
}

// PointEntry returns an entry with a mark as sample, which drawMark draws around a point.
func PointEntry(text string, drawMark func(c draw.Canvas, center vg.Point)) Entry {
	const width = 8
	sample := func(c draw.Canvas, left vg.Point) {
		drawMark(c, vg.Point{X: left.X + width/2, Y: left.Y})
	}
	return Entry{Text: text, Sample: sample, Width: width}
}

const (
	sampleSpace = vg.Length(4)  // between a sample and its text
	entrySpace  = vg.Length(14) // between two entries
)

// drawLegend draws lines of entries at the foot of the canvas, each line centered, and returns the
// height that they take. It breaks lines wider than the canvas.
func drawLegend(c draw.Canvas, lines [][]Entry) (height vg.Length) {
	const footSpace = legendHeight / 3 // below the middle of the last line; more would separate it from the figure's edge
	lines = breakLines(lines, c.Max.X-c.Min.X)
	for i, line := range lines {
		linesBelow := vg.Length(len(lines) - 1 - i)
		start := vg.Point{
			X: c.Center().X - entriesWidth(line)/2,
			Y: c.Min.Y + footSpace + legendHeight*linesBelow,
		}
		drawEntries(c, line, start)
	}
	return legendHeight * vg.Length(len(lines))
}

// drawEntries draws a line of entries to the right of start, the middle of the first sample's left edge.
func drawEntries(c draw.Canvas, line []Entry, start vg.Point) {
	style := TextStyle(LabelSize)
	style.YAlign = draw.YCenter
	textY := start.Y + LabelSize/12 // raised, so that small letters are level with the samples
	x := start.X                    // left edge of the next sample or text
	for _, entry := range line {
		entry.Sample(c, vg.Point{X: x, Y: start.Y})
		x += entry.Width + sampleSpace
		c.FillText(style, vg.Point{X: x, Y: textY}, entry.Text)
		x += style.Width(entry.Text) + entrySpace
	}
}

// entriesWidth returns the width of a line of entries.
func entriesWidth(line []Entry) vg.Length {
	style := TextStyle(LabelSize)
	width := vg.Length(len(line)-1) * entrySpace
	for _, entry := range line {
		width += entry.Width + sampleSpace + style.Width(entry.Text)
	}
	return width
}

// LegendHeight returns the height of a legend in a figure of the given width.
func LegendHeight(lines [][]Entry, width vg.Length) vg.Length {
	return legendHeight * vg.Length(len(breakLines(lines, width-2*margin)))
}

// breakLines breaks lines of entries into lines of at most the given width. A wider entry has a line of
// its own.
func breakLines(lines [][]Entry, width vg.Length) [][]Entry {
	var broken [][]Entry
	for _, line := range lines {
		start := 0 // index of the first entry of the new line
		for i := range line {
			isTooWide := entriesWidth(line[start:i+1]) > width
			if isTooWide && i > start { // entry i begins the next line
				broken = append(broken, line[start:i])
				start = i
			}
		}
		if start < len(line) {
			broken = append(broken, line[start:])
		}
	}
	return broken
}
