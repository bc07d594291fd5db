package plot

import (
	"context"
	"fmt"
	"math"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
)

var predicted = Plot{
	Name:  "predicted",
	Title: "Predicted against true",
	Summary: "Left: the true value over the predicted mean; on the dashed line they are equal. Right: the error over the predicted mean. " +
		"A bend shows a dependence that the mean misses, and a funnel shows noise that depends on the prediction.",
	Draw: drawPredicted,
}

// drawPredicted draws the true values and the errors over the predicted means, in a panel each.
func drawPredicted(_ context.Context, r *Rows) (Drawing, error) {
	c := r.predictions()
	if c.Mean == nil {
		return Drawing{Note: "the target is a class"}, nil
	}
	if !canSquare(c) {
		return Drawing{Note: tooLarge}, nil
	}
	return Drawing{
		Panels:  []drawing.Panel{truthPanel(c, axisName(r.Target)), errorPanel(c, axisName(r.Target))},
		Columns: 2,
		Note:    describeErrors(c),
	}, nil
}

// shownFraction is the fraction of the values that the axes of drawPredicted contain. The most extreme ones
// are beyond the axes.
const shownFraction = 0.998

// truthPanel returns the panel of the true values over the predicted means.
func truthPanel(c *measure.Column, target string) drawing.Panel {
	p := drawing.NewPlot("predicted "+target, "true "+target)
	trueLow, trueHigh := axes.Quantiles(c.Y, shownFraction)
	meanLow, meanHigh := axes.Quantiles(c.Mean, shownFraction)
	low, high := addBorder(min(trueLow, meanLow), max(trueHigh, meanHigh))
	setLimits(&p.X, low, high)
	setLimits(&p.Y, low, high)
	points, outside := newCloud(p, len(c.Y), func(row int) (float64, float64) { return c.Mean[row], c.Y[row] }, cloudColour)
	p.Add(points, newSegment(low, low, high, high, idealLine))
	return drawing.Panel{Plot: p, Note: drawing.CountNote(outside, "beyond the axes")}
}

// errorPanel returns the panel of the errors over the predicted means.
func errorPanel(c *measure.Column, target string) drawing.Panel {
	errors := make([]float64, len(c.Y))
	for row := range errors {
		errors[row] = c.Y[row] - c.Mean[row]
	}
	p := drawing.NewPlot("predicted "+target, "true − predicted")
	xLow, xHigh := addBorder(axes.Quantiles(c.Mean, shownFraction))
	yLow, yHigh := addBorder(axes.Quantiles(errors, shownFraction))
	setLimits(&p.X, xLow, xHigh)
	setLimits(&p.Y, yLow, yHigh)
	points, outside := newCloud(p, len(c.Y), func(row int) (float64, float64) { return c.Mean[row], errors[row] }, cloudColour)
	p.Add(points, newSegment(xLow, 0, xHigh, 0, idealLine))
	return drawing.Panel{Plot: p, Note: drawing.CountNote(outside, "beyond the axes")}
}

// describeErrors returns a sentence with the root of the mean squared error and, unless all targets
// are equal, R².
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
