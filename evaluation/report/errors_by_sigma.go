package report

import (
	"context"
	"fmt"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
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
func drawErrorsBySigma(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	if c.Std == nil {
		return f, noStd, nil
	}
	if !canSquare(c) {
		return f, tooLarge, nil
	}
	f.Panels = []chart.Panel{sigmaPanel(c), r.tenthsPanel()}
	return f, fmt.Sprintf("%v of the errors are within 1σ and %v within 3σ; a normal distribution has 68.3 %% and 99.7 %%.",
		percent(fractionWithin(c, 1)), percent(fractionWithin(c, 3))), nil
}

// sigmaPanel returns the panel of all rows, σ over |error|.
func sigmaPanel(c *measure.Column) chart.Panel {
	const (
		shownFraction = 0.99 // of the errors and of σ, within the axes
		errorBorder   = 1.03 // factor
		sigmaBorder   = 1.06 // factor
	)
	errors := c.AbsoluteErrors()
	_, maxError := chart.Quantiles(errors, shownFraction)
	_, maxSigma := chart.Quantiles(c.Std, shownFraction)
	end := errorBorder * maxError
	oneSigma := chart.Straight(0, 0, end, end, chart.Ink)
	oneSigma.Name = "σ = |error|"
	threeSigma := chart.Straight(0, 0, end, end/3, chart.Red)
	threeSigma.Name = "3σ = |error|"
	return chart.Panel{
		X: chart.Axis{Label: "|error|", Max: end},
		Y: chart.Axis{Label: "σ", Max: sigmaBorder * maxSigma},
		Layers: []chart.Layer{
			{Kind: chart.Cloud, X: errors, Y: c.Std, Colour: cloudColour},
			oneSigma,
			threeSigma,
		},
	}
}

// tenthsPanel returns the panel with a point for each tenth of the rows, its error over its σ, for all versions of the
// predictions. Both axes have the same limits.
func (r *Rows) tenthsPanel() chart.Panel {
	const border = 1.05 // factor
	p := chart.Panel{
		X: chart.Axis{Label: "σ of a tenth of the rows"},
		Y: chart.Axis{Label: "error of these rows"},
	}
	highest := 0.0
	for _, v := range r.versions("") {
		sigmas, errors := sigmaTenths(v.Column)
		highest = slices.Max(slices.Concat([]float64{highest}, sigmas, errors))
		p.Layers = append(p.Layers,
			chart.Layer{Name: v.name, X: sigmas, Y: errors, Colour: v.colour},
			chart.Layer{Kind: chart.Points, X: sigmas, Y: errors, Colour: v.colour})
	}
	_, highest = chart.Widen(0, highest) // above 0, even if all σ and errors are 0
	limit := border * highest
	p.X.Max = limit
	p.Y.Max = limit
	p.Layers = append([]chart.Layer{chart.Ideal(0, 0, limit, limit)}, p.Layers...)
	return p
}

// fractionWithin returns the weighted fraction of the rows whose |error| is at most factor·σ.
func fractionWithin(c *measure.Column, factor float64) float64 {
	errors := c.AbsoluteErrors()
	return c.Average(func(row int) float64 {
		if errors[row] <= factor*c.Std[row] {
			return 1
		}
		return 0
	})
}

// sigmaTenths divides the rows by σ into ten groups of equal size, or fewer groups if rows are few. It returns for each
// group the root of its mean σ², and the root of its mean squared error. It leaves out groups whose weights are all 0.
func sigmaTenths(c *measure.Column) (sigmas, rootErrors []float64) {
	const maxGroups = 10
	errors := c.AbsoluteErrors()
	for _, rows := range groupRows(sortRows(c.Std), maxGroups, minGroupRows) {
		sigma, ok := rootMeanSquare(c, rows, c.Std)
		if !ok {
			continue
		}
		rootError, _ := rootMeanSquare(c, rows, errors) // has the same weights
		sigmas = append(sigmas, sigma)
		rootErrors = append(rootErrors, rootError)
	}
	return sigmas, rootErrors
}
