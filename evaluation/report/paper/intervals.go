package paper

import (
	"context"
	"fmt"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
)

// seedIntervals draws each score of the paper beside the seeds' scores and the interval that predicts the score of one
// more seed: a panel for each measure, a column for each data set. The figure has no panels unless the report has several
// seeds. It returns chart.ErrMarks if there are more methods than marks.
func seedIntervals(_ context.Context, p *part) (f chart.Figure, caption string, err error) {
	seeds := report.CompareSeeds(p.seeds, reference)
	if len(seeds.Spreads) == 0 {
		return f, "", nil
	}
	grid := intervalGrid{
		datasets: namesOfSpreads(datasets, seeds.Spreads, func(s report.SeedSpread) string { return s.Dataset }),
		methods:  namesOfSpreads(Methods(), seeds.Spreads, func(s report.SeedSpread) string { return s.Method }),
	}
	grid.marks, err = chart.MethodMarks(grid.methods)
	if err != nil {
		return f, "", err
	}
	f = chart.Figure{Columns: 1, Width: chart.WideWidth, PanelHeight: 150}
	for _, name := range publishedMeasures {
		panel := grid.panel(seeds, name)
		if panel != nil {
			f.Panels = append(f.Panels, *panel)
		}
	}
	first := &f.Panels[0]
	first.Layers = append(first.Layers, grid.legend(len(seeds.Seeds))...)
	lowest := &f.Panels[len(f.Panels)-1] // its names hold for the panels above, too
	lowest.X.Ticks = chart.NameTicks(grid.datasets, func(column int) float64 { return float64(column) + 0.5 })
	caption = fmt.Sprintf("The paper's scores and those of %d seeds, on test rows of random folds. Each grey line is the interval that contains the score of one more seed in %.0f %% of cases, cut at the ends of the axis.", len(seeds.Seeds), 100*report.SeedCoverage)
	return f, caption, nil
}

// namesOfSpreads returns the names that occur among the spreads, in the order of names. nameOf returns the name
// of a spread, such as its data set.
func namesOfSpreads(names []string, spreads []report.SeedSpread, nameOf func(report.SeedSpread) string) []string {
	occurring := report.DistinctNames(spreads, nameOf)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !slices.Contains(occurring, name) })
}

// measureScales has the scale of each axis of a measure, unless it is linear.
var measureScales = map[string]chart.Scale{"rmse": chart.Logarithmic, "ws": chart.Logarithmic, "nll": chart.Symmetric}

// scoreAxis returns an axis that contains all drawable scores of the spreads. A logarithmic one cannot show scores of 0
// or less.
func scoreAxis(scale chart.Scale, spreads []report.SeedSpread) chart.Axis {
	isShown := func(x float64) bool {
		return chart.IsDrawable(x) && (scale != chart.Logarithmic || x >= chart.LeastLogarithm)
	}
	var scores []float64
	for _, spread := range spreads {
		for _, x := range append(slices.Clone(spread.Values), spread.Reference) {
			if isShown(x) {
				scores = append(scores, x)
			}
		}
	}
	if len(scores) == 0 {
		scores = []float64{1, 2} // any limits: the axis has no marks
	}
	axis := chart.Axis{Scale: scale, Min: slices.Min(scores), Max: slices.Max(scores)}
	if scale == chart.Logarithmic {
		axis.Max = max(axis.Max, 2*axis.Min)
	} else {
		axis.Min, axis.Max = chart.Widen(axis.Min, axis.Max)
	}
	axis.Ticks = axis.DefaultTicks(4)
	return axis
}

// intervalGrid has the columns, the methods and their marks of all panels.
type intervalGrid struct {
	datasets []string
	methods  []string
	marks    []chart.Mark // by method
}

// legend returns entries that explain the marks and lines, and entries of the methods.
func (g intervalGrid) legend(seeds int) []chart.Layer {
	entries := []chart.Layer{
		{Name: "paper, inside the interval", Kind: chart.Boxes, Colour: chart.Blue},
		{Name: "paper, outside", Kind: chart.Boxes, Colour: chart.Red},
		{Name: fmt.Sprintf("%.0f %% interval of %d seeds", 100*report.SeedCoverage, seeds), Kind: chart.Segments, Colour: chart.Grey},
		{Name: "one seed", Kind: chart.Points, Mark: chart.Dash, Colour: chart.Ink},
	}
	return append(entries, chart.MarkEntries(g.methods, methodTitle, g.marks)...)
}

// panel returns the panel of one measure, or nil if the seeds have no scores by it. Its columns have no names, which only
// the lowest panel of the figure gets.
func (g intervalGrid) panel(seeds report.SeedComparison, measureName string) *chart.Panel {
	isOfMeasure := func(s report.SeedSpread) bool { return s.Measure == measureName }
	spreads := slices.DeleteFunc(slices.Clone(seeds.Spreads), func(s report.SeedSpread) bool { return !isOfMeasure(s) })
	if len(spreads) == 0 {
		return nil
	}
	agreement := seeds.Agreement(isOfMeasure)
	p := &chart.Panel{
		Title: measure.Title(measureName),
		Note:  fmt.Sprintf("%d of %d inside", agreement.Inside, agreement.Intervals),
		X:     chart.Axis{Max: float64(len(g.datasets)), Ticks: []chart.Tick{}},
		Y:     scoreAxis(measureScales[measureName], spreads),
	}
	p.Layers = []chart.Layer{p.GridLines(len(g.datasets))}
	for _, spread := range spreads {
		p.Layers = append(p.Layers, g.spreadLayers(spread)...)
	}
	return p
}

// spreadLayers returns the interval, the seeds' values and the paper's score. It returns none if there is no interval,
// because a seed's value is not finite. Intervals end at the ends of the axis.
func (g intervalGrid) spreadLayers(spread report.SeedSpread) []chart.Layer {
	inside, ok := spread.HoldsReference()
	if !ok {
		return nil
	}
	x := g.xCoordinate(spread)
	low, high := spread.Interval()
	interval := chart.Layer{Kind: chart.Segments, Colour: chart.Grey, Width: 0.8}
	interval.AddBetween(x, low, x, high)
	seeds := chart.Layer{Kind: chart.Points, Mark: chart.Dash, Colour: chart.Ink, Radius: 2}
	for _, v := range spread.Values {
		seeds.Add(x, v)
	}
	paper := chart.Layer{Kind: chart.Points, Mark: g.marks[slices.Index(g.methods, spread.Method)], Colour: chart.Red, Radius: 2.1}
	if inside {
		paper.Colour = chart.Blue
	}
	paper.Add(x, spread.Reference)
	return []chart.Layer{interval, seeds, paper}
}

// xCoordinate returns the place of a spread on the x axis. Column i, of a data set, is from i to i+1; the methods have
// equal distances in it, and a little space at both ends.
func (g intervalGrid) xCoordinate(s report.SeedSpread) float64 {
	const border = 0.8 // from the ends of a column to the first and the last method, in distances of two methods
	column := slices.Index(g.datasets, s.Dataset)
	method := slices.Index(g.methods, s.Method)
	columnWidth := float64(len(g.methods)) + (2*border - 1) // in distances of two methods
	return float64(column) + (float64(method)+border)/columnWidth
}
