package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/shape"
)

// area is a plotter that fills the area between a lower and an upper curve, cut off at the axes' limits.
type area struct {
	spans  []span // in ascending order of x
	colour color.NRGBA
}

// span is a vertical line of an area: its x coordinate, and the y coordinates of its ends, which may be
// infinite.
type span struct{ x, low, high float64 }

// Plot implements plot.Plotter. The outline follows the lower curve to the right and the upper curve
// back to the left.
func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	clamp := func(y float64) float64 { return math.Min(math.Max(y, p.Y.Min), p.Y.Max) } // infinite ends have no position on the canvas
	var outline []vg.Point
	for _, s := range a.spans {
		outline = append(outline, vg.Point{X: toX(s.x), Y: toY(clamp(s.low))})
	}
	for _, s := range slices.Backward(a.spans) {
		outline = append(outline, vg.Point{X: toX(s.x), Y: toY(clamp(s.high))})
	}
	c.FillPolygon(a.colour, c.ClipPolygonX(outline))
}

// line is a plotter of a line. It hides the method DataRange of gonum's Line, because by it a plot's
// Add would widen the axes.
type line struct{ gonumLine plotter.Line }

// Plot implements plot.Plotter.
func (l line) Plot(c draw.Canvas, p *plot.Plot) { l.gonumLine.Plot(c, p) }

// newLine returns a line through the points.
func newLine(points plotter.XYs, style draw.LineStyle) line {
	return line{plotter.Line{XYs: points, LineStyle: style}}
}

// newSegment returns the straight line from x0, y0 to x1, y1.
func newSegment(x0, y0, x1, y1 float64, style draw.LineStyle) line {
	return newLine(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}}, style)
}

// zipPoints returns the points x[i], y[i].
func zipPoints(x, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return points
}

// xValues returns the x values of the points.
func xValues(points plotter.XYs) []float64 {
	values := make([]float64, len(points))
	for i, point := range points {
		values[i] = point.X
	}
	return values
}

// yValues returns the y values of the points.
func yValues(points plotter.XYs) []float64 {
	values := make([]float64, len(points))
	for i, point := range points {
		values[i] = point.Y
	}
	return values
}

// discs is a plotter of small discs at points.
type discs struct {
	points plotter.XYs
	colour color.NRGBA
}

const discRadius = vg.Length(1.8) // of discs, in points

// discMarker is the outline of a disc with radius 1. At the size of discRadius, 16 corners look round.
var discMarker = shape.Polygon(16, 1, 1, 0)

// Plot implements plot.Plotter. It leaves out points beyond the axes.
func (d discs) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for _, point := range d.points {
		center := vg.Point{X: toX(point.X), Y: toY(point.Y)}
		if c.Contains(center) {
			discMarker.Draw(c, center, discRadius, d.colour, false)
		}
	}
}

// discEntry returns the legend entry of discs or of a cloud of points.
func discEntry(text string, colour color.NRGBA) drawing.Entry {
	return drawing.PointEntry(text, func(c draw.Canvas, center vg.Point) {
		discMarker.Draw(c, center, discRadius, colour, false)
	})
}
