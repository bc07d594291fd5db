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

// Overview draws one measure of all methods on all data sets: a panel for rows like the training rows
// and, below it, a panel for rows under shift. Each method has a marker and each split a colour. Data
// sets and methods stand in the order of first appearance. title returns the title of a method's
// label; if title is nil, the label is the title. Two columns at the right have the mean and the median
// over the data sets with a score; markers are hollow if another method has scores on more data sets.
//
// The limits keep most scores readable. Scores beyond a limit, infinite ones, too, are stacked outside
// it in the order of their values, under an arrow, and counted in a note. The note also counts scores
// that are NaN, or missing although other methods have one. Splits that drawing.Splits does not have,
// and panels without scores, are left out. Overview returns nil if no score is finite, and an error if
// there are more methods than markers.
func Overview(scores []measure.Score, name string, title func(method string) string) (*drawing.Figure, error) {
	scores = compare.Filter(scores, func(s measure.Score) bool { return s.Measure == name && drawing.SplitIndex(s.Split) >= 0 })
	if !slices.ContainsFunc(scores, func(s measure.Score) bool { return statistics.IsFinite(s.Mean) }) {
		return nil, nil
	}
	datasets := compare.DistinctNames(scores, datasetOf)
	methods := compare.DistinctNames(scores, methodOf)
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, err
	}
	figure := &drawing.Figure{Width: drawing.WideWidth, Height: overviewFoot}
	figure.Narrow = &drawing.Figure{Width: drawing.NarrowWidth, Height: overviewFoot}
	columns := append(datasets[:len(datasets):len(datasets)], "mean", "median")
	var panels []*overviewPanel
	for _, shift := range []bool{false, true} {
		o := newOverviewPanel(shift, scores, name, datasets, methods)
		if len(o.marks) == 0 {
			continue
		}
		o.markers = markers
		panels = append(panels, o)
		o.addTo(figure, measure.Title(name), columns)
	}
	legend := overviewLegend(panels, titles(methods, title), markers)
	for _, f := range []*drawing.Figure{figure, figure.Narrow} {
		f.Legend = legend
		f.Height += drawing.LegendHeight(f.Legend, f.Width)
	}
	return figure, nil
}

// addTo adds the panel to a figure, and to its narrow form in parts with fewer columns each.
func (o *overviewPanel) addTo(f *drawing.Figure, label string, columns []string) {
	addView(f, overviewView{o, 0, len(columns)}, label, columns)
	parts := (len(columns) + narrowColumns - 1) / narrowColumns
	for part := range parts {
		first := part * len(columns) / parts
		end := (part + 1) * len(columns) / parts
		addView(f.Narrow, overviewView{o, first, end}, label, columns)
	}
}

// addView adds some columns of a panel to a figure, as a row of its own. columns has the names of all
// columns.
func addView(f *drawing.Figure, v overviewView, label string, columns []string) {
	p := v.newPlot(label)
	nameColumns(p, v, columns, f.Width)
	f.Panels = append(f.Panels, []drawing.Panel{{Title: v.title, Note: v.note(), Plot: p}})
	f.Height += overviewPanelHeight
}

// overviewLegend returns a line of the splits that the panels have, and a line of the methods.
func overviewLegend(panels []*overviewPanel, titles []string, markers []shape.Marker) [][]drawing.Entry {
	var splits []drawing.Entry
	hasHollow := false
	for _, o := range panels {
		for i, split := range drawing.Splits {
			if slices.ContainsFunc(o.marks, func(m mark) bool { return m.split == i }) {
				splits = append(splits, drawing.ColourEntry(split.Name, split.Colour))
			}
		}
		hasHollow = hasHollow || slices.ContainsFunc(o.marks, func(m mark) bool { return m.hollow })
	}
	var methods []drawing.Entry
	for i, title := range titles {
		methods = append(methods, shape.MarkerEntry(title, markers[i]))
	}
	if hasHollow {
		methods = append(methods, drawing.PointEntry("hollow: over fewer data sets", func(c draw.Canvas, center vg.Point) {
			shape.Ring.Draw(c, center, 3, drawing.Grey, true)
		}))
	}
	return [][]drawing.Entry{splits, methods}
}

const (
	overviewFoot        = 0.15 * vg.Inch
	overviewPanelHeight = 2.65 * vg.Inch // with the names of its columns
	narrowColumns       = 5              // largest number of columns on a phone

	markerRadius = vg.Length(2.5)
	stackStep    = vg.Length(6) // between two scores beyond a limit
	arrowHeight  = vg.Length(5)
)

// mark is a score in an overview.
type mark struct {
	column int // index of the data set; then come the columns of the mean and the median
	method int
	split  int // index in drawing.Splits
	value  float64
	hollow bool
}

