package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/drawing"
	"sml/evaluation/measure"
)

// Overview draws one measure of all methods on all data sets: rows like those in
// training above, shifts below. A method has a marker, a split a colour. Data sets
// and methods stand in the order of first appearance; title says how a method is
// called, by its label if it is nil. Two columns at the right hold the mean and the
// median over the data sets that have a score; their markers are hollow where these
// are fewer than for another method.
//
// Limits keep the bulk of the scores readable. Scores beyond a limit, infinite
// ones too, are stacked outside it in the order of their values, under an
// arrow, and counted in a note; so are scores that are NaN, or missing where
// other methods have one. Splits that figures do not show, and panels without
// scores, are left out; where nothing finite is left there is no figure. It is an
// error if there are more methods than markers.
func Overview(scores []measure.Score, name string, title func(method string) string) (*drawing.Figure, error) {
	scores = Where(scores, func(s measure.Score) bool { return s.Measure == name && drawing.SplitIndex(s.Split) >= 0 })
	if !slices.ContainsFunc(scores, func(s measure.Score) bool { return finite(s.Mean) }) {
		return nil, nil
	}
	datasets, methods := Distinct(scores, datasetOf), Distinct(scores, methodOf)
	markers, err := drawing.Markers(methods)
	if err != nil {
		return nil, err
	}

	figure := &drawing.Figure{Width: drawing.Wide, Height: overviewFoot}
	var colours, shapes []drawing.Entry
	hollow := false
	for i, title := range []string{"i.i.d. data", "data under shift"} {
		o := newOverviewPanel(i == 1, scores, name, datasets, methods)
		if len(o.marks) == 0 {
			continue
		}
		o.markers = markers
		figure.Panels = append(figure.Panels, []drawing.Panel{{Title: title, Note: o.note(), Plot: o.plot(MeasureTitle(name))}})
		figure.Height += overviewPanelHeight
		for s, split := range drawing.Splits {
			if slices.ContainsFunc(o.marks, func(m mark) bool { return m.split == s }) {
				colours = append(colours, drawing.ColourEntry(split.Name, split.Colour))
			}
		}
		hollow = hollow || slices.ContainsFunc(o.marks, func(m mark) bool { return m.hollow })
	}
	nameColumns(figure.Panels[len(figure.Panels)-1][0].Plot, append(datasets, "mean", "median"))
	for i, method := range titles(methods, title) {
		shapes = append(shapes, drawing.MarkerEntry(method, markers[i]))
	}
	if hollow {
		shapes = append(shapes, drawing.PointEntry("hollow: over fewer data sets", func(c draw.Canvas, at vg.Point) {
			drawing.Ring.Draw(c, at, 3, drawing.Grey, true)
		}))
	}
	figure.Legend = [][]drawing.Entry{colours, shapes}
	return figure, nil
}

const (
	overviewFoot        = 0.85 * vg.Inch // names of the data sets, legend
	overviewPanelHeight = 2.35 * vg.Inch

	markerRadius = vg.Length(2.5)
	stackStep    = vg.Length(6) // between scores beyond a limit
	arrowHeight  = vg.Length(5)
)

// mark is a score in an overview.
type mark struct {
	column, method, split int
	value                 float64
	hollow                bool
}

// overviewPanel draws the marks of one panel.
type overviewPanel struct {
	datasets     int
	markers      []drawing.Marker
	marks        []mark
	missing      int
	low, high    float64
	below, above vg.Length // what scores beyond the limits take
}

func newOverviewPanel(shift bool, scores []measure.Score, name string, datasets, methods []string) *overviewPanel {
	o := &overviewPanel{datasets: len(datasets)}
	for s, split := range drawing.Splits {
		if split.Shift != shift {
			continue
		}
		g := newGrid(scores, split.Name, name)
		columns := make([][]float64, len(methods)) // of each method, the scores that there are
		for i, dataset := range datasets {
			there := false
			missing := 0
			for m, method := range methods {
				score, ok := g.at(dataset, method)
				there = there || ok
				if !ok || math.IsNaN(score.Mean) {
					missing++
					continue
				}
				o.marks = append(o.marks, mark{column: i, method: m, split: s, value: score.Mean})
				columns[m] = append(columns[m], score.Mean)
			}
			if there {
				o.missing += missing
			}
		}
		most := 0
		for _, column := range columns {
			most = max(most, len(column))
		}
		for m, column := range columns {
			for i, value := range []float64{mean(column), median(column)} {
				if !math.IsNaN(value) {
					o.marks = append(o.marks, mark{len(datasets) + i, m, s, value, len(column) < most})
				}
			}
		}
	}
	var values []float64
	for _, m := range o.marks {
		if m.column < o.datasets {
			values = append(values, m.value)
		}
	}
	o.low, o.high = drawing.Fences(values)
	above, below := 0, 0
	for _, stack := range o.stacks() {
		if o.beyond(stack[0]) > 0 {
			above = max(above, len(stack))
		} else {
			below = max(below, len(stack))
		}
	}
	if above > 0 {
		o.above = stackStep*vg.Length(above) + arrowHeight + 2
	}
	if below > 0 {
		o.below = stackStep*vg.Length(below) + arrowHeight + 2
	}
	return o
}

// beyond is 1 for a mark above the limits, -1 for one below, else 0.
func (o *overviewPanel) beyond(m mark) int {
	switch {
	case m.value > o.high:
		return 1
	case m.value < o.low:
		return -1
	}
	return 0
}

