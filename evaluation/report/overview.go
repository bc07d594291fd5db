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

// Overview draws the scores of all methods on all data sets by one measure: a panel for test rows like
// the training rows and, below it, a panel for test rows under data shift. Each method has a marker and
// each split a colour. Data sets and methods stand in the order of first appearance. title returns the
// title of a method's label; if title is nil, the label is the title. The last two columns have the
// mean and the median over the data sets with a score; a marker there is hollow if another method has
// scores on more data sets.
//
// The limits keep most scores readable. Scores beyond a limit, also infinite ones, are stacked outside
// it in the order of their values, with an arrow at the end, and counted in a note. The note also counts
// NaN scores, and scores missing although other methods have one. Panels without scores, and splits
// that drawing.Splits does not have, are left out. Overview returns nil if no score is finite, and
// shape.ErrMarkers if there are more methods than markers.
func Overview(scores []measure.Score, measureName string, title func(label string) string) (*drawing.Figure, error) {
	isShown := func(s measure.Score) bool { return s.Measure == measureName && drawing.SplitIndex(s.Split) >= 0 }
	scores = compare.Filter(scores, isShown)
	if !slices.ContainsFunc(scores, func(s measure.Score) bool { return statistics.IsFinite(s.Mean) }) {
		return nil, nil
	}
	datasets := compare.DistinctNames(scores, datasetOf)
	methods := compare.DistinctNames(scores, methodOf)
	markers, err := shape.Markers(methods)
	if err != nil {
		return nil, err
	}
	panels := newOverviewPanels(scores, measureName, datasets, methods)
	figure := &drawing.Figure{Width: drawing.WideWidth, Height: overviewFoot}
	figure.Narrow = &drawing.Figure{Width: drawing.NarrowWidth, Height: overviewFoot} // for phones
	columns := slices.Concat(datasets, []string{"mean", "median"})
	for _, panel := range panels {
		panel.markers = markers
		panel.addTo(figure, measure.Title(measureName), columns)
	}
	legend := overviewLegend(panels, titles(methods, title), markers)
	for _, f := range []*drawing.Figure{figure, figure.Narrow} {
		f.Legend = legend
		f.Height += drawing.LegendHeight(f.Legend, f.Width)
	}
	return figure, nil
}

// newOverviewPanels returns the panel of the splits without data shift and the panel of the splits with it. It
// leaves out panels without scores. The panels have no markers yet.
func newOverviewPanels(scores []measure.Score, measureName string, datasets, methods []string) []*overviewPanel {
	var panels []*overviewPanel
	for _, shift := range []bool{false, true} {
		panel := newOverviewPanel(shift, scores, measureName, datasets, methods)
		if len(panel.marks) > 0 {
			panels = append(panels, panel)
		}
	}
	return panels
}

// addTo adds the panel to a figure as one row. In the figure's narrow form it splits the panel into
// several rows of at most narrowColumns columns, as equal as possible. columns has the names of the
// columns, label is the title of the y axis.
func (o *overviewPanel) addTo(f *drawing.Figure, label string, columns []string) {
	addView(f, overviewView{overviewPanel: o, first: 0, end: len(columns)}, label, columns)
	rows := (len(columns) + narrowColumns - 1) / narrowColumns // rounded up
	for row := range rows {
		view := overviewView{
			overviewPanel: o,
			first:         row * len(columns) / rows, // rounded down: rows differ by at most one column
			end:           (row + 1) * len(columns) / rows,
		}
		addView(f.Narrow, view, label, columns)
	}
}

// addView adds a view to a figure as a row of its own. columns has the names of all columns of the
// panel, label is the title of the y axis.
func addView(f *drawing.Figure, v overviewView, label string, columns []string) {
	p := v.newPlot(label)
	nameColumns(p, v, columns, f.Width)
	f.Panels = append(f.Panels, []drawing.Panel{{Title: v.title, Note: v.note(), Plot: p}})
	f.Height += overviewPanelHeight
}

