package chart

import (
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Widths within the legend, in points.
const (
	sampleWidth = 16 // of the sample of an entry
	sampleSpace = 4  // between a sample and its text
	entrySpace  = 14 // between two entries

	// widestFont is the width of texts in the widest of the fonts that a reader may have, DejaVu Sans, relative to the font
	// of the layout.
	widestFont = 1.15
)

// legend returns the named layers of all panels, each name once, in lines that fit the figure's width.
func (f Figure) legend() [][]Layer {
	var lines [][]Layer
	for _, l := range f.namedLayers() {
		last := len(lines) - 1
		if last < 0 || entriesWidth(lines[last])+entrySpace+entriesWidth([]Layer{l}) > f.width()-2*margin {
			lines = append(lines, nil)
			last++
		}
		lines[last] = append(lines[last], l)
	}
	return lines
}

// namedLayers returns the first layer with each name, from all panels.
func (f Figure) namedLayers() []Layer {
	var named []Layer
	for _, p := range f.Panels {
		for _, l := range p.Layers {
			isNew := !slices.ContainsFunc(named, func(other Layer) bool { return other.Name == l.Name })
			if l.Name != "" && isNew {
				named = append(named, l)
			}
		}
	}
	return named
}

// entriesWidth returns the width of a line of entries.
func entriesWidth(line []Layer) vg.Length {
	style := textStyle(labelSize)
	width := vg.Length(len(line)-1) * entrySpace
	for _, l := range line {
		width += sampleWidth + sampleSpace + widestFont*style.Width(l.Name)
	}
	return width
}

// drawEntries draws a line of entries in the middle of the canvas. y is the height of their middle.
func drawEntries(c draw.Canvas, line []Layer, y vg.Length) {
	const raise = labelSize / 12 // raises texts, so that small letters are level with the samples
	style := textStyle(labelSize)
	style.YAlign = draw.YCenter
	x := c.Center().X - entriesWidth(line)/2
	for _, l := range line {
		l.drawSample(c, x, y)
		x += sampleWidth + sampleSpace
		c.FillText(style, vg.Point{X: x, Y: y + raise}, l.Name)
		x += widestFont*style.Width(l.Name) + entrySpace
	}
}

// drawSample draws the layer's mark to the right of left, with its middle at the height y.
func (l Layer) drawSample(c draw.Canvas, left, y vg.Length) {
	const (
		halfHeight = 3.5 // of an area
		border     = 2.5 // at both sides of an area
		minOpacity = 0x80
		minWidth   = 0.8 // of a line
	)
	switch l.Kind {
	case Line, Segments:
		l.Colour.A = max(l.Colour.A, minOpacity) // a single thin line would be too faint
		style := l.lineStyle()
		style.Width = max(style.Width, minWidth)
		c.StrokeLine2(style, left, y, left+sampleWidth, y)
	case Points, Cloud:
		const radius = 2.6
		l.mark().draw(c, vg.Point{X: left + sampleWidth/2, Y: y}, radius, l)
	default:
		area := rectangle(left+border, y-halfHeight, left+sampleWidth-border, y+halfHeight)
		c.FillPolygon(l.Colour, area)
	}
}

// JoinNotes joins notes with commas and skips empty ones.
func JoinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), ", ")
}
