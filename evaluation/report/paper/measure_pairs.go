package paper

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/shape"
)

// pairedMeasures are the measures of figure 14. Points and panels refer to them by their indices.
var pairedMeasures = []string{"ece", "ws", "ks"}

// pairedAxes lists the panels of figure 14 by the measures on their axes, which are indices in
// pairedMeasures.
var pairedAxes = []struct{ x, y int }{{x: 1, y: 0}, {x: 1, y: 2}, {x: 0, y: 2}}

// measurePairs draws figure 14: the measures ECE, WS and KS against one another. A point is a method on
// a split of a data set; methods differ in their markers and splits in their colours.
//
// Limits keep most points readable. Points beyond a limit, infinite ones, too, are drawn at the edge
// with an arrow and counted in a note. The note also counts points that lack one of the measures.
func measurePairs(_ context.Context, p *part) (f *drawing.Figure, caption string, err error) {
	scores := compare.Filter(p.main, func(s measure.Score) bool {
		return slices.Contains(pairedMeasures, s.Measure) && drawing.SplitIndex(s.Split) >= 0
	})
	methods := compare.DistinctNames(scores, func(s measure.Score) string { return s.Method })
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, "", err
	}
	points := newMeasurePoints(scores, methods, markers)
	limits := measureLimits(points)
	var row []drawing.Panel
	drawn := 0 // number of points in all panels
	for _, pair := range pairedAxes {
		m := &measurePanel{x: pair.x, y: pair.y, limits: limits}
		m.points = slices.DeleteFunc(slices.Clone(points), func(p *measurePoint) bool { return !p.hasPair(m.x, m.y) })
		drawn += len(m.points)
		missing := len(points) - len(m.points)
		row = append(row, m.panel(missing))
	}
	if drawn == 0 {
		return nil, "", nil
	}
	f = &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: 3.05 * vg.Inch,
		Panels: [][]drawing.Panel{row},
		Legend: pairsLegend(points, methods, markers),
	}
	return f, "Pairs of the measures ECE, Wasserstein distance and Kolmogorov–Smirnov distance: each point is a method on a split of a data set.", nil
}

// pairsLegend returns two lines: the splits of the points, and the methods.
func pairsLegend(points []*measurePoint, methods []string, markers []shape.Marker) [][]drawing.Entry {
	var splits, shapes []drawing.Entry
	for i, split := range drawing.Splits {
		if slices.ContainsFunc(points, func(p *measurePoint) bool { return p.split == i }) {
			splits = append(splits, drawing.ColourEntry(split.Name, split.Colour))
		}
	}
	for i, method := range methods {
		shapes = append(shapes, shape.MarkerEntry(methodTitle(method), markers[i]))
	}
	return [][]drawing.Entry{splits, shapes}
}

// measurePoint has the scores of a method on a split of a data set.
type measurePoint struct {
	marker shape.Marker
	split  int        // index in drawing.Splits
	values [3]float64 // scores by pairedMeasures; NaN if there is none
}

// hasPair reports whether the point has scores by two measures, given by their indices in pairedMeasures.
func (p *measurePoint) hasPair(x, y int) bool {
	return !math.IsNaN(p.values[x]) && !math.IsNaN(p.values[y])
}

// newMeasurePoints returns a point for each combination of data set, method and split, in the order of their
// first score. The methods have the markers with the same indices.
func newMeasurePoints(scores []measure.Score, methods []string, markers []shape.Marker) []*measurePoint {
	type pointKey struct{ dataset, method, split string }
	var points []*measurePoint
	byKey := make(map[pointKey]*measurePoint)
	for _, s := range scores {
		key := pointKey{dataset: s.Dataset, method: s.Method, split: s.Split}
		point := byKey[key]
		if point == nil {
			point = &measurePoint{
				marker: markers[slices.Index(methods, s.Method)],
				split:  drawing.SplitIndex(s.Split),
				values: [3]float64{math.NaN(), math.NaN(), math.NaN()},
			}
			points = append(points, point)
			byKey[key] = point
		}
		point.values[slices.Index(pairedMeasures, s.Measure)] = s.Mean
	}
	return points
}

// axisLimits are the limits of a measure. Points beyond them are drawn at the edge of the panel.
type axisLimits struct{ low, high float64 }

