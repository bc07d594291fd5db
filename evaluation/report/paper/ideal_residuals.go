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

// idealCorrelation returns Pearson's correlation of |r| and σ for an ideal mechanism, σ ~ U(0,2) and
// r ~ N(0,σ): 0.552, the paper's 55 %. With E|z| = √(2/π) for a standard normal z, the covariance is
// E|z|·Var σ = √(2/π)/3, and the variance of |r| is E σ² − (E|z|·E σ)² = 4/3 − 2/π.
func idealCorrelation() float64 {
	const sigmaVariance = 1.0 / 3 // of U(0,2): its width squared, over 12
	return math.Sqrt(2/math.Pi) * sigmaVariance / math.Sqrt(sigmaVariance*(4.0/3-2/math.Pi))
}

// idealResiduals draws figure 10: residuals and uncertainties if the uncertainties are right. It draws
// 3000 standard deviations σ ~ U(0,2) and a residual r ~ N(0,σ) for each. 68.3 % of the points are
// expected above the 1σ lines and 99.7 % above the 3σ lines; a note has the observed percentages and
// the correlation of |r| and σ.
func idealResiduals(context.Context, *part) (f *drawing.Figure, caption string, err error) {
	const (
		seed           = 1
		residualBorder = 1.02 // factor: space beyond the largest residual
		highestSigma   = 2.04 // upper end of the axis, a little above the largest σ
		radius         = 1.1  // of a point, in points
	)
	points := idealPoints(seed)
	note := fmt.Sprintf("above 1σ: %.1f %%, above 3σ: %.1f %%; Pearson correlation of |r| and σ: %.3f (expected %.3f)",
		percentWithin(points, 1), percentWithin(points, 3), sizeCorrelation(points), idealCorrelation())
	p := residualPlot(points, residualBorder*widestResidual(points, 1), highestSigma, radius)
	p.X.Label.Text = "residual r"
	p.X.Padding = 4
	p.X.Tick.Marker = axes.RoundTicks(5)
	p.Y.Label.Text = "uncertainty σ"
	p.Y.Padding = 0
	p.Y.Tick.Marker = axes.RoundTicks(4)
	f = &drawing.Figure{
		Width:  5 * vg.Inch,
		Height: 3.6 * vg.Inch,
		Panels: [][]drawing.Panel{{{Note: note, Plot: p}}},
		Legend: [][]drawing.Entry{sigmaLegend},
	}
	caption = "Residuals and uncertainties of ideal predictions: the residuals are drawn from the predicted normal distributions. " +
		fmt.Sprintf("Even so, Pearson's correlation of |r| and σ is only %.3f.", idealCorrelation())
	return f, caption, nil
}

// idealPoints draws 3000 points with the given seed. x is a residual, drawn from N(0,σ), and y is its σ, drawn
// from U(0,2).
func idealPoints(seed uint64) plotter.XYs {
	const (
		count      = 3000
		largestStd = 2
	)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := make(plotter.XYs, count)
	for i := range points {
		std := largestStd * rng.Float64()
		points[i] = plotter.XY{X: std * rng.NormFloat64(), Y: std}
	}
	return points
}

// percentWithin returns the percentage of points with |r| ≤ factor·σ, where r is a point's x and σ its y.
func percentWithin(points plotter.XYs, factor float64) float64 {
	within := 0.0 // number of points
	for _, p := range points {
		if math.Abs(p.X) <= factor*p.Y {
			within++
		}
	}
	return 100 * within / float64(len(points))
}

// sizeCorrelation returns Pearson's correlation of |r| and σ, where r is a point's x, a residual, and σ its y.
func sizeCorrelation(points plotter.XYs) float64 {
	var sizes, stds []float64
	for _, p := range points {
		sizes = append(sizes, math.Abs(p.X))
		stds = append(stds, p.Y)
	}
	return correlation(sizes, stds)
}

// correlation returns Pearson's correlation of x and y. float64(x*y) keeps the compiler from fusing
// a product and a sum, which would round differently on some CPUs.
func correlation(x, y []float64) float64 {
	xMean := statistics.Mean(x)
	yMean := statistics.Mean(y)
	var xy, xx, yy float64 // sums of products of the distances from the means
	for i := range x {
		xy += float64((x[i] - xMean) * (y[i] - yMean))
		xx += float64((x[i] - xMean) * (x[i] - xMean))
		yy += float64((y[i] - yMean) * (y[i] - yMean))
	}
	return xy / math.Sqrt(float64(xx*yy))
}
