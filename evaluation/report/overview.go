package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
	"sml/internal/statistics"
)

// Overview draws the scores of all methods on all data sets by one measure: a panel for test rows like the training rows
// and, below it, a panel for test rows under data shift. Each method has a mark and each split a colour. Data sets and
// methods stand in the order of first appearance. title returns the title of a method's label. The last two columns have the mean and the median over the data sets with a score; a mark there is
// hollow if another method has scores on more data sets.
//
// The limits keep most scores readable. Scores beyond a limit, also infinite ones, are stacked outside it in the order of
// their values, with an arrow at the end, and counted in a note. The note also counts NaN scores, and scores missing
// although other methods have one.
//
// Panels without scores, and splits that Splits does not have, are left out. The figure has no panels if no score is
// finite. Overview returns chart.ErrMarks if there are more methods than marks.
func Overview(scores []measure.Score, measureName string, title func(label string) string) (chart.Figure, error) {
	isShown := func(s measure.Score) bool { return s.Measure == measureName && SplitIndex(s.Split) >= 0 }
	scores = FilterScores(scores, isShown)
	if !slices.ContainsFunc(scores, func(s measure.Score) bool { return statistics.IsFinite(s.Mean) }) {
		return chart.Figure{}, nil
	}
	o := overview{
		datasets: DistinctNames(scores, datasetOf),
		methods:  DistinctNames(scores, methodOf),
	}
	var err error
	o.marks, err = chart.MethodMarks(o.methods)
	if err != nil {
		return chart.Figure{}, err
	}
	f := chart.Figure{Columns: 1, Width: chart.WideWidth, PanelHeight: overviewHeight}
	var all []overviewScore // of both panels
	for _, isShifted := range []bool{false, true} {
		panel := o.newPanel(scores, measureName, isShifted)
		if len(panel.scores) > 0 {
			all = append(all, panel.scores...)
			f.Panels = append(f.Panels, panel.draw(measure.Title(measureName)))
		}
	}
	first := &f.Panels[0]
	first.Layers = append(first.Layers, o.legend(all, title)...)
	return f, nil
}

// legend returns layers without marks for the legend: the splits of the scores, the methods, and hollow marks if there are
// any.
func (o overview) legend(scores []overviewScore, title func(label string) string) []chart.Layer {
	entries := SplitEntries(func(split int) bool {
		return slices.ContainsFunc(scores, func(s overviewScore) bool { return s.split == split })
	})
	entries = append(entries, chart.MarkEntries(o.methods, title, o.marks)...)
	if slices.ContainsFunc(scores, func(s overviewScore) bool { return s.hollow }) {
		entries = append(entries, chart.Layer{Name: "hollow: over fewer data sets", Kind: chart.Points, Hollow: true, Colour: chart.Grey})
	}
	return entries
}

// overview has the columns, the methods and their marks of an overview.
type overview struct {
	datasets []string // columns before the mean and the median
	methods  []string
	marks    []chart.Mark // by method
}

// Sizes of an overview, in points.
const (
	overviewHeight = 191 // of a panel with the names of its columns
	dataHeight     = 132 // of the part between the axes, about
	markRadius     = 2.5
	stackStep      = 6 // distance of two scores in a stack beyond a limit
	arrowHeight    = 5 // of the arrow at the end of a stack, with the space beyond it
)

// limitBorder is the space between a limit and the stacks beyond it, as a fraction of the range of the limits.
const limitBorder = 0.02

// overviewScore is a score in an overview.
type overviewScore struct {
	column int // index of the data set; after the data sets come the mean and the median
	method int // index of the method
	split  int // index in Splits
	value  float64
	hollow bool // whether a mean or median is over fewer data sets than another method's
}

// overviewPanel has the scores of one panel.
type overviewPanel struct {
	overview
	title     string
	scores    []overviewScore
	missing   int           // number of NaN scores, and of missing scores where other methods have one
	low, high float64       // limits, beyond which scores are stacked
	stacks    map[stack]int // number of scores in each stack
}

// stack identifies the scores of one method in one column beyond one limit. They are drawn outwards from the limit, in the
// order of their values.
type stack struct {
	column, method int
	side           int // 1 above the limits, −1 below
}

