package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/shape"
)

// area is a plotter that fills the area between two curves, cut off at the axes' limits. Both curves
// have the same x coordinates.
type area struct {
	x         []float64 // ascending
	low, high []float64 // y coordinates of the lower and the upper curve, which may be infinite
	colour    color.NRGBA
}

// Plot implements plot.Plotter. The outline follows the lower curve to the right and the upper curve
// back to the left.
func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	clamp := func(y float64) float64 { return math.Min(math.Max(y, p.Y.Min), p.Y.Max) }
	var outline []vg.Point
	for i := range a.x {
		outline = append(outline, vg.Point{X: toX(a.x[i]), Y: toY(clamp(a.low[i]))})
	}
	for i := len(a.x) - 1; i >= 0; i-- {
		outline = append(outline, vg.Point{X: toX(a.x[i]), Y: toY(clamp(a.high[i]))})
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

// newCurve returns a line through the points x[i], y[i].
func newCurve(x, y []float64, style draw.LineStyle) line { return newLine(zipPoints(x, y), style) }

// newSegment returns the straight line from x0, y0 to x1, y1.
func newSegment(x0, y0, x1, y1 float64, style draw.LineStyle) line {
	return newCurve([]float64{x0, x1}, []float64{y0, y1}, style)
}

// zipPoints returns the points x[i], y[i].
func zipPoints(x, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return points
}

// discs is a plotter of small discs at points.
type discs struct {
	points plotter.XYs
	colour color.NRGBA
}

const discRadius = vg.Length(1.8) // of discs, in points

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
