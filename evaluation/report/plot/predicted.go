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
	Name: "predicted", Title: "Predicted against true",
	Summary: "What was predicted and what was true: on the dashed line the two are one. Beside it the error over the prediction, in which what the mean misses shows as a bend, and noise that depends on it as a funnel.",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		c := r.predictions()
		if c.Mean == nil {
			return Drawn{Note: "the target is a class"}, nil
		}
		if !squarable(c) {
			return Drawn{Note: tooLarge}, nil
		}
		n := len(c.Y)
		off := make([]float64, n)
		for row := range off {
			off[row] = c.Y[row] - c.Mean[row]
		}
		lowY, highY := axes.Quantiles(c.Y, 0.998)
		lowMean, highMean := axes.Quantiles(c.Mean, 0.998)
		lowOff, highOff := axes.Quantiles(off, 0.998)
		low, high := bordered(min(lowY, lowMean), max(highY, highMean))
		p, d := drawing.NewPlot("predicted "+plain(r.Target), "true "+plain(r.Target)), drawing.NewPlot("predicted "+plain(r.Target), "true − predicted")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, low, high
		d.X.Min, d.X.Max = bordered(lowMean, highMean)
		d.Y.Min, d.Y.Max = bordered(lowOff, highOff)
		points, outside := cloudOf(p, n, func(row int) (float64, float64) { return c.Mean[row], c.Y[row] }, cloudColour)
		errors, beyond := cloudOf(d, n, func(row int) (float64, float64) { return c.Mean[row], off[row] }, cloudColour)
		p.Add(points, straight(low, low, high, high, honest))
		d.Add(errors, straight(d.X.Min, 0, d.X.Max, 0, honest))
		return Drawn{
			Panels: []drawing.Panel{{Plot: p, Note: drawing.Note(outside, "beyond the axes")}, {Plot: d, Note: drawing.Note(beyond, "beyond the axes")}}, Across: 2,
			Note: saysErrors(c),
		}, nil
	},
}

// saysErrors is the size of the errors.
func saysErrors(c *measure.Column) string {
	square := func(of func(row int) float64) float64 {
		return c.Average(func(row int) float64 { return of(row) * of(row) })
	}
	wrong := square(func(row int) float64 { return c.Y[row] - c.Mean[row] })
	mean := c.Average(func(row int) float64 { return c.Y[row] })
	says := fmt.Sprintf("The root of the mean squared error is %.4g", math.Sqrt(wrong))
	if all := square(func(row int) float64 { return c.Y[row] - mean }); all > 0 {
		says += fmt.Sprintf(", R² is %.3f", 1-wrong/all)
	}
	return says + "."
}

// bordered widens a range a little, so that what is at its ends is seen.
func bordered(low, high float64) (float64, float64) {
	border := 0.03 * (high - low)
	return low - border, high + border
}