// stacks are the marks beyond the limits: those of one method in one column
// on one side together, from the limit outwards.
func (o *overviewPanel) stacks() [][]mark {
	outside := slices.DeleteFunc(slices.Clone(o.marks), func(m mark) bool { return o.beyond(m) == 0 })
	same := func(a, b mark) bool {
		return a.column == b.column && a.method == b.method && o.beyond(a) == o.beyond(b)
	}
	var stacks [][]mark
	for _, m := range outside {
		i := slices.IndexFunc(stacks, func(s []mark) bool { return same(s[0], m) })
		if i < 0 {
			stacks = append(stacks, []mark{m})
			continue
		}
		stacks[i] = append(stacks[i], m)
	}
	for _, stack := range stacks {
		slices.SortStableFunc(stack, func(a, b mark) int {
			if o.beyond(a) > 0 {
				return cmp.Compare(a.value, b.value)
			}
			return cmp.Compare(b.value, a.value)
		})
	}
	return stacks
}

// note says what the panel does not show at its place.
func (o *overviewPanel) note() string {
	above, below := 0, 0
	for _, m := range o.marks {
		switch o.beyond(m) {
		case 1:
			above++
		case -1:
			below++
		}
	}
	return drawing.Joined(counted("↑ ", above, "above the axis"), counted("↓ ", below, "below the axis"), counted("", o.missing, "missing"))
}

// counted is "sign 3 values where", or nothing for none.
func counted(sign string, n int, where string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return sign + "1 value " + where
	}
	return fmt.Sprintf("%s%d values %s", sign, n, where)
}

func (o *overviewPanel) plot(measure string) *plot.Plot {
	p := drawing.NewPlot("", measure)
	p.X.Min, p.X.Max = 0, float64(o.datasets)+2+summaryGap
	p.X.Padding, p.X.Tick.Length = 0, 0
	p.X.Tick.Marker = plot.ConstantTicks{}

	// The stacks lie outside the limits, on an axis that is as much longer.
	const tall = 0.78 * overviewPanelHeight // of the data area, about
	scale := (o.high - o.low) * 1.04 / float64(tall-o.above-o.below)
	p.Y.Min = o.low - 0.02*(o.high-o.low) - scale*float64(o.below)
	p.Y.Max = o.high + 0.02*(o.high-o.low) + scale*float64(o.above)
	p.Y.Tick.Marker = drawing.Within(o.low, o.high, drawing.RoundTicks(4))
	p.Add(o)
	return p
}

// summaryGap is between the data sets and the summary, in columns.
const summaryGap = 0.12

// center is the middle of a column on the x axis.
func (o *overviewPanel) center(column int) float64 {
	if column >= o.datasets {
		return float64(column) + 0.5 + summaryGap
	}
	return float64(column) + 0.5
}

// nameColumns writes the names below the plot, slanting if they are too wide.
func nameColumns(p *plot.Plot, names []string) {
	var ticks plot.ConstantTicks
	o := overviewPanel{datasets: len(names) - 2}
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: o.center(i), Label: name})
		widest = max(widest, style.Width(name))
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if widest > 0.9*drawing.Wide*0.92/vg.Length(len(names)) {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign = draw.XRight
	}
}

var limitLine = draw.LineStyle{Color: drawing.Grey, Width: 0.5, Dashes: []vg.Length{2, 2}}

// Plot implements plot.Plotter.
func (o *overviewPanel) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.FillPolygon(drawing.Pale, drawing.Rectangle(x(o.center(o.datasets)-0.5), c.Min.Y, c.Max.X, c.Max.Y))
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	for column := 1; column < o.datasets; column++ {
		c.StrokeLine2(drawing.GridLine, x(float64(column)), c.Min.Y, x(float64(column)), c.Max.Y)
	}
	border := 0.02 * (o.high - o.low)
	top, bottom := y(o.high+border), y(o.low-border)
	if o.above > 0 {
		c.StrokeLine2(limitLine, c.Min.X, top, c.Max.X, top)
	}
	if o.below > 0 {
		c.StrokeLine2(limitLine, c.Min.X, bottom, c.Max.X, bottom)
	}

	step := min(6, 0.86*(x(1)-x(0))/vg.Length(len(o.markers)))
	place := func(m mark) vg.Length {
		return x(o.center(m.column)) + step*(vg.Length(m.method)-vg.Length(len(o.markers)-1)/2)
	}
	for _, m := range o.marks {
		if o.beyond(m) == 0 {
			o.markers[m.method].Draw(c, vg.Point{X: place(m), Y: y(m.value)}, markerRadius, drawing.Splits[m.split].Colour, m.hollow)
		}
	}
	for _, stack := range o.stacks() {
		edge, outwards := top, stackStep
		if o.beyond(stack[0]) < 0 {
			edge, outwards = bottom, -stackStep
		}
		at := vg.Point{X: place(stack[0]), Y: edge + outwards*0.7}
		for _, m := range stack {
			o.markers[m.method].Draw(c, at, markerRadius, drawing.Splits[m.split].Colour, m.hollow)
			at.Y += outwards
		}
		at.Y -= outwards * 0.3
		drawing.Arrow(c, at, vg.Point{Y: outwards / stackStep}, drawing.Splits[stack[len(stack)-1].split].Colour)
	}
}
