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

// pairedMeasures are those of figure 14, and pairedAxes its panels: x and y.
var (
	pairedMeasures = []string{"ece", "ws", "ks"}
	pairedAxes     = [][2]int{{1, 0}, {1, 2}, {0, 2}}
)

// measurePairs is figure 14: the measures ECE, WS and KS against one another. A
// point is a method on a split of a data set; the method has a marker, the split a
// colour, data sets are not told apart.
//
// Limits keep the bulk readable. Points beyond a limit, infinite ones too, are
// drawn at the edge with an arrow and counted in a note, as are those of which
// one measure is missing or NaN.
func measurePairs(_ context.Context, p *part) (*drawing.Figure, string, error) {
	scores := compare.Filter(p.main, func(s measure.Score) bool {
		return slices.Contains(pairedMeasures, s.Measure) && drawing.SplitIndex(s.Split) >= 0
	})
	methods := compare.DistinctNames(scores, func(s measure.Score) string { return s.Method })
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, "", err
	}
	var points []*measured
	places := make(map[[3]string]*measured)
	for _, s := range scores {
		key := [3]string{s.Dataset, s.Method, s.Split}
		point := places[key]
		if point == nil {
			nan := math.NaN()
			point = &measured{markers[slices.Index(methods, s.Method)], drawing.SplitIndex(s.Split), [3]float64{nan, nan, nan}}
			points, places[key] = append(points, point), point
		}
		point.values[slices.Index(pairedMeasures, s.Measure)] = s.Mean
	}
	var ranges [3][2]float64
	for i := range ranges {
		var values []float64
		for _, point := range points {
			values = append(values, point.values[i])
		}
		ranges[i][0], ranges[i][1] = axes.Fences(values)
	}

	var row []drawing.Panel
	drawn := 0
	for _, pair := range pairedAxes {
		m := &measurePanel{x: pair[0], y: pair[1], ranges: ranges}
		for _, point := range points {
			if !math.IsNaN(point.values[m.x]) && !math.IsNaN(point.values[m.y]) {
				m.points = append(m.points, point)
			}
		}
		drawn += len(m.points)
		row = append(row, m.panel(len(points)-len(m.points)))
	}
	if drawn == 0 {
		return nil, "", nil
	}
	var colours, shapes []drawing.Entry
	for i, split := range drawing.Splits {
		if slices.ContainsFunc(points, func(p *measured) bool { return p.split == i }) {
			colours = append(colours, drawing.ColourEntry(split.Name, split.Colour))
		}
	}
	for i, method := range methods {
		shapes = append(shapes, shape.MarkerEntry(methodTitle(method), markers[i]))
	}
	return &drawing.Figure{
		Width: drawing.WideWidth, Height: 3.05 * vg.Inch,
		Panels: [][]drawing.Panel{row},
		Legend: [][]drawing.Entry{colours, shapes},
	}, "ECE, Wasserstein and Kolmogorov–Smirnov distance against one another.", nil
}

// measured is a method on a split of a data set.
type measured struct {
	marker shape.Marker
	split  int
	values [3]float64 // of pairedMeasures; NaN where there is none
}

// measurePanel draws one measure over another.
type measurePanel struct {
	points []*measured // that have both
	x, y   int         // indices of the measures
	ranges [3][2]float64
}

// side is 1 for a measure above its limits, -1 for one below, else 0.
func (m *measurePanel) side(p *measured, measure int) int {
	switch limits := m.ranges[measure]; {
	case p.values[measure] > limits[1]:
		return 1
	case p.values[measure] < limits[0]:
		return -1
	}
	return 0
}

func (m *measurePanel) panel(missing int) drawing.Panel {
	p := drawing.NewPlot(measure.Title(pairedMeasures[m.x]), measure.Title(pairedMeasures[m.y]))
	p.X.Padding, p.Y.Padding = 0, 0
	m.setRange(&p.X, m.x)
	m.setRange(&p.Y, m.y)
	p.Add(m)
	beyond := 0
	for _, p := range m.points {
		if m.side(p, m.x) != 0 || m.side(p, m.y) != 0 {
			beyond++
		}
	}
	return drawing.Panel{Note: drawing.JoinNotes(drawing.CountNote(beyond, "beyond the axes"), drawing.CountNote(missing, "missing")), Plot: p}
}

// edgeRoom is for points beyond the limits, at the ends of an axis.
const edgeRoom = 0.11

// setRange leaves room at the ends of the axis, more where points lie beyond.
func (m *measurePanel) setRange(axis *plot.Axis, measure int) {
	low, high := m.ranges[measure][0], m.ranges[measure][1]
	room := map[int]float64{-1: 0.03, 1: 0.03}
	for _, p := range m.points {
		room[m.side(p, measure)] = edgeRoom
	}
	axis.Min, axis.Max = low-room[-1]*(high-low), high+room[1]*(high-low)
	axis.Tick.Marker = axes.Within(low, high, axes.RoundTicks(4))
}

// Plot implements plot.Plotter.
func (m *measurePanel) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.X.Tick.Marker.Ticks(0, 0) {
		c.StrokeLine2(drawing.GridLine, x(tick.Value), c.Min.Y, x(tick.Value), c.Max.Y)
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(0, 0) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	place := func(p *measured, measure int) float64 { // points beyond stand in the room at the edge
		low, high := m.ranges[measure][0], m.ranges[measure][1]
		if m.side(p, measure) == 0 {
			return p.values[measure]
		}
		out := 0.45 * edgeRoom * (high - low)
		return min(high+out, max(low-out, p.values[measure]))
	}
	for _, point := range m.points {
		at, colour := vg.Point{X: x(place(point, m.x)), Y: y(place(point, m.y))}, drawing.Splits[point.split].Colour
		point.marker.Draw(c, at, 2.1, colour, false)
		for _, direction := range []vg.Point{{X: vg.Length(m.side(point, m.x))}, {Y: vg.Length(m.side(point, m.y))}} {
			if direction != (vg.Point{}) {
				shape.Arrow(c, at.Add(direction.Scale(3.2)), direction, colour)
			}
		}
	}
}
