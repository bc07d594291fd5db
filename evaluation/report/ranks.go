package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

// ranksFigure is the figure of the methods' mean ranks over the data sets.
var ranksFigure = StudyFigure{Name: "ranks", Draw: drawRanks}

// rankedMeasures are the measures with a panel in ranksFigure: of the errors of means, of distributions and of
// densities. Panels of all measures would not fit.
var rankedMeasures = []string{"rmse", "crps", "nll", "nll-full"}

// drawRanks draws a panel for each of rankedMeasures. The figure has no panels if there are too few methods or data sets
// to compare.
func drawRanks(_ context.Context, r *Report) (f chart.Figure, caption string, err error) {
	const (
		heightPerMethod = 11 // points
		axisHeight      = 65 // points
	)
	split := r.rankedSplit()
	f.Width = chart.WideWidth
	for _, name := range rankedMeasures {
		g := newGrid(r.Shown, split, name).common()
		if len(g.methods) < minRanked || len(g.datasets) < minRanked {
			continue
		}
		f.Panels = append(f.Panels, g.ranksPanel(r.MethodTitle))
		f.PanelHeight = max(f.PanelHeight, axisHeight+heightPerMethod*float64(len(g.methods)))
	}
	caption = "Mean ranks over the data sets, " + splitTitle(split) + ": 1 for a method that is the best on each. Bars are as long as the critical difference: " +
		"two methods differ significantly at 5 % if their bars do not overlap (Nemenyi test; Demšar, 2006)."
	return f, caption, nil
}

// rankedSplit returns the split whose scores are ranked: the test rows of random folds, or else the first split of test
// rows.
func (r *Report) rankedSplit() string {
	splits := DistinctNames(r.Shown, func(s measure.Score) string { return s.Split })
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
// common. Bars of the critical difference end at the edges of the panel.
func (g grid) ranksPanel(title func(label string) string) chart.Panel {
	ranking := g.ranking()
	methods := make([]int, len(g.methods)) // indices, from the bottom to the top
	for i := range methods {
		methods[i] = i
	}
	slices.SortStableFunc(methods, func(a, b int) int {
		return cmp.Compare(ranking.MeanRanks[b], ranking.MeanRanks[a])
	})
	bars := chart.Layer{Kind: chart.Segments, Colour: chart.Pale(chart.Grey), Width: 4}
	ranks := chart.Layer{Kind: chart.Points, Colour: chart.Blue, Radius: markRadius}
	var names []string
	for i, method := range methods {
		rank := ranking.MeanRanks[method]
		y := float64(i)
		bars.AddBetween(rank-ranking.CriticalDifference/2, y, rank+ranking.CriticalDifference/2, y)
		ranks.Add(rank, y)
		names = append(names, title(g.methods[method]))
	}
	count := float64(len(methods))
	return chart.Panel{
		Title:  g.measure.Title,
		X:      chart.Axis{Label: fmt.Sprintf("mean rank over %d data sets", len(g.datasets)), Min: 1, Max: count},
		Y:      chart.Axis{Min: -0.5, Max: count - 0.5, Ticks: chart.NameTicks(names, func(i int) float64 { return float64(i) })},
		Layers: []chart.Layer{bars, ranks},
	}
}