// overviewPanel has the marks of one panel.
type overviewPanel struct {
	title     string
	datasets  int            // number of columns before the mean
	markers   []shape.Marker // by method
	marks     []mark
	missing   int     // number of scores that are NaN, or missing although other methods have one
	low, high float64 // limits, beyond which marks are stacked

	belowHeight, aboveHeight vg.Length // heights of the stacks beyond the limits
}

// newOverviewPanel returns the panel of the splits under shift, or of the others.
func newOverviewPanel(shift bool, scores []measure.Score, name string, datasets, methods []string) *overviewPanel {
	o := &overviewPanel{title: "i.i.d. data", datasets: len(datasets)}
	if shift {
		o.title = "data under shift"
	}
	for i, split := range drawing.Splits {
		if split.Shift == shift {
			o.addSplit(i, newGrid(scores, split.Name, name), datasets, methods)
		}
	}
	o.setLimits()
	return o
}

// addSplit adds the marks of one split, which is an index in drawing.Splits.
func (o *overviewPanel) addSplit(split int, g grid, datasets, methods []string) {
	values := make([][]float64, len(methods)) // values of each method that are not NaN
	for column, dataset := range datasets {
		missing := 0
		for m, method := range methods {
			score, ok := g.score(dataset, method)
			if !ok || math.IsNaN(score.Mean) {
				missing++
				continue
			}
			o.marks = append(o.marks, mark{column: column, method: m, split: split, value: score.Mean})
			values[m] = append(values[m], score.Mean)
		}
		if slices.Contains(g.datasets, dataset) { // otherwise the split was not run on the data set
			o.missing += missing
		}
	}
	largest := 0 // number of values
	for _, own := range values {
		largest = max(largest, len(own))
	}
	for m, own := range values {
		for i, value := range []float64{statistics.Mean(own), statistics.Median(own)} {
			if math.IsNaN(value) {
				continue
			}
			o.marks = append(o.marks, mark{
				column: len(datasets) + i,
				method: m,
				split:  split,
				value:  value,
				hollow: len(own) < largest,
			})
		}
	}
}

// setLimits sets the limits for the scores of single data sets, and the heights of the stacks beyond
// them.
func (o *overviewPanel) setLimits() {
	var values []float64
	for _, m := range o.marks {
		if m.column < o.datasets {
			values = append(values, m.value)
		}
	}
	o.low, o.high = axes.Fences(values)
	for _, stack := range o.stacks() {
		height := stackStep*vg.Length(len(stack)) + arrowHeight + 2
		if o.side(stack[0]) > 0 {
			o.aboveHeight = max(o.aboveHeight, height)
		} else {
			o.belowHeight = max(o.belowHeight, height)
		}
	}
}

// side returns 1 for a mark above the limits, -1 for a mark below, and otherwise 0.
func (o *overviewPanel) side(m mark) int {
	switch {
	case m.value > o.high:
		return 1
	case m.value < o.low:
		return -1
	}
	return 0
}

// stacks returns the marks beyond the limits. A stack has the marks of one method in one column on one
// side, from the limit outwards.
func (o *overviewPanel) stacks() [][]mark {
	isSameStack := func(a, b mark) bool {
		return a.column == b.column && a.method == b.method && o.side(a) == o.side(b)
	}
	var stacks [][]mark
	for _, m := range o.marks {
		if o.side(m) == 0 {
			continue
		}
		i := slices.IndexFunc(stacks, func(stack []mark) bool { return isSameStack(stack[0], m) })
		if i < 0 {
			stacks = append(stacks, []mark{m})
			continue
		}
		stacks[i] = append(stacks[i], m)
	}
	for _, stack := range stacks {
		slices.SortStableFunc(stack, func(a, b mark) int {
			if o.side(a) > 0 {
				return cmp.Compare(a.value, b.value)
			}
			return cmp.Compare(b.value, a.value)
		})
	}
	return stacks
}

// overviewView is a plotter of some columns of a panel, from first up to and without end.
type overviewView struct {
	*overviewPanel
	first, end int
}

func (v overviewView) shows(m mark) bool { return m.column >= v.first && m.column < v.end }

// note counts the scores that the view does not show at their place.
func (v overviewView) note() string {
	above := 0
	below := 0
	for _, m := range v.marks {
		switch {
		case !v.shows(m):
		case v.side(m) > 0:
			above++
		case v.side(m) < 0:
			below++
		}
	}
	missing := 0
	if v.first == 0 { // counted for all views of the panel
		missing = v.missing
	}
	return drawing.JoinNotes(countValues("↑ ", above, "above the axis"), countValues("↓ ", below, "below the axis"), countValues("", missing, "missing"))
}

// countValues returns text such as "↑ 3 values above the axis", "" if n is 0.
func countValues(sign string, n int, where string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return sign + "1 value " + where
	}
	return fmt.Sprintf("%s%d values %s", sign, n, where)
}

