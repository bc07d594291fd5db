package chart

import (
	"cmp"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Plot draws the layer's marks on the data area. It implements plot.Plotter.
func (l Layer) Plot(c draw.Canvas, p *plot.Plot) {
	s := space{Plot: p}
	s.toX, s.toY = p.Transforms(&c)
	switch l.Kind {
	case Line:
		l.drawLine(c, s)
	case Points:
		l.drawPoints(c, s)
	case Cloud:
		l.drawCloud(c, p)
	case Band:
		l.drawBand(c, s)
	case Boxes:
		for i := range l.X {
			from, to := s.at(l.X[i], l.Y[i]), s.at(l.X2[i], l.Y2[i])
			c.FillPolygon(l.Colour, rectangle(from.X, from.Y, to.X, to.Y))
		}
	case Segments:
		for i := range l.X {
			from, to := s.at(l.X[i], l.Y[i]), s.at(l.X2[i], l.Y2[i])
			c.StrokeLine2(l.lineStyle(), from.X, from.Y, to.X, to.Y)
		}
	case Texts:
		style := textStyle(tickSize)
		style.XAlign = draw.XCenter
		style.YAlign = draw.YCenter
		style.Color = l.Colour
		for i, label := range l.Labels {
			c.FillText(style, s.at(l.X[i], l.Y[i]), label)
		}
	case Image:
		l.drawImage(c, p)
	}
}

// space maps numbers of a panel to points of a canvas.
type space struct {
	*plot.Plot // has the limits of the axes
	toX, toY   func(float64) vg.Length
}

// at returns the place of x, y, each moved to the nearest limit if it is beyond: infinite numbers have no place.
func (s space) at(x, y float64) vg.Point {
	return vg.Point{
		X: s.toX(math.Min(math.Max(x, s.X.Min), s.X.Max)),
		Y: s.toY(math.Min(math.Max(y, s.Y.Min), s.Y.Max)),
	}
}

// contains reports whether x, y is within the limits.
func (s space) contains(x, y float64) bool {
	return x >= s.X.Min && x <= s.X.Max && y >= s.Y.Min && y <= s.Y.Max
}

// drawLine draws the line, cut off at the limits.
func (l Layer) drawLine(c draw.Canvas, s space) {
	points := make([]vg.Point, len(l.X))
	for i, x := range l.X {
		points[i] = vg.Point{X: s.toX(x), Y: s.toY(l.Y[i])}
	}
	c.StrokeLines(l.lineStyle(), c.ClipLinesXY(thin(points))...)
}

// defaultRadius is the radius of Points, in points.
const defaultRadius = 1.8

// drawPoints draws the marks within the limits and, if the layer asks for it, the others at the edge.
func (l Layer) drawPoints(c draw.Canvas, s space) {
	radius := vg.Length(cmp.Or(l.Radius, defaultRadius))
	for i, x := range l.X {
		y := l.Y[i]
		if s.contains(x, y) {
			l.mark().draw(c, s.at(x, y), radius, l)
		} else if l.AtEdge {
			l.drawAtEdge(c, s, x, y)
		}
	}
}

// drawAtEdge draws a mark that is beyond a limit: within the edge of the data area, with an arrow outwards for each axis
// whose limits it is beyond.
func (l Layer) drawAtEdge(c draw.Canvas, s space, x, y float64) {
	const (
		inwards     = 7   // from the edge to the mark, in points
		outwards    = 3.2 // from the mark to the arrow, in points
		arrowRadius = 3
	)
	place := s.at(x, y)
	horizontal := Side(x, s.X.Min, s.X.Max)
	vertical := Side(y, s.Y.Min, s.Y.Max)
	place.X -= inwards * vg.Length(horizontal)
	place.Y -= inwards * vg.Length(vertical)
	l.mark().draw(c, place, vg.Length(cmp.Or(l.Radius, defaultRadius)), l)
	if horizontal != 0 {
		arrow := map[int]Mark{1: right, -1: left}[horizontal]
		arrow.draw(c, place.Add(vg.Point{X: outwards * vg.Length(horizontal)}), arrowRadius, l)
	}
	if vertical != 0 {
		arrow := map[int]Mark{1: Up, -1: Down}[vertical]
		arrow.draw(c, place.Add(vg.Point{Y: outwards * vg.Length(vertical)}), arrowRadius, l)
	}
}

// Side returns 1 for a value above the limits, -1 for a value below, and otherwise 0.
func Side(v, low, high float64) int {
	switch {
	case v > high:
		return 1
	case v < low:
		return -1
	}
	return 0
}

// drawBand fills the area between Y and Y2. Its outline follows Y to the right and Y2 back to the left.
func (l Layer) drawBand(c draw.Canvas, s space) {
	outline := make([]vg.Point, 2*len(l.X))
	last := len(outline) - 1
	for i, x := range l.X {
		y2 := 0.0
		if l.Y2 != nil {
			y2 = l.Y2[i]
		}
		outline[i] = s.at(x, l.Y[i])
		outline[last-i] = s.at(x, y2)
	}
	c.FillPolygon(l.Colour, outline)
}

// lineStyle returns the style of the layer's lines. By default, dashed lines are thinner.
func (l Layer) lineStyle() draw.LineStyle {
	const defaultWidth, dashedWidth = 1.2, 0.8
	if !l.Dashed {
		return draw.LineStyle{Color: l.Colour, Width: vg.Length(cmp.Or(l.Width, defaultWidth))}
	}
	return draw.LineStyle{
		Color:  l.Colour,
		Width:  vg.Length(cmp.Or(l.Width, dashedWidth)),
		Dashes: []vg.Length{3, 2}, // a dash and a gap
	}
}

// mark returns the shape of the layer's points.
func (l Layer) mark() Mark {
	if len(l.Mark.corners) == 0 {
		return disc
	}
	return l.Mark
}

// rectangle returns the corners of a rectangle: x0, y0 and x1, y1 are opposite corners.
func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// draw draws the mark around a point in the colour of its layer. A filled mark has a thin, darker rim, which keeps
// overlapping marks and light colours visible. Open and hollow marks have only a rim, which is thicker.
func (m Mark) draw(c draw.Canvas, center vg.Point, radius vg.Length, l Layer) {
	const thinRim, thickRim = 0.3, 0.8
	path := m.path(center, radius)
	rim := draw.LineStyle{Color: darken(l.Colour), Width: thickRim}
	switch {
	case m.isOpen: // it has no inside
	case l.Hollow:
		rim.Color = l.Colour
	default:
		rim.Width = thinRim
		c.SetColor(l.Colour)
		c.Fill(path)
	}
	c.SetLineStyle(rim)
	c.Stroke(path)
}

// darken returns the colour with 60 % of its brightness.
func darken(c color.NRGBA) color.NRGBA {
	shade := func(v uint8) uint8 { return uint8(int(v) * 6 / 10) }
	return color.NRGBA{R: shade(c.R), G: shade(c.G), B: shade(c.B), A: c.A}
}
