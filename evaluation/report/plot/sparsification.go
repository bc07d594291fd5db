package plot

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
)

var oracleLine = draw.LineStyle{Color: drawing.Grey, Width: 1.2}

var sparsification = Plot{
	Name:  "sparsification",
	Title: "Sparsification",
	Summary: "Left: the mean absolute error of the remaining rows when the rows with the largest σ are left out, relative to the mean over all rows. The faster it falls, the better σ identifies the rows with large errors; if σ says nothing about the errors, it stays at 1. " +
		"The oracle leaves out the rows with the largest errors. Right: the distance from the oracle; the area below this curve is the AUSE.",
	Source: "Ilg et al. (2018), Uncertainty estimates and multi-hypotheses networks for optical flow",
	Draw:   drawSparsification,
}

// drawSparsification draws the curves of σ and of the oracle, and the distance between them.
func drawSparsification(_ context.Context, r *Rows) (Drawing, error) {
	c := r.predictions()
	if c.Std == nil {
		return Drawing{Note: noStd}, nil
	}
	if !canSquare(c) {
		return Drawing{Note: tooLarge}, nil
	}
	errors := absoluteErrors(c)
	if c.Average(func(row int) float64 { return errors[row] }) == 0 {
		return Drawing{Note: "all errors are 0"}, nil
	}
	ause, err := measure.Lookup("ause")
	if err != nil {
		return Drawing{}, err
	}
	score := ause.Compute(&measure.Column{Mean: c.Mean, Std: c.Std, Y: c.Y, Weights: c.Weights, Protocol: c.Protocol})
	curves := newSparsificationCurves(c, errors)
	sigmaLine := r.versionLine(len(r.versions()) - 1)
	return Drawing{
		Panels: []drawing.Panel{
			curves.errorPanel(sigmaLine),
			curves.distancePanel(sigmaLine, fmt.Sprintf("AUSE %.3f", score)),
		},
		Columns: 2,
		Legend: []drawing.Entry{
			drawing.LineEntry("by σ", sigmaLine),
			drawing.LineEntry("oracle", oracleLine),
			drawing.LineEntry("at random", idealLine),
		},
		Note: fmt.Sprintf("The area between σ and the oracle (AUSE) is %.3f.", score),
	}, nil
}

// sparsificationCurves has the mean errors of the rows that remain when a fraction of the rows is
// left out, relative to the mean error of all rows.
type sparsificationCurves struct {
	leftOut  []float64 // fractions left out
	bySigma  []float64 // mean errors without the rows with the largest σ
	byError  []float64 // mean errors without the rows with the largest errors, as an oracle would choose
	distance []float64 // bySigma − byError
}

// newSparsificationCurves returns the curves at the fractions 0, 0.01 … 0.99. errors are the absolute
// errors of the rows.
func newSparsificationCurves(c *measure.Column, errors []float64) sparsificationCurves {
	withoutSigma := remainingError(c, errors, c.Std)
	withoutError := remainingError(c, errors, errors)
	var curves sparsificationCurves
	for i := range 100 {
		fraction := float64(i) / 100
		bySigma := withoutSigma(fraction)
		byError := withoutError(fraction)
		curves.leftOut = append(curves.leftOut, fraction)
		curves.bySigma = append(curves.bySigma, bySigma)
		curves.byError = append(curves.byError, byError)
		curves.distance = append(curves.distance, bySigma-byError)
	}
	return curves
}

// errorPanel returns the panel of both curves.
func (s sparsificationCurves) errorPanel(sigmaLine draw.LineStyle) drawing.Panel {
	p := drawing.NewPlot("fraction of rows left out", "mean |error|, relative to all rows")
	setLimitsFromZero(p, 1, 1.05*max(1, slices.Max(s.bySigma)))
	p.Add(
		newSegment(0, 1, 1, 1, idealLine),
		area{s.leftOut, s.byError, s.bySigma, areaColour},
		newCurve(s.leftOut, s.byError, oracleLine),
		newCurve(s.leftOut, s.bySigma, sigmaLine),
	)
	return drawing.Panel{Plot: p}
}

// distancePanel returns the panel of the distance between the curves.
func (s sparsificationCurves) distancePanel(sigmaLine draw.LineStyle, note string) drawing.Panel {
	p := drawing.NewPlot("fraction of rows left out", "distance from the oracle")
	setLimitsFromZero(p, 1, 1.1*max(0.1, slices.Max(s.distance)))
	zeros := make([]float64, len(s.leftOut))
	p.Add(area{s.leftOut, zeros, s.distance, areaColour}, newCurve(s.leftOut, s.distance, sigmaLine))
	return drawing.Panel{Plot: p, Note: note}
}

// remainingError returns a function of the fraction of the rows that are left out, which are the rows with
// the largest keys. The function returns the mean error of the remaining rows, relative to the mean error of
// all rows.
//
// Rows with equal keys are in no order, so each of them is left out by the same part: the sums between the
// ends of a run of equal keys are interpolated linearly.
func remainingError(c *measure.Column, errors, keys []float64) func(fraction float64) float64 {
	order := sortRows(keys)
	// Sums up to the end of each run of equal keys, in ascending order of the keys.
	var weightSums, errorSums []float64
	totalWeight := 0.0
	totalError := 0.0
	for i, row := range order {
		weight := rowWeight(c, row)
		totalWeight += weight
		totalError += weight * errors[row]
		if i+1 == len(order) || keys[order[i+1]] != keys[row] {
			weightSums = append(weightSums, totalWeight)
			errorSums = append(errorSums, totalError)
		}
	}
	return func(fraction float64) float64 {
		weight := (1 - fraction) * totalWeight
		run, _ := slices.BinarySearch(weightSums, weight)
		run = min(run, len(weightSums)-1)
		weightBefore := 0.0
		errorBefore := 0.0
		if run > 0 {
			weightBefore = weightSums[run-1]
			errorBefore = errorSums[run-1]
		}
		errorSum := errorBefore
		if weightSums[run] > weightBefore { // interpolate within the run
			errorSum += (weight - weightBefore) / (weightSums[run] - weightBefore) * (errorSums[run] - errorBefore)
		}
		return errorSum / weight / (totalError / totalWeight)
	}
}
