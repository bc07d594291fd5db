package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/compare"
	"sml/evaluation/report/internal/shape"
)

// ranksFigure is the figure of the methods' mean ranks over the data sets.
var ranksFigure = Figure{Name: "ranks", Draw: drawRanks}

// rankedMeasures are the measures with a panel in ranksFigure: of the errors of means, of distributions and of
// densities. Panels of all measures would not fit.
var rankedMeasures = []string{"rmse", "crps", "nll", "nll-full"}

// drawRanks draws a panel for each of rankedMeasures. The figure is nil if there are too few methods or data sets to
// compare.
func drawRanks(_ context.Context, r *Report) (f *drawing.Figure, caption string, err error) {
	split := r.rankedSplit()
	var panels []drawing.Panel
	methods := 0 // largest number of methods in a panel
	for _, name := range rankedMeasures {
		g := newGrid(r.Shown, split, name).common()
		if len(g.methods) < minRanked || len(g.datasets) < minRanked {
			continue
		}
		panels = append(panels, g.ranksPanel(r.MethodTitle))
		methods = max(methods, len(g.methods))
	}
	if len(panels) == 0 {
		return nil, "", nil
	}
	const (
		heightPerMethod = 11 // points
		axisHeight      = 0.9 * vg.Inch
	)
	f = &drawing.Figure{
		Width:  drawing.WideWidth,
		Height: axisHeight + heightPerMethod*vg.Length(methods),
		Panels: [][]drawing.Panel{panels},
	}
	caption = "Mean ranks over the data sets, " + splitTitle(split) + ": 1 for a method that is the best on each. Bars are as long as the critical difference: " +
		"two methods differ significantly at 5 % if their bars do not overlap (Nemenyi test; Demšar, 2006)."
	return f, caption, nil
}

// rankedSplit returns the split whose scores are ranked: the test rows of random folds, or else the first split of test
// rows.
func (r *Report) rankedSplit() string {
	splits := compare.DistinctNames(r.Shown, func(s measure.Score) string { return s.Split })
	if slices.Contains(splits, "test") {
		return "test"
	}
	splits = slices.DeleteFunc(splits, func(split string) bool { return split == "train" })
	if len(splits) == 0 {
		return ""
	}
	return splits[0]
}

// ranksPanel returns a panel with the methods from the best mean rank, at the top, to the worst. The grid must be
// common.
func (g grid) ranksPanel(title func(label string) string) drawing.Panel {
	plotted := rankPlot{Ranking: g.ranking()}
	for i := range g.methods {
		plotted.order = append(plotted.order, i)
	}
	slices.SortStableFunc(plotted.order, func(a, b int) int {
		return cmp.Compare(plotted.MeanRanks[b], plotted.MeanRanks[a]) // the first is at the bottom
	})
	var names []string
	for _, method := range plotted.order {
		names = append(names, titleOf(g.methods[method], title))
	}
	p := drawing.NewPlot(fmt.Sprintf("mean rank over %d data sets", len(g.datasets)), "")
	p.Add(plotted)
	p.NominalY(names...)
	p.Y.Tick.Label.Font.Size = drawing.NoteSize
	p.Y.Min = -0.5
	p.Y.Max = float64(len(names)) - 0.5
	p.X.Min = 1
	p.X.Max = float64(len(names))
	return drawing.Panel{Title: g.measure.Title, Plot: p}
}

// rankPlot draws mean ranks with bars of the critical difference, one method above the other.
type rankPlot struct {
	compare.Ranking
	order []int // indices of the methods, from the bottom to the top
}

// Plot draws the ranks. It implements plot.Plotter. Bars end at the edges of the plot.
func (r rankPlot) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	bar := draw.LineStyle{Color: drawing.TranslucentGrey, Width: 4}
	for position, method := range r.order {
		rank := r.MeanRanks[method]
		y := toY(float64(position))
		left := max(p.X.Min, rank-r.CriticalDifference/2)
		right := min(p.X.Max, rank+r.CriticalDifference/2)
		c.StrokeLine2(bar, toX(left), y, toX(right), y)
		shape.Ring.Draw(c, vg.Point{X: toX(rank), Y: y}, markerRadius, drawing.Blue, false)
	}
}
