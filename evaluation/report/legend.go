package report

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// legendEntry is a text and the sample before it.
type legendEntry struct {
	text   string
	sample func(c draw.Canvas, left vg.Point) // draws from left on, centred on it in height
	width  vg.Length                          // of the sample
}

// lineEntry explains a line.
func lineEntry(text string, style draw.LineStyle) legendEntry {
	const width = 16
	return legendEntry{text, func(c draw.Canvas, left vg.Point) {
		c.StrokeLine2(style, left.X, left.Y, left.X+width, left.Y)
	}, width}
}

// colourEntry explains a colour.
func colourEntry(text string, fill color.NRGBA) legendEntry {
	const width, height = 11, 7
	return legendEntry{text, func(c draw.Canvas, left vg.Point) {
		c.FillPolygon(fill, rectangle(left.X, left.Y-height/2, left.X+width, left.Y+height/2))
	}, width}
}

// markerEntry explains a marker.
func markerEntry(text string, m marker) legendEntry {
	const width, radius = 8, 3.4
	return legendEntry{text, func(c draw.Canvas, left vg.Point) {
		m.draw(c, vg.Point{X: left.X + width/2, Y: left.Y}, radius, grey, false)
	}, width}
}

// dotsEntry explains a cloud of data.
func dotsEntry(text string) legendEntry {
	const width = 14
	return legendEntry{text, func(c draw.Canvas, left vg.Point) {
		dot := polygon(12, 1, 1, 0)
		for _, at := range []vg.Point{{X: 2, Y: -1.5}, {X: 7, Y: 1.5}, {X: 12, Y: -0.5}} {
			dot.draw(c, left.Add(at), 1.3, dataColour, false)
		}
	}, width}
}

// hollowEntry explains a marker that is not filled.
func hollowEntry(text string) legendEntry {
	const width, radius = 8, 3
	ring := furtherMarkers[2]
	return legendEntry{text, func(c draw.Canvas, left vg.Point) {
		ring.draw(c, vg.Point{X: left.X + width/2, Y: left.Y}, radius, grey, true)
	}, width}
}

// drawLegend draws the lines of entries at the foot of the canvas, each line
// centred, and returns the height that they take. A line that is too wide is
// broken.
func drawLegend(c draw.Canvas, lines [][]legendEntry) vg.Length {
	const space, between = 4, 14 // points
	style := textStyle(labelSize)
	style.YAlign = draw.YCenter
	wide := func(line []legendEntry) vg.Length {
		width := vg.Length(len(line)-1) * between
		for _, entry := range line {
			width += entry.width + space + style.Width(entry.text)
		}
		return width
	}
	var broken [][]legendEntry
	for _, line := range lines {
		start := 0
		for end := range line {
			if end > start && wide(line[start:end+1]) > c.Max.X-c.Min.X {
				broken = append(broken, line[start:end])
				start = end
			}
		}
		if start < len(line) {
			broken = append(broken, line[start:])
		}
	}
	for i, line := range broken {
		x := c.Center().X - wide(line)/2
		y := c.Min.Y + legendHeight/3 + legendHeight*vg.Length(len(broken)-1-i)
		for _, entry := range line {
			entry.sample(c, vg.Point{X: x, Y: y})
			x += entry.width + space
			c.FillText(style, vg.Point{X: x, Y: y + labelSize/12}, entry.text) // small letters in the middle
			x += style.Width(entry.text) + between
		}
	}
	return legendHeight * vg.Length(len(broken))
}

// rectangle is the polygon between two corners.
func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
