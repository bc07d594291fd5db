package report

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/interp"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var sparsification = Plot{
	Name:  "sparsification",
	Title: "Sparsification",
	Summary: "Left: the mean absolute error of the remaining rows when the rows with the largest σ are left out, relative to the mean over all rows. The faster it falls, the better σ identifies the rows with large errors; if σ says nothing about the errors, it stays at 1. " +
		"The oracle leaves out the rows with the largest errors. Right: the distance from the oracle; the area below this curve is the AUSE.",
	Source: "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow",
	Draw:   drawSparsification,
}

// drawSparsification draws the curves of σ and of the oracle, and the distance between them.
func drawSparsification(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	if c.Std == nil {
		return f, noStd, nil
	}
	if !canSquare(c) {
		return f, tooLarge, nil
	}
	errors := c.AbsoluteErrors()
	meanError := c.Average(func(row int) float64 { return errors[row] })
	if meanError == 0 { // no error could be relative to it
		return f, "all errors are 0", nil
	}
	ause, err := measure.Lookup("ause")
	if err != nil {
		return f, "", err
	}
	score := fmt.Sprintf("%.3f", ause.Compute(c))
	const steps = 100
	leftOut := fractions(steps)[:steps] // without 1: some rows must remain
	bySigma := remainingErrors(c, errors, c.Std, leftOut)
	byError := remainingErrors(c, errors, errors, leftOut)
	f.Panels = []chart.Panel{
		remainingPanel(leftOut, bySigma, byError),
		distancePanel(leftOut, differences(bySigma, byError), "AUSE "+score),
	}
	return f, "The area between σ and the oracle (AUSE) is " + score + ".", nil
}

// remainingPanel returns the panel of the mean errors of the remaining rows, over the fraction that is left out by σ and by
// the oracle, with the area between the two lines.
func remainingPanel(leftOut, bySigma, byError []float64) chart.Panel {
	const border = 1.05 // factor
	random := chart.Ideal(0, 1, 1, 1)
	random.Name = "at random"
	return chart.Panel{
		X: chart.Axis{Label: "fraction of rows left out", Max: 1},
		Y: chart.Axis{Label: "mean |error|, relative to all rows", Max: border * max(1, slices.Max(bySigma))},
		Layers: []chart.Layer{
			{Name: "by σ", Colour: shownColour}, // for the legend alone
			{Name: "oracle", Colour: chart.Grey},
			random,
			{Kind: chart.Band, X: leftOut, Y: bySigma, Y2: byError, Colour: areaColour},
			{X: leftOut, Y: byError, Colour: chart.Grey},
			{X: leftOut, Y: bySigma, Colour: shownColour},
		},
	}
}

// distancePanel returns the panel of the distance between the two lines of remainingPanel, with the area below it.
func distancePanel(leftOut, distances []float64, note string) chart.Panel {
	const (
		border     = 1.1 // factor
		minHighest = 0.1 // a smaller distance looks small
	)
	return chart.Panel{
		Note: note,
		X:    chart.Axis{Label: "fraction of rows left out", Max: 1},
		Y:    chart.Axis{Label: "distance from the oracle", Max: border * max(minHighest, slices.Max(distances))},
		Layers: []chart.Layer{
			{Kind: chart.Band, X: leftOut, Y: distances, Colour: areaColour},
			{X: leftOut, Y: distances, Colour: shownColour},
		},
	}
}

// remainingErrors returns, for each fraction of the rows that is left out, the mean error of the remaining rows, relative
// to the mean error of all rows. The rows with the largest keys are left out.
//
// Rows with equal keys are in no order, so each of them is left out by the same part: the sums between the ends of a run
// of equal keys are interpolated linearly.
func remainingErrors(c *measure.Column, errors, keys, leftOut []float64) []float64 {
	weights := []float64{0} // of all rows up to the end of each run
	sums := []float64{0}    // of their errors
	weight, sum := 0.0, 0.0
	sorted := sortRows(keys)
	for i, row := range sorted {
		weight += c.Weight(row)
		sum += float64(c.Weight(row) * errors[row])
		isRunEnd := i+1 == len(sorted) || keys[sorted[i+1]] != keys[row]
		if isRunEnd && weight > weights[len(weights)-1] { // a run without weight has no rows to leave out
			weights = append(weights, weight)
			sums = append(sums, sum)
		}
	}
	var sumUpTo interp.PiecewiseLinear
	sumUpTo.Fit(weights, sums) // never fails
	means := make([]float64, len(leftOut))
	for i, fraction := range leftOut {
		remaining := (1 - fraction) * weight
		means[i] = sumUpTo.Predict(remaining) / remaining / (sum / weight)
	}
	return means
}
