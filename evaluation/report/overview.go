package report

import (
	"cmp"
	"fmt"
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
	"sml/internal/statistics"
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
	scores = compare.Filter(scores, func(s measure.Score) bool { return s.Measure == name && drawing.SplitIndex(s.Split) >= 0 })
	if !slices.ContainsFunc(scores, func(s measure.Score) bool { return statistics.Finite(s.Mean) }) {
		return nil, nil
	}
	datasets, methods := compare.DistinctNames(scores, datasetOf), compare.DistinctNames(scores, methodOf)
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, err
	}

	figure := &drawing.Figure{Width: drawing.WideWidth, Height: overviewFoot}
	narrow := &drawing.Figure{Width: drawing.NarrowWidth, Height: overviewFoot}
	names := append(datasets[:len(datasets):len(datasets)], "mean", "median")
	var colours, shapes []drawing.Entry
	hollow := false
	for i, title := range []string{"i.i.d. data", "data under shift"} {
		o := newOverviewPanel(i == 1, scores, name, datasets, methods)
		if len(o.marks) == 0 {
			continue
		}
		o.markers = markers
		add := func(f *drawing.Figure, v overviewView) {
			p := v.plot(measure.Title(name))
			nameColumns(p, v, names, f.Width)
			f.Panels = append(f.Panels, []drawing.Panel{{Title: title, Note: v.note(), Plot: p}})
			f.Height += overviewPanelHeight
		}
		add(figure, overviewView{o, 0, len(names)})
		parts := (len(names) + narrowColumns - 1) / narrowColumns
		for part := range parts {
			add(narrow, overviewView{o, part * len(names) / parts, (part + 1) * len(names) / parts})
		}
		for s, split := range drawing.Splits {
			if slices.ContainsFunc(o.marks, func(m mark) bool { return m.split == s }) {
				colours = append(colours, drawing.ColourEntry(split.Name, split.Colour))
			}
		}
		hollow = hollow || slices.ContainsFunc(o.marks, func(m mark) bool { return m.hollow })
	}
	for i, method := range titles(methods, title) {
		shapes = append(shapes, shape.MarkerEntry(method, markers[i]))
	}
	if hollow {
		shapes = append(shapes, drawing.PointEntry("hollow: over fewer data sets", func(c draw.Canvas, at vg.Point) {
			shape.Ring.Draw(c, at, 3, drawing.Grey, true)
		}))
	}
	figure.Legend, narrow.Legend = [][]drawing.Entry{colours, shapes}, [][]drawing.Entry{colours, shapes}
	figure.Height += drawing.LegendHeight(figure.Legend, figure.Width)
	narrow.Height += drawing.LegendHeight(narrow.Legend, narrow.Width)
	figure.Narrow = narrow
	return figure, nil
}

const (
	overviewFoot        = 0.15 * vg.Inch
	overviewPanelHeight = 2.65 * vg.Inch // with the names of its columns
	narrowColumns       = 5              // on a phone

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
	markers      []shape.Marker
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
			for i, value := range []float64{statistics.Mean(column), statistics.Median(column)} {
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
	o.low, o.high = axes.Fences(values)
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

// overviewView is the columns of a panel from one on and before another.
type overviewView struct {
	*overviewPanel
	from, to int
}

func (v overviewView) shows(m mark) bool { return m.column >= v.from && m.column < v.to }

// note says what the panel does not show at its place.
func (v overviewView) note() string {
	above, below, missing := 0, 0, 0
	for _, m := range v.marks {
		switch {
		case !v.shows(m):
		case v.beyond(m) > 0:
			above++
		case v.beyond(m) < 0:
			below++
		}
	}
	if v.from == 0 { // said once
		missing = v.missing
	}
	return drawing.JoinNotes(counted("↑ ", above, "above the axis"), counted("↓ ", below, "below the axis"), counted("", missing, "missing"))
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

func (o overviewView) plot(measure string) *plot.Plot {
	p := drawing.NewPlot("", measure)
	p.X.Min, p.X.Max = 0, o.center(o.to-1)+0.5
	p.X.Padding, p.X.Tick.Length = 0, 0
	p.X.Tick.Marker = plot.ConstantTicks{}

	// The stacks lie outside the limits, on an axis that is as much longer.
	const tall = 0.69 * overviewPanelHeight // of the data area, about
	scale := (o.high - o.low) * 1.04 / float64(tall-o.above-o.below)
	p.Y.Min = o.low - 0.02*(o.high-o.low) - scale*float64(o.below)
	p.Y.Max = o.high + 0.02*(o.high-o.low) + scale*float64(o.above)
	p.Y.Tick.Marker = axes.Within(o.low, o.high, axes.RoundTicks(4))
	p.Add(o)
	return p
}

// summaryGap is between the data sets and the summary, in columns.
const summaryGap = 0.12

// center is the middle of a column on the x axis.
func (o overviewView) center(column int) float64 {
	at := float64(column-o.from) + 0.5
	if column >= o.datasets && o.from < o.datasets {
		at += summaryGap
	}
	return at
}

// nameColumns writes the names below the plot of a figure so wide, slanting if they
// are too wide.
func nameColumns(p *plot.Plot, o overviewView, names []string, width vg.Length) {
	var ticks plot.ConstantTicks
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for i := o.from; i < o.to; i++ {
		ticks = append(ticks, plot.Tick{Value: o.center(i), Label: names[i]})
		widest = max(widest, style.Width(names[i]))
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if widest > 0.9*(width-overviewLeft)/vg.Length(len(ticks)) {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign = draw.XRight
	}
}

// overviewLeft is what stands at the left of the columns, about.
const overviewLeft = 0.6 * vg.Inch

var limitLine = draw.LineStyle{Color: drawing.Grey, Width: 0.5, Dashes: []vg.Length{2, 2}}

// Plot implements plot.Plotter.
func (o overviewView) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	if o.to > o.datasets {
		c.FillPolygon(drawing.PaleGrey, shape.Rectangle(x(o.center(max(o.from, o.datasets))-0.5), c.Min.Y, c.Max.X, c.Max.Y))
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	for column := o.from + 1; column < min(o.to, o.datasets); column++ {
		edge := x(o.center(column) - 0.5)
		c.StrokeLine2(drawing.GridLine, edge, c.Min.Y, edge, c.Max.Y)
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
		if o.beyond(m) == 0 && o.shows(m) {
			o.markers[m.method].Draw(c, vg.Point{X: place(m), Y: y(m.value)}, markerRadius, drawing.Splits[m.split].Colour, m.hollow)
		}
	}
	for _, stack := range o.stacks() {
		if !o.shows(stack[0]) {
			continue
		}
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
		shape.Arrow(c, at, vg.Point{Y: outwards / stackStep}, drawing.Splits[stack[len(stack)-1].split].Colour)
	}
}
