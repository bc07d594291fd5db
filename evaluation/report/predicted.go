package report

import (
	"context"
	"fmt"
	"math"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var predicted = Plot{
	Name:  "predicted",
	Title: "Predicted against true",
	Summary: "Left: the true value over the predicted mean; on the dashed line they are equal. Right: the error over the predicted mean. " +
		"A bend shows a dependence that the mean misses, and a funnel shows noise that depends on the prediction.",
	Draw: drawPredicted,
}

// drawPredicted draws the true values and the errors over the predicted means, in a panel each.
func drawPredicted(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	c := r.predictions()
	if c.Mean == nil {
		return f, "the target is a class", nil
	}
	if !canSquare(c) {
		return f, tooLarge, nil
	}
	const shownFraction = 0.998 // of the values, within the axes
	target := axisName(r.Target)
	errors := differences(c.Y, c.Mean)
	trueLow, trueHigh := chart.Quantiles(c.Y, shownFraction)
	meanLow, meanHigh := chart.Quantiles(c.Mean, shownFraction)
	low, high := chart.AddBorder(min(trueLow, meanLow), max(trueHigh, meanHigh), borderFraction)
	xLow, xHigh := chart.AddBorder(meanLow, meanHigh, borderFraction)
	errorLow, errorHigh := chart.Quantiles(errors, shownFraction)
	yLow, yHigh := chart.AddBorder(errorLow, errorHigh, borderFraction)
	f.Panels = []chart.Panel{
		{
			X: chart.Axis{Label: "predicted " + target, Min: low, Max: high},
			Y: chart.Axis{Label: "true " + target, Min: low, Max: high},
			Layers: []chart.Layer{
				{Kind: chart.Cloud, X: c.Mean, Y: c.Y, Colour: cloudColour},
				chart.Ideal(low, low, high, high),
			},
		}, {
			X: chart.Axis{Label: "predicted " + target, Min: xLow, Max: xHigh},
			Y: chart.Axis{Label: "true − predicted", Min: yLow, Max: yHigh},
			Layers: []chart.Layer{
				{Kind: chart.Cloud, X: c.Mean, Y: errors, Colour: cloudColour},
				chart.Ideal(xLow, 0, xHigh, 0),
			},
		},
	}
	return f, describeErrors(c), nil
}

// describeErrors returns a sentence with the root of the mean squared error and, unless all targets are equal, R².
func describeErrors(c *measure.Column) string {
	targetMean := c.Average(func(row int) float64 { return c.Y[row] })
	squaredError := c.Average(func(row int) float64 { return (c.Y[row] - c.Mean[row]) * (c.Y[row] - c.Mean[row]) })
	variance := c.Average(func(row int) float64 { return (c.Y[row] - targetMean) * (c.Y[row] - targetMean) })
	text := fmt.Sprintf("The root mean squared error is %.4g", math.Sqrt(squaredError))
	if variance > 0 {
		text += fmt.Sprintf(", R² is %.3f", 1-squaredError/variance)
	}
	return text + "."
}
