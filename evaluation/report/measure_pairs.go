package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
)

// MeasurePairs draws figure 14 of the paper: the measures ECE, WS and KS
// against one another. A point is a method on a split of a data set; the
// method has a marker, the split a colour, data sets are not told apart. Other
// measures among the scores are not looked at. Title says how a method is
// called, by its label if it is nil.
//
// Limits keep the bulk readable. Points beyond a limit, infinite ones too, are
// drawn at the edge with an arrow and counted in a note, as are those of which
// one measure is missing or NaN. It is an error if a split is unknown, if
// a score is given twice, if nothing can be drawn, or if there are more methods than markers.
func MeasurePairs(scores []measure.Score, title func(method string) string) (*Figure, error) {
	names := []string{"ece", "ws", "ks"}
	var points []measured
	var methods []string
	places, given := make(map[[3]string]int), make(map[[4]string]bool)
	for _, s := range scores {
		of := slices.Index(names, s.Measure)
		if of < 0 {
			continue
		}
		split, err := splitNamed(s.Split)
		if err != nil {
			return nil, err
		}
		methods = appendNew(methods, s.Method)
		key := [3]string{s.Dataset, s.Method, s.Split}
		i, ok := places[key]
		if !ok {
			i = len(points)
			places[key] = i
			nan := math.NaN()
			points = append(points, measured{slices.Index(methods, s.Method), split, [3]float64{nan, nan, nan}})
		}
		if given[[4]string{s.Dataset, s.Method, s.Split, s.Measure}] {
			return nil, fmt.Errorf("report: %s of data set %q, method %q and split %q is given twice", s.Measure, s.Dataset, s.Method, s.Split)
		}
		given[[4]string{s.Dataset, s.Method, s.Split, s.Measure}] = true
		points[i].values[of] = s.Mean
	}
	markers, err := markersOf(methods)
	if err != nil {
		return nil, err
	}
	var ranges [3][2]float64
	for i := range names {
		var values []float64
		for _, point := range points {
			values = append(values, point.values[i])
		}
		ranges[i][0], ranges[i][1] = fences(values)
	}

	var row []panel
	drawn := 0
	for _, axes := range [][2]int{{1, 0}, {1, 2}, {0, 2}} { // WS and ECE, WS and KS, ECE and KS
		m := &measurePanel{points: points, markers: markers, x: axes[0], y: axes[1], ranges: ranges}
		drawn += len(points) - m.missing()
		row = append(row, panel{note: m.note(), Plot: m.plot(measureTitle(names[m.x]), measureTitle(names[m.y]))})
	}
	if drawn == 0 {
		return nil, fmt.Errorf("report: figure of measure pairs has no method with two of the scores ece, ws and ks on a split; want at least one")
	}
	var colours, shapes []legendEntry
	for s, split := range splits {
		if slices.ContainsFunc(points, func(p measured) bool { return p.split == s }) {
			colours = append(colours, colourEntry(split.name, split.colour))
		}
	}
	for i, name := range titles(methods, title) {
		shapes = append(shapes, markerEntry(name, markers[i]))
	}
	return &Figure{
		width: overviewWidth, height: 3.05 * vg.Inch,
		panels: [][]panel{row},
		legend: [][]legendEntry{colours, shapes},
	}, nil
}

// measured is a method on a split of a data set.
type measured struct {
	method, split int
	values        [3]float64 // ECE, WS, KS; NaN where there is none
}

// measurePanel draws one measure over another.
type measurePanel struct {
	points  []measured
	markers []marker
	x, y    int // indices of the measures
	ranges  [3][2]float64
}

// has tells whether the point has both measures.
func (m *measurePanel) has(p measured) bool {
	return !math.IsNaN(p.values[m.x]) && !math.IsNaN(p.values[m.y])
}

func (m *measurePanel) missing() int {
	n := 0
	for _, p := range m.points {
		if !m.has(p) {
			n++
		}
	}
	return n
}

// side is 1 for a measure above its limits, -1 for one below, else 0.
func (m *measurePanel) side(p measured, measure int) int {
	switch limits := m.ranges[measure]; {
	case p.values[measure] > limits[1]:
		return 1
	case p.values[measure] < limits[0]:
		return -1
	}
	return 0
}

func (m *measurePanel) note() string {
	beyond := 0
	for _, p := range m.points {
		if m.has(p) && (m.side(p, m.x) != 0 || m.side(p, m.y) != 0) {
			beyond++
		}
	}
	return joined(pointsNote(beyond, "beyond the axes"), pointsNote(m.missing(), "missing"))
}

func (m *measurePanel) plot(x, y string) *plot.Plot {
	p := newPlot(x, y)
	p.X.Padding, p.Y.Padding = 0, 0
	m.setRange(&p.X, m.x)
	m.setRange(&p.Y, m.y)
	p.Add(m)
	return p
}

// edgeRoom is for points beyond the limits, at the ends of an axis.
const edgeRoom = 0.11

// setRange leaves room at the ends of the axis, more where points lie beyond.
func (m *measurePanel) setRange(axis *plot.Axis, measure int) {
	low, high := m.ranges[measure][0], m.ranges[measure][1]
	below, above := 0.03, 0.03
	for _, p := range m.points {
		switch {
		case !m.has(p):
		case m.side(p, measure) > 0:
			above = edgeRoom
		case m.side(p, measure) < 0:
			below = edgeRoom
		}
	}
	axis.Min, axis.Max = low-below*(high-low), high+above*(high-low)
	axis.Tick.Marker = ticksWithin{roundTicks(4), low, high}
}

// Plot implements plot.Plotter.
func (m *measurePanel) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, tick := range p.X.Tick.Marker.Ticks(0, 0) {
		c.StrokeLine2(gridLine, x(tick.Value), c.Min.Y, x(tick.Value), c.Max.Y)
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(0, 0) {
		c.StrokeLine2(gridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	place := func(value float64, measure int) float64 {
		low, high := m.ranges[measure][0], m.ranges[measure][1]
		out := 0.45 * edgeRoom * (high - low)
		return min(high+out, max(low-out, value))
	}
	for _, point := range m.points {
		if !m.has(point) {
			continue
		}
		sideX, sideY := m.side(point, m.x), m.side(point, m.y)
		valueX, valueY := point.values[m.x], point.values[m.y]
		if sideX != 0 {
			valueX = place(valueX, m.x)
		}
		if sideY != 0 {
			valueY = place(valueY, m.y)
		}
		at, colour := vg.Point{X: x(valueX), Y: y(valueY)}, splits[point.split].colour
		m.markers[point.method].draw(c, at, 2.1, colour, false)
		if sideX != 0 {
			direction := vg.Point{X: vg.Length(sideX)}
			arrow(c, at.Add(direction.Scale(3.2)), direction, colour)
		}
		if sideY != 0 {
			direction := vg.Point{Y: vg.Length(sideY)}
			arrow(c, at.Add(direction.Scale(3.2)), direction, colour)
		}
	}
}
