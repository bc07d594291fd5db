package drawing

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Entry is an entry of a figure's legend: a text and the sample before it. A figure has one legend
// for all panels, below them, and breaks its lines at the figure's width. (A plot.Legend is inside
// a single plot and has one entry on each line.)
type Entry struct {
	Text   string
	Sample func(c draw.Canvas, left vg.Point) // draws from left on, centred on it in height
	Width  vg.Length                          // of the sample
}

// LineEntry explains a line.
func LineEntry(text string, style draw.LineStyle) Entry {
	const width = 16
	return Entry{text, func(c draw.Canvas, left vg.Point) {
		c.StrokeLine2(style, left.X, left.Y, left.X+width, left.Y)
	}, width}
}

// ColourEntry explains a colour.
func ColourEntry(text string, fill color.NRGBA) Entry {
	const width, height = 11, 7
	return Entry{text, func(c draw.Canvas, left vg.Point) {
		c.SetColor(fill)
		c.Fill(vg.Rectangle{Min: vg.Point{X: left.X, Y: left.Y - height/2}, Max: vg.Point{X: left.X + width, Y: left.Y + height/2}}.Path())
	}, width}
}

// PointEntry explains what mark draws at a point.
func PointEntry(text string, mark func(c draw.Canvas, at vg.Point)) Entry {
	const width = 8
	return Entry{text, func(c draw.Canvas, left vg.Point) { mark(c, vg.Point{X: left.X + width/2, Y: left.Y}) }, width}
}

// drawLegend draws the lines of entries at the foot of the canvas, each line
// centred, and returns the height that they take. A line that is too wide is
// broken.
func drawLegend(c draw.Canvas, lines [][]Entry) vg.Length {
	style := TextStyle(LabelSize)
	style.YAlign = draw.YCenter
	broken := brokenLines(lines, c.Max.X-c.Min.X)
	for i, line := range broken {
		x := c.Center().X - entriesWidth(line)/2
		y := c.Min.Y + legendHeight/3 + legendHeight*vg.Length(len(broken)-1-i)
		for _, entry := range line {
			entry.Sample(c, vg.Point{X: x, Y: y})
			x += entry.Width + entrySpace
			c.FillText(style, vg.Point{X: x, Y: y + LabelSize/12}, entry.Text) // small letters in the middle
			x += style.Width(entry.Text) + betweenEntries
		}
	}
	return legendHeight * vg.Length(len(broken))
}

const (
	entrySpace     = vg.Length(4) // between a sample and its text
	betweenEntries = vg.Length(14)
)

func entriesWidth(line []Entry) vg.Length {
	style := TextStyle(LabelSize)
	width := vg.Length(len(line)-1) * betweenEntries
	for _, entry := range line {
		width += entry.Width + entrySpace + style.Width(entry.Text)
	}
	return width
}

// LegendHeight is what a legend takes of the height of a figure so wide.
func LegendHeight(lines [][]Entry, width vg.Length) vg.Length {
	return legendHeight * vg.Length(len(brokenLines(lines, width-2*margin)))
}

// brokenLines breaks lines of entries that are wider than a width.
func brokenLines(lines [][]Entry, width vg.Length) [][]Entry {
	var broken [][]Entry
	for _, line := range lines {
		start := 0
		for end := range line {
			if end > start && entriesWidth(line[start:end+1]) > width {
				broken = append(broken, line[start:end])
				start = end
			}
		}
		if start < len(line) {
			broken = append(broken, line[start:])
		}
	}
	return broken
}
