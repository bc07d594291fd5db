package plot

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"gonum.org/v1/plot/plotter"
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
	meanError := c.Average(func(row int) float64 { return errors[row] })
	if meanError == 0 { // no error could be relative to it
		return Drawing{Note: "all errors are 0"}, nil
	}
	ause, err := measure.Lookup("ause")
	if err != nil {
		return Drawing{}, err
	}
	score := ause.Compute(c)
	curve := newSparsificationCurve(c, errors)
	sigmaLine := r.versionLine(len(r.versions()) - 1)
	return Drawing{
		Panels: []drawing.Panel{
			curve.errorPanel(sigmaLine),
			curve.distancePanel(sigmaLine, fmt.Sprintf("AUSE %.3f", score)),
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

// sparsificationCurve is the mean error of the rows that remain when fractions of the rows are left out,
// relative to the mean error of all rows.
type sparsificationCurve []sparsificationPoint

// sparsificationPoint has the mean errors of the rows that remain when one fraction is left out.
type sparsificationPoint struct {
	leftOut float64 // fraction that is left out
	bySigma float64 // mean error without the rows with the largest σ
	byError float64 // mean error without the rows with the largest errors, as an oracle would choose
}

// newSparsificationCurve returns the curve at the fractions 0, 0.01 … 0.99. errors are the absolute
// errors of the rows.
func newSparsificationCurve(c *measure.Column, errors []float64) sparsificationCurve {
	const steps = 100
	withoutSigma := remainingError(c, errors, c.Std)
	withoutError := remainingError(c, errors, errors)
	var curve sparsificationCurve
	for i := range steps {
		fraction := float64(i) / steps
		curve = append(curve, sparsificationPoint{
			leftOut: fraction,
			bySigma: withoutSigma(fraction),
			byError: withoutError(fraction),
		})
	}
	return curve
}

// line returns the points of a line: X is the fraction left out, Y the value that y returns.
func (s sparsificationCurve) line(y func(sparsificationPoint) float64) plotter.XYs {
	var points plotter.XYs
	for _, point := range s {
		points = append(points, plotter.XY{X: point.leftOut, Y: y(point)})
	}
	return points
}

// errorPanel returns the panel of the mean errors, by σ and by the oracle, with the area between them.
func (s sparsificationCurve) errorPanel(sigmaLine draw.LineStyle) drawing.Panel {
	const border = 1.05 // factor
	bySigma := s.line(func(point sparsificationPoint) float64 { return point.bySigma })
	byError := s.line(func(point sparsificationPoint) float64 { return point.byError })
	between := area{colour: areaColour}
	for _, point := range s {
		between.spans = append(between.spans, span{x: point.leftOut, low: point.byError, high: point.bySigma})
	}
	p := drawing.NewPlot("fraction of rows left out", "mean |error|, relative to all rows")
	setLimitsFromZero(p, 1, border*max(1, slices.Max(yValues(bySigma))))
	p.Add(
		newSegment(0, 1, 1, 1, idealLine),
		between,
		newLine(byError, oracleLine),
		newLine(bySigma, sigmaLine),
	)
	return drawing.Panel{Plot: p}
}

// distancePanel returns the panel of the distance between the two lines of errorPanel, with the area below
// it.
func (s sparsificationCurve) distancePanel(sigmaLine draw.LineStyle, note string) drawing.Panel {
	const (
		border     = 1.1 // factor
		minHighest = 0.1 // a smaller distance looks small
	)
	distances := s.line(func(point sparsificationPoint) float64 { return point.bySigma - point.byError })
	below := area{colour: areaColour}
	for _, point := range distances {
		below.spans = append(below.spans, span{x: point.X, low: 0, high: point.Y})
	}
	p := drawing.NewPlot("fraction of rows left out", "distance from the oracle")
	setLimitsFromZero(p, 1, border*max(minHighest, slices.Max(yValues(distances))))
	p.Add(below, newLine(distances, sigmaLine))
	return drawing.Panel{Plot: p, Note: note}
}

// remainingError returns a function of the fraction of the rows that are left out, which are the rows with
// the largest keys. The function returns the mean error of the remaining rows, relative to the mean error of
// all rows.
//
// Rows with equal keys are in no order, so each of them is left out by the same part: the sums between the
// ends of a run of equal keys are interpolated linearly.
func remainingError(c *measure.Column, errors, keys []float64) func(leftOut float64) float64 {
	runs := sumRuns(c, errors, keys)
	total := runs[len(runs)-1]
	return func(leftOut float64) float64 {
		weight := (1 - leftOut) * total.weight
		run := sort.Search(len(runs)-1, func(i int) bool { return runs[i].weight >= weight }) // in which the remaining weight ends
		var before runSums
		if run > 0 {
			before = runs[run-1]
		}
		end := runs[run]
		errorSum := before.error
		if end.weight > before.weight { // interpolate within the run
			errorSum += (weight - before.weight) / (end.weight - before.weight) * (end.error - before.error)
		}
		return errorSum / weight / (total.error / total.weight)
	}
}

// runSums has sums over all rows up to the end of a run of equal keys.
type runSums struct {
	weight float64 // of the rows
	error  float64 // of the rows, each times its weight
}

// sumRuns returns the sums up to the end of each run of rows with equal keys, in ascending order of the
// keys. The last one has the sums over all rows.
func sumRuns(c *measure.Column, errors, keys []float64) []runSums {
	sorted := sortRows(keys)
	var runs []runSums
	var sums runSums
	for i, row := range sorted {
		weight := rowWeight(c, row)
		sums.weight += weight
		sums.error += weight * errors[row]
		isRunEnd := i+1 == len(sorted) || keys[sorted[i+1]] != keys[row]
		if isRunEnd {
			runs = append(runs, sums)
		}
	}
	return runs
}
