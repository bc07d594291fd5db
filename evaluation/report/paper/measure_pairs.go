package paper

import (
	"context"
	"math"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
)

// pairedMeasures are the measures of figure 14. Points and panels refer to them by their indices.
var pairedMeasures = []string{"ece", "ws", "ks"}

// pairedAxes lists the panels of figure 14 by the measures on their axes, which are indices in pairedMeasures.
var pairedAxes = []struct{ x, y int }{{x: 1, y: 0}, {x: 1, y: 2}, {x: 0, y: 2}}

// measurePairs draws figure 14: the measures ECE, WS and KS against one another. A point is a method on a split of a
// data set; methods differ in their marks and splits in their colours. The figure has no panels if no point has two of the
// measures.
//
// Limits keep most points readable. Points beyond a limit, infinite ones, too, are drawn at the edge with an arrow and
// counted in a note. The note also counts points that lack one of the measures.
func measurePairs(_ context.Context, p *part) (f chart.Figure, caption string, err error) {
	scores := report.FilterScores(p.main.scores, func(s measure.Score) bool {
		return slices.Contains(pairedMeasures, s.Measure) && report.SplitIndex(s.Split) >= 0
	})
	methods := report.DistinctNames(scores, func(s measure.Score) string { return s.Method })
	marks, err := chart.MethodMarks(methods)
	if err != nil {
		return f, "", err
	}
	points := newMeasurePoints(scores, methods)
	hasPoints := false
	for _, axes := range pairedAxes {
		drawn := slices.DeleteFunc(slices.Clone(points), func(p *measurePoint) bool { return !p.hasPair(axes.x, axes.y) })
		hasPoints = hasPoints || len(drawn) > 0
		panel := chart.Panel{X: measureAxis(axes.x, points), Y: measureAxis(axes.y, points)}
		panel.Layers = append([]chart.Layer{panel.GridLines(0)}, pointLayers(drawn, axes.x, axes.y, marks)...)
		panel.Note = countNote(len(points)-len(drawn), "missing")
		f.Panels = append(f.Panels, panel)
	}
	if !hasPoints {
		return chart.Figure{}, "", nil
	}
	f.Width = chart.WideWidth
	f.PanelHeight = 185
	entries := report.SplitEntries(func(i int) bool {
		return slices.ContainsFunc(points, func(p *measurePoint) bool { return p.split == i })
	})
	first := &f.Panels[0]
	first.Layers = slices.Concat(first.Layers, entries, chart.MarkEntries(methods, methodTitle, marks))
	return f, "Pairs of the measures ECE, Wasserstein distance and Kolmogorov–Smirnov distance: each point is a method on a split of a data set.", nil
}

// measurePoint has the scores of a method on a split of a data set.
type measurePoint struct {
	method int        // index of the method
	split  int        // index in report.Splits
	values [3]float64 // scores by pairedMeasures; NaN if there is none
}

// hasPair reports whether the point has scores by two measures, given by their indices in pairedMeasures.
func (p *measurePoint) hasPair(x, y int) bool {
	return !math.IsNaN(p.values[x]) && !math.IsNaN(p.values[y])
}

// newMeasurePoints returns a point for each combination of data set, method and split, in the order of their first
// score.
func newMeasurePoints(scores []measure.Score, methods []string) []*measurePoint {
	type pointKey struct{ dataset, method, split string }
	var points []*measurePoint
	byKey := make(map[pointKey]*measurePoint)
	for _, s := range scores {
		key := pointKey{dataset: s.Dataset, method: s.Method, split: s.Split}
		point := byKey[key]
		if point == nil {
			point = &measurePoint{
				method: slices.Index(methods, s.Method),
				split:  report.SplitIndex(s.Split),
				values: [3]float64{math.NaN(), math.NaN(), math.NaN()},
			}
			points = append(points, point)
			byKey[key] = point
		}
		point.values[slices.Index(pairedMeasures, s.Measure)] = s.Mean
	}
	return points
}

// measureAxis returns the axis of a measure, given by its index in pairedMeasures. It keeps most points readable, with
// space at its ends for the marks of the others.
func measureAxis(index int, points []*measurePoint) chart.Axis {
	const space = 0.06 // at each end, as a fraction of the range
	var values []float64
	for _, point := range points {
		values = append(values, point.values[index])
	}
	low, high := chart.Fences(values)
	axis := chart.Axis{Label: measure.Title(pairedMeasures[index]), Ticks: chart.RoundTicks(low, high, 4)}
	axis.Min, axis.Max = chart.AddBorder(low, high, space)
	return axis
}

// pointLayers returns a layer for each point. x and y are the measures of the axes. marks are the marks of the methods.
func pointLayers(points []*measurePoint, x, y int, marks []chart.Mark) []chart.Layer {
	var layers []chart.Layer
	for _, point := range points {
		layers = append(layers, chart.Layer{
			Kind:   chart.Points,
			X:      []float64{point.values[x]},
			Y:      []float64{point.values[y]},
			Mark:   marks[point.method],
			Radius: 2.1,
			AtEdge: true,
			Colour: report.Splits[point.split].Colour,
		})
	}
	return layers
}