// measureLimits returns the limits of each of pairedMeasures.
func measureLimits(points []*measurePoint) [3]axisLimits {
	var limits [3]axisLimits
	for i := range limits {
		var values []float64
		for _, point := range points {
			values = append(values, point.values[i])
		}
		limits[i].low, limits[i].high = axes.Fences(values)
	}
	return limits
}

// measurePanel is a plotter of one measure over another.
type measurePanel struct {
	points []*measurePoint // points with both measures
	x, y   int             // indices in pairedMeasures
	limits [3]axisLimits   // by pairedMeasures
}

// side returns 1 for a point above the limits of a measure, -1 for one below, and otherwise 0.
func (m *measurePanel) side(p *measurePoint, measure int) int {
	limits := m.limits[measure]
	switch {
	case p.values[measure] > limits.high:
		return 1
	case p.values[measure] < limits.low:
		return -1
	}
	return 0
}

// panel returns the panel with its note. missing is the number of points without one of its measures.
func (m *measurePanel) panel(missing int) drawing.Panel {
	p := drawing.NewPlot(measure.Title(pairedMeasures[m.x]), measure.Title(pairedMeasures[m.y]))
	p.X.Padding = 0
	p.Y.Padding = 0
	m.setLimits(&p.X, m.x)
	m.setLimits(&p.Y, m.y)
	p.Add(m)
	beyond := 0
	for _, p := range m.points {
		if m.side(p, m.x) != 0 || m.side(p, m.y) != 0 {
			beyond++
		}
	}
	note := drawing.JoinNotes(drawing.CountNote(beyond, "beyond the axes"), drawing.CountNote(missing, "missing"))
	return drawing.Panel{Note: note, Plot: p}
}

// Space at the ends of an axis, as fractions of the range between the limits.
const (
	emptyEdge = 0.03 // where no points are beyond the limit
	edgeSpace = 0.11 // where points are beyond the limit
)

// setLimits sets the limits of the axis of a measure, with space at its ends.
func (m *measurePanel) setLimits(axis *plot.Axis, measure int) {
	limits := m.limits[measure]
	below := emptyEdge
	above := emptyEdge
	for _, p := range m.points {
		switch m.side(p, measure) {
		case -1:
			below = edgeSpace
		case 1:
			above = edgeSpace
		}
	}
	axis.Min = limits.low - below*(limits.high-limits.low)
	axis.Max = limits.high + above*(limits.high-limits.low)
	axis.Tick.Marker = axes.Within(limits.low, limits.high, axes.RoundTicks(4))
}

// shownValue returns the coordinate of a point on the axis of a measure: its score or, if that is beyond a
// limit, a coordinate in the space at the edge.
func (m *measurePanel) shownValue(p *measurePoint, measure int) float64 {
	if m.side(p, measure) == 0 {
		return p.values[measure]
	}
	limits := m.limits[measure]
	const distance = 0.45 * edgeSpace // a little nearer to the limit than to the edge
	outwards := distance * (limits.high - limits.low)
	return min(limits.high+outwards, max(limits.low-outwards, p.values[measure]))
}

// Plot implements plot.Plotter.
func (m *measurePanel) Plot(c draw.Canvas, p *plot.Plot) {
	const ( // in points
		radius        = 2.1 // of a marker
		arrowDistance = 3.2 // from a marker's center to the arrow
	)
	toX, toY := p.Transforms(&c)
	for _, tick := range p.X.Tick.Marker.Ticks(0, 0) { // any limits: setLimits gave the ticker its own
		c.StrokeLine2(drawing.GridLine, toX(tick.Value), c.Min.Y, toX(tick.Value), c.Max.Y)
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(0, 0) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, toY(tick.Value), c.Max.X, toY(tick.Value))
	}
	for _, point := range m.points {
		center := vg.Point{X: toX(m.shownValue(point, m.x)), Y: toY(m.shownValue(point, m.y))}
		colour := drawing.Splits[point.split].Colour
		point.marker.Draw(c, center, radius, colour, false)
		horizontal := vg.Point{X: vg.Length(m.side(point, m.x))}
		vertical := vg.Point{Y: vg.Length(m.side(point, m.y))}
		for _, direction := range []vg.Point{horizontal, vertical} {
			if direction != (vg.Point{}) { // the point is beyond a limit in this direction
				shape.Arrow(c, center.Add(direction.Scale(arrowDistance)), direction, colour)
			}
		}
	}
}