// newPlot returns a plot of the view without names of columns. The stacks lie outside the limits: the
// axis is longer by their height.
func (v overviewView) newPlot(label string) *plot.Plot {
	p := drawing.NewPlot("", label)
	p.X.Min = 0
	p.X.Max = v.center(v.end-1) + 0.5
	p.X.Padding = 0
	p.X.Tick.Length = 0
	p.X.Tick.Marker = plot.ConstantTicks{}

	const dataHeight = 0.69 * overviewPanelHeight // of the data area, about
	limits := v.high - v.low
	perPoint := limits * 1.04 / float64(dataHeight-v.aboveHeight-v.belowHeight) // units of the measure
	p.Y.Min = v.low - 0.02*limits - perPoint*float64(v.belowHeight)
	p.Y.Max = v.high + 0.02*limits + perPoint*float64(v.aboveHeight)
	p.Y.Tick.Marker = axes.Within(v.low, v.high, axes.RoundTicks(4))
	p.Add(v)
	return p
}

// summaryGap is the space between the data sets and the mean, in columns.
const summaryGap = 0.12

// center returns the middle of a column on the x axis.
func (v overviewView) center(column int) float64 {
	x := float64(column-v.first) + 0.5
	if column >= v.datasets && v.first < v.datasets {
		x += summaryGap
	}
	return x
}

// nameColumns writes the names of the columns below the plot of a figure of the given width. Names
// that are too wide slant.
func nameColumns(p *plot.Plot, v overviewView, names []string, width vg.Length) {
	const axisWidth = 0.6 * vg.Inch // what the y axis takes of the figure's width, about
	var ticks plot.ConstantTicks
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for i := v.first; i < v.end; i++ {
		ticks = append(ticks, plot.Tick{Value: v.center(i), Label: names[i]})
		widest = max(widest, style.Width(names[i]))
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if widest > 0.9*(width-axisWidth)/vg.Length(len(ticks)) {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign = draw.XRight
	}
}

var limitLine = draw.LineStyle{Color: drawing.Grey, Width: 0.5, Dashes: []vg.Length{2, 2}}

// Plot implements plot.Plotter.
func (v overviewView) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	v.drawBackground(c, p)
	border := 0.02 * (v.high - v.low)
	top := toY(v.high + border)
	bottom := toY(v.low - border)
	if v.aboveHeight > 0 {
		c.StrokeLine2(limitLine, c.Min.X, top, c.Max.X, top)
	}
	if v.belowHeight > 0 {
		c.StrokeLine2(limitLine, c.Min.X, bottom, c.Max.X, bottom)
	}
	methods := vg.Length(len(v.markers))
	step := min(6, 0.86*(toX(1)-toX(0))/methods) // between the methods of a column
	markX := func(m mark) vg.Length {
		return toX(v.center(m.column)) + step*(vg.Length(m.method)-vg.Length(len(v.markers)-1)/2)
	}
	for _, m := range v.marks {
		if v.side(m) == 0 && v.shows(m) {
			v.drawMark(c, m, vg.Point{X: markX(m), Y: toY(m.value)})
		}
	}
	for _, stack := range v.stacks() {
		switch {
		case !v.shows(stack[0]):
		case v.side(stack[0]) > 0:
			v.drawStack(c, stack, vg.Point{X: markX(stack[0]), Y: top}, stackStep)
		default:
			v.drawStack(c, stack, vg.Point{X: markX(stack[0]), Y: bottom}, -stackStep)
		}
	}
}

// drawBackground draws the shade behind the mean and the median, and the grid lines.
func (v overviewView) drawBackground(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	if v.end > v.datasets {
		left := toX(v.center(max(v.first, v.datasets)) - 0.5)
		c.FillPolygon(drawing.PaleGrey, shape.Rectangle(left, c.Min.Y, c.Max.X, c.Max.Y))
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		c.StrokeLine2(drawing.GridLine, c.Min.X, toY(tick.Value), c.Max.X, toY(tick.Value))
	}
	for column := v.first + 1; column < min(v.end, v.datasets); column++ {
		edge := toX(v.center(column) - 0.5)
		c.StrokeLine2(drawing.GridLine, edge, c.Min.Y, edge, c.Max.Y)
	}
}

func (v overviewView) drawMark(c draw.Canvas, m mark, center vg.Point) {
	v.markers[m.method].Draw(c, center, markerRadius, drawing.Splits[m.split].Colour, m.hollow)
}

// drawStack draws a stack outwards from the point at its limit, and an arrow at its end. step is the
// distance of two marks, below 0 for a stack that grows downwards.
func (v overviewView) drawStack(c draw.Canvas, stack []mark, limit vg.Point, step vg.Length) {
	center := vg.Point{X: limit.X, Y: limit.Y + step*0.7}
	for _, m := range stack {
		v.drawMark(c, m, center)
		center.Y += step
	}
	center.Y -= step * 0.3
	last := stack[len(stack)-1]
	shape.Arrow(c, center, vg.Point{Y: step / stackStep}, drawing.Splits[last.split].Colour)
}
