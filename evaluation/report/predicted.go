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
	target := axisName(r.Target)
	f.Panels = []chart.Panel{truthPanel(c, target), errorPanel(c, target)}
	return f, describeErrors(c), nil
}

// shownPredictions is the fraction of the values that are within the axes of drawPredicted.
const shownPredictions = 0.998

// truthPanel returns the panel of the true values over the predicted means. Both axes have the same limits.
func truthPanel(c *measure.Column, target string) chart.Panel {
	trueLow, trueHigh := chart.Quantiles(c.Y, shownPredictions)
	meanLow, meanHigh := chart.Quantiles(c.Mean, shownPredictions)
	low, high := chart.AddBorder(min(trueLow, meanLow), max(trueHigh, meanHigh), borderFraction)
	return chart.Panel{
		X: chart.Axis{Label: "predicted " + target, Min: low, Max: high},
		Y: chart.Axis{Label: "true " + target, Min: low, Max: high},
		Layers: []chart.Layer{
			{Kind: chart.Cloud, X: c.Mean, Y: c.Y, Colour: cloudColour},
			chart.Ideal(low, low, high, high),
		},
	}
}

// errorPanel returns the panel of the errors over the predicted means.
func errorPanel(c *measure.Column, target string) chart.Panel {
	errors := differences(c.Y, c.Mean)
	meanLow, meanHigh := chart.Quantiles(c.Mean, shownPredictions)
	xLow, xHigh := chart.AddBorder(meanLow, meanHigh, borderFraction)
	errorLow, errorHigh := chart.Quantiles(errors, shownPredictions)
	yLow, yHigh := chart.AddBorder(errorLow, errorHigh, borderFraction)
	return chart.Panel{
		X: chart.Axis{Label: "predicted " + target, Min: xLow, Max: xHigh},
		Y: chart.Axis{Label: "true − predicted", Min: yLow, Max: yHigh},
		Layers: []chart.Layer{
			{Kind: chart.Cloud, X: c.Mean, Y: errors, Colour: cloudColour},
			chart.Ideal(xLow, 0, xHigh, 0),
		},
	}
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
