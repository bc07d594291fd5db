package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/internal/statistics"
)

// idealCorrelation is Pearson's correlation of |r| and σ for an ideal
// mechanism, σ ~ U(0,2) and r ~ N(0,σ): 0.552, the paper's 55 %. With E|z| =
// √(2/π) for a standard normal z, the covariance is E|z|·Var σ = √(2/π)/3, and
// the variance of |r| is E σ² − (E|z|·E σ)² = 4/3 − 2/π.
func idealCorrelation() float64 {
	const variance = 1.0 / 3 // of σ
	return math.Sqrt(2/math.Pi) * variance / math.Sqrt(variance*(4.0/3-2/math.Pi))
}

// idealResiduals is figure 10: what residuals and uncertainties look like where the
// uncertainties are right. 3000 standard deviations σ ~ U(0,2) are drawn, and a
// residual r ~ N(0,σ) for each; 68.3 % of the points lie above the 1σ lines and
// 99.7 % above the 3σ lines. A note says how many of those drawn do, and how |r| and
// σ are correlated.
func idealResiduals(context.Context, *part) (*drawing.Figure, string, error) {
	points := idealPoints(1)
	note := fmt.Sprintf("above 1σ: %.1f %%, above 3σ: %.1f %%; Pearson correlation of |r| and σ: %.3f (expected %.3f)",
		percentWithin(points, 1), percentWithin(points, 3), sizeCorrelation(points), idealCorrelation())
	p := residualPlot(points, 1.02*widestResidual(points, 1), 2.04, 1.1)
	p.X.Label.Text, p.Y.Label.Text = "residual r", "uncertainty σ"
	p.X.Padding, p.Y.Padding = 4, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = axes.RoundTicks(5), axes.RoundTicks(4)
	return &drawing.Figure{
			Width: 5 * vg.Inch, Height: 3.6 * vg.Inch,
			Panels: [][]drawing.Panel{{{Note: note, Plot: p}}},
			Legend: [][]drawing.Entry{sigmaLegend},
		}, "Residuals and uncertainties of an ideal mechanism: residuals are drawn from the predicted normal distributions. " +
			fmt.Sprintf("Even so, Pearson's correlation of |r| and σ is only %.3f.", idealCorrelation()), nil
}

// idealPoints draws 3000 pairs of a residual and its standard deviation.
func idealPoints(seed uint64) plotter.XYs {
	rng := rand.New(rand.NewPCG(seed, 0))
	points := make(plotter.XYs, 3000)
	for i := range points {
		std := 2 * rng.Float64()
		points[i] = plotter.XY{X: std * rng.NormFloat64(), Y: std}
	}
	return points
}

// percentWithin returns the percentage of points whose residual is at most times its standard
// deviation.
func percentWithin(points plotter.XYs, times float64) float64 {
	n := 0.0
	for _, p := range points {
		if math.Abs(p.X) <= times*p.Y {
			n++
		}
	}
	return 100 * n / float64(len(points))
}

// sizeCorrelation returns Pearson's correlation of |r| and σ, where r is a residual.
func sizeCorrelation(points plotter.XYs) float64 {
	var sizes, stds []float64
	for _, p := range points {
		sizes, stds = append(sizes, math.Abs(p.X)), append(stds, p.Y)
	}
	return correlation(sizes, stds)
}

// correlation returns Pearson's correlation of x and y.
func correlation(x, y []float64) float64 {
	a, b := statistics.Mean(x), statistics.Mean(y)
	var xy, xx, yy float64
	for i := range x {
		xy += float64((x[i] - a) * (y[i] - b))
		xx += float64((x[i] - a) * (x[i] - a))
		yy += float64((y[i] - b) * (y[i] - b))
	}
	return xy / math.Sqrt(float64(xx*yy))
}
