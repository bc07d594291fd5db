package plot

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
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
// versions of the predictions. Both axes have the same limits.
func (r *Rows) tenthsPanel() drawing.Panel {
	const border = 1.05 // factor
	highest := 0.0
	var curves []plotter.XYs // by version
	for _, c := range r.versions() {
		tenths := sigmaTenths(c)
		curves = append(curves, tenths)
		for _, tenth := range tenths {
			highest = max(highest, tenth.X, tenth.Y)
		}
	}
	_, highest = axes.Widen(0, highest) // above 0, even if all σ and errors are 0
	limit := border * highest
	p := drawing.NewPlot("σ of a tenth of the rows", "error of these rows")
	setLimitsFromZero(p, limit, limit)
	p.Add(newSegment(0, 0, limit, limit, idealLine))
	for version, tenths := range curves {
		p.Add(newLine(tenths, r.versionLine(version)))
		p.Add(discs{points: tenths, colour: r.versionColour(version)})
	}
	return drawing.Panel{Plot: p}
}

// fractionWithin returns the weighted fraction of the rows whose |error| is at most factor·σ. It is the
// average of a number that is 1 for these rows and 0 for the others.
func fractionWithin(c *measure.Column, factor float64) float64 {
	return c.Average(func(row int) float64 {
		if math.Abs(c.Y[row]-c.Mean[row]) <= factor*c.Std[row] {
			return 1
		}
		return 0
	})
}

// sigmaTenths divides the rows by σ into ten groups of equal size, or fewer groups if rows are few. It
// returns a point for each group: X is the root of its mean σ², and Y the root of its mean squared error.
// It leaves out groups whose weights are all 0.
func sigmaTenths(c *measure.Column) plotter.XYs {
	const maxGroups = 10
	errors := absoluteErrors(c)
	var points plotter.XYs
	for _, rows := range groupRows(sortRows(c.Std), maxGroups, minGroupRows) {
		sigma, ok := rootMeanSquare(c, rows, c.Std)
		if !ok {
			continue
		}
		rootError, _ := rootMeanSquare(c, rows, errors) // has the same weights
		points = append(points, plotter.XY{X: sigma, Y: rootError})
	}
	return points
}