// overviewLegend returns two lines: the splits that occur in the panels, and the methods. If a mark is hollow,
// the second line explains it.
func overviewLegend(panels []*overviewPanel, methodTitles []string, markers []shape.Marker) [][]drawing.Entry {
	var splits []drawing.Entry
	for _, panel := range panels {
		splits = append(splits, panel.splitEntries()...) // a split is in one of the panels only
	}
	var methods []drawing.Entry
	for i, title := range methodTitles {
		methods = append(methods, shape.MarkerEntry(title, markers[i]))
	}
	hasHollow := func(panel *overviewPanel) bool { return panel.hasMark(func(m mark) bool { return m.hollow }) }
	if slices.ContainsFunc(panels, hasHollow) {
		methods = append(methods, drawing.PointEntry("hollow: over fewer data sets", drawHollowSample))
	}
	return [][]drawing.Entry{splits, methods}
}

// drawHollowSample draws a grey ring, which stands for hollow marks of any method.
func drawHollowSample(c draw.Canvas, center vg.Point) {
	const radius = 3 // points
	shape.Ring.Draw(c, center, radius, drawing.Grey, true)
}

const (
	overviewFoot        = 0.15 * vg.Inch
	overviewPanelHeight = 2.65 * vg.Inch // with the names of its columns
	narrowColumns       = 5              // largest number of columns on a phone

	// In points.
	markerRadius = vg.Length(2.5)
	stackStep    = vg.Length(6) // distance of two scores in a stack beyond a limit
	arrowHeight  = vg.Length(5) // of the arrow at the end of a stack
	stackSpace   = vg.Length(2) // beyond the arrow
)

// mark is a score in an overview.
type mark struct {
	column int // index of the data set; after the data sets come the mean and the median
	method int // index of the method
	split  int // index in drawing.Splits
	value  float64
	hollow bool // whether a mean or median is over fewer data sets than another method's
}

// overviewPanel has the marks of one panel.
type overviewPanel struct {
	title     string
	datasets  int            // number of columns before the mean
	markers   []shape.Marker // by method
	marks     []mark
	missing   int     // number of NaN scores, and of missing scores where other methods have one
	low, high float64 // limits, beyond which marks are stacked

	belowHeight, aboveHeight vg.Length // heights of the stacks beyond the limits
}

// newOverviewPanel returns the panel of the splits with data shift if shift is true, and otherwise of the
// splits without.
func newOverviewPanel(shift bool, scores []measure.Score, measureName string, datasets, methods []string) *overviewPanel {
	o := &overviewPanel{title: "data without shift", datasets: len(datasets)}
	if shift {
		o.title = "data under shift"
	}
	for i, split := range drawing.Splits {
		if split.Shift == shift {
			o.addSplit(i, newGrid(scores, split.Name, measureName), datasets, methods)
		}
	}
	o.setLimits()
	return o
}

// hasMark reports whether a mark of the panel matches.
func (o *overviewPanel) hasMark(matches func(mark) bool) bool {
	return slices.ContainsFunc(o.marks, matches)
}

// splitEntries returns a legend entry for each split that has a mark in the panel.
func (o *overviewPanel) splitEntries() []drawing.Entry {
	var entries []drawing.Entry
	for i, split := range drawing.Splits {
		if o.hasMark(func(m mark) bool { return m.split == i }) {
			entries = append(entries, drawing.ColourEntry(split.Name, split.Colour))
		}
	}
	return entries
}

