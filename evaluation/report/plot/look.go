package plot

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
)

// What all plots have in common.
var (
	shownColour = drawing.Blue
	rawColour   = drawing.Orange
	bandColour  = withAlpha(drawing.Grey, 0x40)
	areaColour  = withAlpha(drawing.Blue, 0x38)

	// Clouds are pixels, and the same on a light ground and on a dark one.
	cloudColour = color.NRGBA{R: 0x3a, G: 0x86, B: 0xe0, A: 0xff}
	alertColour = color.NRGBA{R: 0xe5, G: 0x38, B: 0x3b, A: 0xff}

	honest = draw.LineStyle{Color: drawing.Grey, Width: 0.8, Dashes: []vg.Length{3, 2}}
)

func withAlpha(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// colour is that of a version of the predictions: of two, raw and calibrated.
func (r *Rows) colour(version int) color.NRGBA {
	if r.Calibrated != nil && version == 0 {
		return rawColour
	}
	return shownColour
}

// style is that of the line of a version.
func (r *Rows) style(version int) draw.LineStyle {
	return draw.LineStyle{Color: r.colour(version), Width: 1.3}
}

// versionEntries explain the lines of both versions, and one alone by its name.
func (r *Rows) versionEntries(alone string) []drawing.Entry {
	if r.Calibrated == nil {
		return []drawing.Entry{drawing.LineEntry(alone, r.style(0))}
	}
	return []drawing.Entry{drawing.LineEntry("raw", r.style(0)), drawing.LineEntry("calibrated", r.style(1))}
}

// area is what lies between two curves, within the axes.
type area struct {
	x, low, high []float64
	colour       color.NRGBA
}

// Plot implements plot.Plotter.
func (a area) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	within := func(v float64) float64 { return math.Min(math.Max(v, p.Y.Min), p.Y.Max) }
	var corners []vg.Point
	for i := range a.x {
		corners = append(corners, vg.Point{X: x(a.x[i]), Y: y(within(a.low[i]))})
	}
	for i := len(a.x) - 1; i >= 0; i-- {
		corners = append(corners, vg.Point{X: x(a.x[i]), Y: y(within(a.high[i]))})
	}
	c.FillPolygon(a.colour, c.ClipPolygonX(corners))
}

// path is a line that leaves the axes as they are.
type path struct{ line plotter.Line }

// Plot implements plot.Plotter.
func (l path) Plot(c draw.Canvas, p *plot.Plot) { l.line.Plot(c, p) }

func pathOf(points plotter.XYs, style draw.LineStyle) path {
	return path{plotter.Line{XYs: points, LineStyle: style}}
}

// lineOf is the line through points.
func lineOf(x, y []float64, style draw.LineStyle) path { return pathOf(pointsOf(x, y), style) }

func pointsOf(x, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return points
}

// straight is the line between two points.
func straight(x0, y0, x1, y1 float64, style draw.LineStyle) path {
	return lineOf([]float64{x0, x1}, []float64{y0, y1}, style)
}

// marks are small discs at points.
type marks struct {
	points plotter.XYs
	colour color.NRGBA
	radius vg.Length
}

var disc = shape.Polygon(16, 1, 1, 0)

// Plot implements plot.Plotter.
func (m marks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, point := range m.points {
		at := vg.Point{X: x(point.X), Y: y(point.Y)}
		if c.Contains(at) {
			disc.Draw(c, at, m.radius, m.colour, false)
		}
	}
}

// cloudOf draws points of any number within axes that are set: so many as would lie on
// one another are counted in cells that are smaller than a dot of print.
func cloudOf(p *plot.Plot, n int, at func(row int) (x, y float64), colour color.NRGBA) (cloud shape.Cloud, outside int) {
	const cells = 1500 // across a panel
	cloud = shape.Cloud{Colour: colour, Radius: 0.5}
	switch {
	case n <= 500:
		cloud.Radius = 1.3
	case n <= 5000:
		cloud.Radius = 0.9
	}
	counts := make(map[[2]int32]int32) // at most cells²; of scattered points far fewer than points
	var order [][2]int32
	for row := range n {
		x, y := at(row)
		if !(x >= p.X.Min && x <= p.X.Max && y >= p.Y.Min && y <= p.Y.Max) {
			outside++
			continue
		}
		if n <= 20_000 {
			cloud.Points = append(cloud.Points, plotter.XY{X: x, Y: y})
			continue
		}
		cell := [2]int32{int32(cells * p.X.Norm(x)), int32(cells * p.Y.Norm(y))}
		if counts[cell] == 0 {
			order = append(order, cell)
		}
		counts[cell]++
	}
	for _, cell := range order {
		cloud.Points = append(cloud.Points, plotter.XY{
			X: p.X.Min + (float64(cell[0])+0.5)/cells*(p.X.Max-p.X.Min),
			Y: p.Y.Min + (float64(cell[1])+0.5)/cells*(p.Y.Max-p.Y.Min),
		})
		cloud.Counts = append(cloud.Counts, int(counts[cell]))
	}
	return cloud, outside
}

// dotsEntry explains a cloud.
func dotsEntry(text string, colour color.NRGBA) drawing.Entry {
	return drawing.PointEntry(text, func(c draw.Canvas, at vg.Point) { disc.Draw(c, at, 1.8, colour, false) })
}

// zeroTo sets axes that begin at 0.
func zeroTo(p *plot.Plot, x, y float64) {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, x, 0, y
	p.X.Padding, p.Y.Padding = 2, 2
}

// wholeTicks are those of an axis that counts.
var wholeTicks = axes.WithLabels(axes.WholeTicks(axes.RoundTicks(4)), func(value float64) string { return strconv.FormatFloat(value+0, 'f', -1, 64) }) // value+0 turns −0 into 0

// coarser are fewer ticks, where axes are short.
func coarser(ticks plot.Ticker) plot.Ticker {
	if n, ok := ticks.(axes.RoundTicks); ok {
		return max(2, n-1)
	}
	return ticks
}