// newPanel returns the panel of the splits with data shift if isShifted is true, and otherwise of the splits without.
func (o overview) newPanel(scores []measure.Score, measureName string, isShifted bool) *overviewPanel {
	p := &overviewPanel{overview: o, title: "data without shift"}
	if isShifted {
		p.title = "data under shift"
	}
	for i, split := range Splits {
		if split.Shift == isShifted {
			p.addSplit(i, newGrid(scores, split.Name, measureName))
		}
	}
	var values []float64 // on the data sets, without their means and medians
	for _, s := range p.scores {
		if s.column < len(p.datasets) {
			values = append(values, s.value)
		}
	}
	p.low, p.high = chart.Fences(values)
	p.stacks = make(map[stack]int)
	for _, s := range p.scores {
		if p.side(s) != 0 {
			p.stacks[p.stackOf(s)]++
		}
	}
	return p
}

// addSplit adds the scores of one split: on the data sets, and their means and medians. split is an index in Splits, and
// g has the split's scores.
func (p *overviewPanel) addSplit(split int, g grid) {
	values := make([][]float64, len(p.methods)) // scores of each method, without NaN
	for column, dataset := range p.datasets {
		missing := 0 // number of methods without a score
		for m, method := range p.methods {
			score, ok := g.score(dataset, method)
			if !ok || math.IsNaN(score.Mean) {
				missing++
				continue
			}
			p.scores = append(p.scores, overviewScore{column: column, method: m, split: split, value: score.Mean})
			values[m] = append(values[m], score.Mean)
		}
		if slices.Contains(g.datasets, dataset) { // otherwise the split was not run on the data set
			p.missing += missing
		}
	}
	p.addSummaries(split, values)
}

// addSummaries adds each method's mean and median over the data sets, in the two columns after the data sets. values has
// the scores of each method on the split.
func (p *overviewPanel) addSummaries(split int, values [][]float64) {
	maxScores := 0
	for _, scores := range values {
		maxScores = max(maxScores, len(scores))
	}
	for method, scores := range values {
		mean := overviewScore{
			column: len(p.datasets),
			method: method,
			split:  split,
			value:  statistics.Mean(scores),
			hollow: len(scores) < maxScores,
		}
		median := mean
		median.column++
		median.value = statistics.Median(scores)
		for _, summary := range []overviewScore{mean, median} {
			if !math.IsNaN(summary.value) { // it is for no scores, and for ∞ − ∞
				p.scores = append(p.scores, summary)
			}
		}
	}
}

// side returns 1 for a score above the limits, -1 for a score below, and otherwise 0.
func (p *overviewPanel) side(s overviewScore) int { return chart.Side(s.value, p.low, p.high) }

// stackOf returns the stack of a score beyond the limits.
func (p *overviewPanel) stackOf(s overviewScore) stack { return stack{s.column, s.method, p.side(s)} }