// addSplit adds the marks of one split: the scores on the data sets, and their means and medians. split is
// an index in drawing.Splits, and g has the split's scores.
func (o *overviewPanel) addSplit(split int, g grid, datasets, methods []string) {
	values := make([][]float64, len(methods)) // scores of each method, without NaN
	for column, dataset := range datasets {
		missing := 0 // number of methods without a score
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
	o.addSummaries(split, values)
}

// addSummaries adds the marks of each method's mean and median over the data sets, in the two columns
// after the data sets. values has the scores of each method on the split.
func (o *overviewPanel) addSummaries(split int, values [][]float64) {
	maxScores := 0
	for _, scores := range values {
		maxScores = max(maxScores, len(scores))
	}
	for method, scores := range values {
		summaries := []float64{statistics.Mean(scores), statistics.Median(scores)}
		for i, value := range summaries {
			if math.IsNaN(value) { // no scores, or ∞ − ∞
				continue
			}
			o.marks = append(o.marks, mark{
				column: o.datasets + i, // the mean, then the median
				method: method,
				split:  split,
				value:  value,
				hollow: len(scores) < maxScores,
			})
		}
	}
}

// setLimits sets the limits of the y axis from the scores on the data sets, without their means, and the
// heights of the stacks of marks beyond the limits.
func (o *overviewPanel) setLimits() {
	var values []float64
	for _, m := range o.marks {
		if m.column < o.datasets {
			values = append(values, m.value)
		}
	}
	o.low, o.high = axes.Fences(values)
	for _, stack := range o.stacks() {
		height := stackStep*vg.Length(len(stack)) + arrowHeight + stackSpace
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
// side, from the mark nearest to the limit outwards. All marks of a stack are on the side of its first.
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

// overviewView is a plotter of the columns first to end−1 of a panel. The panel's limits hold for all its
// views, so that they are comparable.
type overviewView struct {
	*overviewPanel
	first, end int
}

// shows reports whether the mark's column is in the view.
func (v overviewView) shows(m mark) bool { return m.column >= v.first && m.column < v.end }

// note returns text that counts the scores in the view beyond the limits and, in the first view of a
// panel, the missing scores of the whole panel.
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
	if v.first == 0 {
		missing = v.missing
	}
	return drawing.JoinNotes(
		countValues("↑ ", above, "above the axis"),
		countValues("↓ ", below, "below the axis"),
		countValues("", missing, "missing"))
}

// countValues returns text such as "↑ 3 values above the axis", or "" if count is 0.
func countValues(sign string, count int, where string) string {
	switch count {
	case 0:
		return ""
	case 1:
		return sign + "1 value " + where
	}
	return fmt.Sprintf("%s%d values %s", sign, count, where)
}

// newPlot returns a plot of the view whose columns have no names yet. The y axis reaches beyond the
// limits by the height of the stacks, but has ticks only within them. label is the title of the y axis.
func (v overviewView) newPlot(label string) *plot.Plot {
	p := drawing.NewPlot("", label)
	p.X.Min = 0
	p.X.Max = v.center(v.end-1) + 0.5
	p.X.Padding = 0
	p.X.Tick.Length = 0
	p.X.Tick.Marker = plot.ConstantTicks{}

	const dataHeight = 0.69 * overviewPanelHeight // of the panel without titles and names, about
	span := v.high - v.low
	border := limitBorder * span
	heightWithinLimits := float64(dataHeight - v.aboveHeight - v.belowHeight)
	unitsPerPoint := span * (1 + 2*limitBorder) / heightWithinLimits // units of the measure in a point of height
	p.Y.Min = v.low - border - unitsPerPoint*float64(v.belowHeight)
	p.Y.Max = v.high + border + unitsPerPoint*float64(v.aboveHeight)
	p.Y.Tick.Marker = axes.Within(v.low, v.high, axes.RoundTicks(4))
	p.Add(v)
	return p
}

const (
	limitBorder = 0.02 // space between a limit and the stacks beyond it, as a fraction of high − low
	summaryGap  = 0.12 // space between the data sets and the mean, in columns
)

// center returns the x coordinate of a column's middle, in columns from the left end of the view.
func (v overviewView) center(column int) float64 {
	x := float64(column-v.first) + 0.5
	if column >= v.datasets && v.first < v.datasets {
		x += summaryGap
	}
	return x
}

// nameColumns writes the names of the view's columns below its plot. If a name is too wide for its column,
// all names are slanted. names has the names of all columns of the panel, and width is the width of the
// figure.
func nameColumns(p *plot.Plot, v overviewView, names []string, width vg.Length) {
	const (
		yAxisWidth = 0.6 * vg.Inch // width of the axis with its labels, about
		maxFilled  = 0.9           // largest fraction of a column that its name fills
	)
	var ticks plot.ConstantTicks
	style := drawing.TextStyle(drawing.TickSize)
	widest := vg.Length(0)
	for i := v.first; i < v.end; i++ {
		ticks = append(ticks, plot.Tick{Value: v.center(i), Label: names[i]})
		widest = max(widest, style.Width(names[i]))
	}
	p.X.Tick.Marker = ticks
	p.X.Tick.Label.YAlign = draw.YTop
	if widest > maxFilled*(width-yAxisWidth)/vg.Length(len(ticks)) {
		p.X.Tick.Label.Rotation = math.Pi / 6 // 30 degrees
		p.X.Tick.Label.XAlign = draw.XRight
	}
}

var limitLine = draw.LineStyle{Color: drawing.Grey, Width: 0.5, Dashes: []vg.Length{2, 2}}

// Plot implements plot.Plotter. It draws marks within the limits at their values, and stacks of marks
// beyond a limit from a dashed line outwards.
func (v overviewView) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	v.drawBackground(c, p)
	border := limitBorder * (v.high - v.low)
	top := toY(v.high + border)
	bottom := toY(v.low - border)
	if v.aboveHeight > 0 {
		c.StrokeLine2(limitLine, c.Min.X, top, c.Max.X, top)
	}
	if v.belowHeight > 0 {
		c.StrokeLine2(limitLine, c.Min.X, bottom, c.Max.X, bottom)
	}
	columnWidth := toX(1) - toX(0)
	markX := func(m mark) vg.Length { return toX(v.center(m.column)) + v.methodOffset(m.method, columnWidth) }
	for _, m := range v.marks {
		if v.side(m) == 0 && v.shows(m) {
			v.drawMark(c, m, vg.Point{X: markX(m), Y: toY(m.value)})
		}
	}
	for _, stack := range v.stacks() {
		first := stack[0]
		switch {
		case !v.shows(first):
		case v.side(first) > 0:
			v.drawStack(c, stack, vg.Point{X: markX(first), Y: top}, stackStep)
		default:
			v.drawStack(c, stack, vg.Point{X: markX(first), Y: bottom}, -stackStep)
		}
	}
}

// methodOffset returns the distance of a method's marks from the middle of their column: the methods stand
// side by side and do not overlap the next column.
func (v overviewView) methodOffset(method int, columnWidth vg.Length) vg.Length {
	const (
		maxStep   = vg.Length(6) // between two methods
		maxFilled = 0.86         // largest fraction of a column that the methods fill
	)
	methods := len(v.markers)
	step := min(maxStep, maxFilled*columnWidth/vg.Length(methods))
	return step * (vg.Length(method) - vg.Length(methods-1)/2)
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

// drawMark draws a mark in the shape of its method and the colour of its split.
func (v overviewView) drawMark(c draw.Canvas, m mark, center vg.Point) {
	v.markers[m.method].Draw(c, center, markerRadius, drawing.Splits[m.split].Colour, m.hollow)
}

// drawStack draws a stack outwards from a point on the line of its limit, and an arrow at its end, which
// points outwards. step is the distance of two marks, below 0 for a stack that grows downwards.
func (v overviewView) drawStack(c draw.Canvas, stack []mark, limit vg.Point, step vg.Length) {
	const (
		firstDistance = 0.7 // of the first mark from the limit, in steps
		arrowDistance = 0.7 // of the arrow from the last mark, in steps
	)
	center := vg.Point{X: limit.X, Y: limit.Y + step*firstDistance}
	for _, m := range stack {
		v.drawMark(c, m, center)
		center.Y += step
	}
	center.Y -= step * (1 - arrowDistance)
	last := stack[len(stack)-1]
	outwards := vg.Point{Y: step / stackStep} // 1 or −1
	shape.Arrow(c, center, outwards, drawing.Splits[last.split].Colour)
}
