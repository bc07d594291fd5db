package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
)

var oracle = draw.LineStyle{Color: drawing.Grey, Width: 1.2}

var sparsification = Plot{
	Name: "sparsification", Title: "Sparsification",
	Summary: "The mean |error| of the rows that stay when those of the largest σ are left out, as a part of that of all: the faster it falls, the better σ knows which rows are wrong. " +
		"The oracle leaves out by the errors themselves; a σ that knows nothing stays at 1. Beside it the distance from the oracle; the area below it is the AUSE.",
	Source: "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		if c.Std == nil {
			return Drawn{Note: noInterval}, nil
		}
		if !squarable(c) {
			return Drawn{Note: tooLarge}, nil
		}
		sizes := make([]float64, len(c.Y))
		for row := range sizes {
			sizes[row] = math.Abs(c.Y[row] - c.Mean[row])
		}
		if c.Average(func(row int) float64 { return sizes[row] }) == 0 {
			return Drawn{Note: "no mean is wrong"}, nil
		}
		style := r.style(len(r.versions()) - 1)
		ause, err := measure.Lookup("ause")
		if err != nil {
			return Drawn{}, err
		}
		own, best := remaining(c, sizes, c.Std), remaining(c, sizes, sizes)
		var x, byKey, byError, apart []float64
		most, between := 1.0, ause.Of(&measure.Column{Mean: c.Mean, Std: c.Std, Y: c.Y, Weights: c.Weights, Protocol: c.Protocol})
		for i := range 100 {
			share := float64(i) / 100
			x, byKey, byError = append(x, share), append(byKey, own(share)), append(byError, best(share))
			apart = append(apart, own(share)-best(share))
			most = max(most, own(share))
		}
		p, d := drawing.NewPlot("share of rows left out", "mean |error|, of all 1"), drawing.NewPlot("share of rows left out", "distance from the oracle")
		zeroTo(p, 1, 1.05*most)
		zeroTo(d, 1, 1.1*max(0.1, slices.Max(apart)))
		p.Add(straight(0, 1, 1, 1, honest), area{x, byError, byKey, areaColour}, lineOf(x, byError, oracle), lineOf(x, byKey, style))
		zero := make([]float64, len(x))
		d.Add(area{x, zero, apart, areaColour}, lineOf(x, apart, style))
		return Drawn{
			Panels: []drawing.Panel{{Plot: p}, {Plot: d, Note: fmt.Sprintf("AUSE %.3f", between)}}, Across: 2,
			Legend: []drawing.Entry{drawing.LineEntry("by σ", style), drawing.LineEntry("oracle", oracle), drawing.LineEntry("at random", honest)},
			Note:   fmt.Sprintf("The area between σ and the oracle (AUSE) is %.3f.", between),
		}, nil
	},
}

// remaining is the mean error without a share of the rows, those of the largest keys, as
// a part of that of all. Rows of one key are left out in equal parts.
func remaining(c *measure.Column, errors, keys []float64) func(share float64) float64 {
	order := make([]int, len(keys))
	for row := range order {
		order[row] = row
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(keys[a], keys[b]) })
	var upTo, sums []float64 // of weights and errors, up to the end of each run of equal keys
	var weights, sum float64
	for i, row := range order {
		weights, sum = weights+weight(c, row), sum+weight(c, row)*errors[row]
		if i+1 == len(order) || keys[order[i+1]] != keys[row] {
			upTo, sums = append(upTo, weights), append(sums, sum)
		}
	}
	return func(share float64) float64 {
		left := (1 - share) * weights
		i, _ := slices.BinarySearch(upTo, left)
		i = min(i, len(upTo)-1)
		before, most := 0.0, 0.0
		if i > 0 {
			before, most = upTo[i-1], sums[i-1]
		}
		part := most
		if upTo[i] > before {
			part += (left - before) / (upTo[i] - before) * (sums[i] - most)
		}
		return part / left / (sum / weights)
	}
}