// note returns text that counts the scores beyond the limits and the missing ones.
func (p *overviewPanel) note() string {
	count := make(map[int]int) // by side
	for _, s := range p.scores {
		count[p.side(s)]++
	}
	return chart.JoinNotes(
		countValues("↑ ", count[1], "above the axis"),
		countValues("↓ ", count[-1], "below the axis"),
		countValues("", p.missing, "missing"))
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

// draw returns the panel. The y axis reaches beyond the limits by the height of the stacks, but has ticks only within
// them. label is the title of the y axis.
func (p *overviewPanel) draw(label string) chart.Panel {
	above, below := p.stackHeight(1), p.stackHeight(-1)
	border := p.border()
	unitsPerPoint := (p.high - p.low + 2*border) / (dataHeight - above - below) // units of the measure in a point of height
	columns := slices.Concat(p.datasets, []string{"mean", "median"})
	panel := chart.Panel{
		Title: p.title,
		Note:  p.note(),
		X:     chart.Axis{Max: p.center(len(columns)-1) + 0.5, Ticks: chart.NameTicks(columns, p.center)},
		Y: chart.Axis{
			Label: label,
			Min:   p.low - border - unitsPerPoint*below,
			Max:   p.high + border + unitsPerPoint*above,
			Ticks: chart.RoundTicks(p.low, p.high, 4),
		},
	}
	panel.Layers = append(p.background(panel), p.limitLines(panel)...)
	for _, s := range p.scores {
		if p.side(s) == 0 {
			panel.Layers = append(panel.Layers, p.layer(s, s.value))
		}
	}
	panel.Layers = append(panel.Layers, p.stackLayers(stackStep*unitsPerPoint)...)
	return panel
}

// border returns the space between a limit and the stacks beyond it.
func (p *overviewPanel) border() float64 { return limitBorder * (p.high - p.low) }

// stackHeight returns the height of the highest stack on a side of the limits in points, or 0 if there is none.
func (p *overviewPanel) stackHeight(side int) float64 {
	highest := 0.0
	for stack, scores := range p.stacks {
		if stack.side == side {
			highest = max(highest, stackStep*float64(scores)+arrowHeight)
		}
	}
	return highest
}

// center returns the x coordinate of a column's middle. There is a small space between the data sets and the mean.
func (p *overviewPanel) center(column int) float64 {
	const summaryGap = 0.12
	x := float64(column) + 0.5
	if column >= len(p.datasets) {
		x += summaryGap
	}
	return x
}

// background returns the shade behind the mean and the median, and the grid lines.
func (p *overviewPanel) background(panel chart.Panel) []chart.Layer {
	shade := chart.Layer{Kind: chart.Boxes, Colour: chart.PaleGrey}
	shade.AddBetween(p.center(len(p.datasets))-0.5, panel.Y.Min, panel.X.Max, panel.Y.Max)
	return []chart.Layer{shade, panel.GridLines(len(p.datasets))}
}

// limitLines returns a dashed line at each limit that has stacks beyond it.
func (p *overviewPanel) limitLines(panel chart.Panel) []chart.Layer {
	var lines []chart.Layer
	for _, side := range []int{1, -1} {
		if p.stackHeight(side) > 0 {
			y := p.beyond(side, 0)
			lines = append(lines, chart.Ideal(0, y, panel.X.Max, y))
		}
	}
	return lines
}

// beyond returns the y coordinate at a distance outwards from the line at a limit.
func (p *overviewPanel) beyond(side int, distance float64) float64 {
	if side > 0 {
		return p.high + p.border() + distance
	}
	return p.low - p.border() - distance
}

// layer returns the mark of a score at the height y, in the shape of its method and the colour of its split.
func (p *overviewPanel) layer(s overviewScore, y float64) chart.Layer {
	return chart.Layer{
		Kind:   chart.Points,
		X:      []float64{p.center(s.column) + p.methodOffset(s.method)},
		Y:      []float64{y},
		Mark:   p.marks[s.method],
		Hollow: s.hollow,
		Radius: markRadius,
		Colour: Splits[s.split].Colour,
	}
}

// methodOffset returns the distance of a method's marks from the middle of their column, in columns: the methods stand
// side by side and do not overlap the next column.
func (p *overviewPanel) methodOffset(method int) float64 {
	const (
		maxStep   = 6.0  // between two methods, in points
		maxFilled = 0.86 // largest fraction of a column that the methods fill
		dataWidth = 490  // points between the ends of the x axis, about
	)
	columnWidth := dataWidth / p.center(len(p.datasets)+1)
	step := min(maxStep/columnWidth, maxFilled/float64(len(p.methods)))
	return step * (float64(method) - float64(len(p.methods)-1)/2)
}

// stackLayers returns the marks of all stacks outwards from their limits, and an arrow at the end of each stack, which
// points outwards. step is the distance of two marks.
func (p *overviewPanel) stackLayers(step float64) []chart.Layer {
	const (
		firstDistance = 0.7 // of the first mark from the limit, in steps
		arrowDistance = 0.7 // of the arrow from the last mark, in steps
		arrowRadius   = 3
	)
	arrows := map[int]chart.Mark{1: chart.Up, -1: chart.Down} // by side
	outwards := slices.DeleteFunc(slices.Clone(p.scores), func(s overviewScore) bool { return p.side(s) == 0 })
	slices.SortStableFunc(outwards, func(a, b overviewScore) int {
		return cmp.Compare(float64(p.side(a))*a.value, float64(p.side(b))*b.value)
	})
	drawn := make(map[stack]int) // number of scores
	var layers []chart.Layer
	for _, s := range outwards {
		stack := p.stackOf(s)
		place := step * (firstDistance + float64(drawn[stack]))
		layers = append(layers, p.layer(s, p.beyond(stack.side, place)))
		drawn[stack]++
		if drawn[stack] == p.stacks[stack] {
			arrow := p.layer(s, p.beyond(stack.side, place+arrowDistance*step))
			arrow.Mark = arrows[stack.side]
			arrow.Radius = arrowRadius
			layers = append(layers, arrow)
		}
	}
	return layers
}
