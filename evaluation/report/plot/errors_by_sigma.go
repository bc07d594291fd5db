package plot

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

var (
	oneSigmaLine   = draw.LineStyle{Color: drawing.Ink, Width: 1.1}
	threeSigmaLine = draw.LineStyle{Color: drawing.Red, Width: 1.1}
)

var errorsBySigma = Plot{
	Name:  "errors",
	Title: "σ against the error",
	Summary: "Left: σ over the absolute error of each row, with the lines on which the error is σ and 3σ. If σ is realistic, very few rows lie below the 3σ line. " +
		"Right: the rows in ten parts by σ, and for each part the root mean squared error over the root mean squared σ. On the dashed line σ is right, whether it is small or large.",
	Source: "Sicking et al. (2021), figure 11; Levi et al. (2022), Evaluating and calibrating uncertainty prediction in regression tasks",
	Draw:   drawErrorsBySigma,
}

// drawErrorsBySigma draws the panel of all rows and, beside it, the panel of tenths.
func drawErrorsBySigma(_ context.Context, r *Rows) (Drawing, error) {
	c := r.predictions()
	if c.Std == nil {
		return Drawing{Note: noStd}, nil
	}
	if !canSquare(c) {
		return Drawing{Note: tooLarge}, nil
	}
	legend := []drawing.Entry{drawing.LineEntry("σ = |error|", oneSigmaLine), drawing.LineEntry("3σ = |error|", threeSigmaLine)}
	if r.Calibrated != nil {
		legend = append(legend, r.versionEntries("")...)
	}
	return Drawing{
		Panels:  []drawing.Panel{sigmaPanel(c), r.tenthsPanel()},
		Columns: 2,
		Legend:  legend,
		Note: fmt.Sprintf("%v of the errors are within 1σ and %v within 3σ; a normal distribution has 68.3 %% and 99.7 %%.",
			percent(fractionWithin(c, 1)), percent(fractionWithin(c, 3))),
	}, nil
}

// sigmaPanel returns the panel of all rows, σ over |error|.
func sigmaPanel(c *measure.Column) drawing.Panel {
	const (
		shownFraction = 0.99 // of the errors and of σ, within the axes
		errorBorder   = 1.03 // factor
		sigmaBorder   = 1.06 // factor
	)
	errors := absoluteErrors(c)
	_, maxError := axes.Quantiles(errors, shownFraction)
	_, maxSigma := axes.Quantiles(c.Std, shownFraction)
	p := drawing.NewPlot("|error|", "σ")
	setLimitsFromZero(p, errorBorder*maxError, sigmaBorder*maxSigma)
	points, outside := newCloud(p, len(errors), func(row int) (float64, float64) { return errors[row], c.Std[row] }, cloudColour)
	p.Add(
		points,
		newSegment(0, 0, p.X.Max, p.X.Max, oneSigmaLine),
		newSegment(0, 0, p.X.Max, p.X.Max/3, threeSigmaLine),
	)
	return drawing.Panel{Plot: p, Note: drawing.CountNote(outside, "beyond the axes")}
}

// tenthsPanel returns the panel with a point for each tenth of the rows, its error over its σ, for all
// versions of the predictions.
func (r *Rows) tenthsPanel() drawing.Panel {
	p := drawing.NewPlot("σ of a tenth of the rows", "error of these rows")
	highest := 0.0
	var curves []sigmaTenths
	for _, c := range r.versions() {
		tenths := newSigmaTenths(c)
		curves = append(curves, tenths)
		highest = max(highest, slices.Max(tenths.sigma), slices.Max(tenths.error))
	}
	_, highest = axes.Widen(0, highest)
	limit := 1.05 * highest
	setLimitsFromZero(p, limit, limit)
	p.Add(newSegment(0, 0, limit, limit, idealLine))
	for version, tenths := range curves {
		p.Add(newCurve(tenths.sigma, tenths.error, r.versionLine(version)))
		p.Add(discs{zipPoints(tenths.sigma, tenths.error), r.versionColour(version)})
	}
	return drawing.Panel{Plot: p}
}

// fractionWithin returns the weighted fraction of the rows whose |error| is at most factor·σ.
func fractionWithin(c *measure.Column, factor float64) float64 {
	return c.Average(func(row int) float64 {
		if math.Abs(c.Y[row]-c.Mean[row]) <= factor*c.Std[row] {
			return 1
		}
		return 0
	})
}

// sigmaTenths compares σ with the errors in groups of rows with similar σ.
type sigmaTenths struct {
	sigma []float64 // root of the mean σ² of each group
	error []float64 // root of the mean squared error of each group
}

// newSigmaTenths divides the rows by σ into ten groups of equal size, or fewer groups of at least
// minGroupRows rows. A group whose weights are all 0 is left out.
func newSigmaTenths(c *measure.Column) sigmaTenths {
	const (
		maxGroups    = 10
		minGroupRows = 5
	)
	order := sortRows(c.Std)
	n := len(order)
	groups := max(1, min(maxGroups, n/minGroupRows))
	var tenths sigmaTenths
	for i := range groups {
		var weights, sigmaSquares, errorSquares float64
		for _, row := range order[i*n/groups : (i+1)*n/groups] {
			weight := rowWeight(c, row)
			deviation := c.Y[row] - c.Mean[row]
			weights += weight
			sigmaSquares += weight * c.Std[row] * c.Std[row]
			errorSquares += weight * deviation * deviation
		}
		if weights > 0 {
			tenths.sigma = append(tenths.sigma, math.Sqrt(sigmaSquares/weights))
			tenths.error = append(tenths.error, math.Sqrt(errorSquares/weights))
		}
	}
	return tenths
}
