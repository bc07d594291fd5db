package paper

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat"

	"sml/evaluation/report/chart"
)

// idealCorrelation returns Pearson's correlation of |r| and σ for an ideal mechanism, σ ~ U(0,2) and r ~ N(0,σ): 0.552,
// the paper's 55 %. With E|z| = √(2/π) for a standard normal z, the covariance is E|z|·Var σ = √(2/π)/3, and the variance
// of |r| is E σ² − (E|z|·E σ)² = 4/3 − 2/π.
func idealCorrelation() float64 {
	const sigmaVariance = 1.0 / 3 // of U(0,2): its width squared, over 12
	return math.Sqrt(2/math.Pi) * sigmaVariance / math.Sqrt(sigmaVariance*(4.0/3-2/math.Pi))
}

// idealResiduals draws figure 10: residuals and uncertainties if the uncertainties are right. It draws 3000 standard
// deviations σ ~ U(0,2) and a residual r ~ N(0,σ) for each. 68.3 % of the points are expected above the 1σ lines and
// 99.7 % above the 3σ lines; a note has the observed percentages and the correlation of |r| and σ.
func idealResiduals(context.Context, *part) (f chart.Figure, caption string, err error) {
	const (
		seed           = 1
		residualBorder = 1.02 // factor: space beyond the largest residual
		highestSigma   = 2.04 // upper end of the axis, a little above the largest σ
	)
	points := idealPoints(seed)
	points.Radius = 1.1
	p := residualPanel(points, residualBorder*widestResidual(points.X, 1), highestSigma)
	p.X.Label = "residual r"
	p.Y.Label = "uncertainty σ"
	p.Note = fmt.Sprintf("above 1σ: %.1f %%, above 3σ: %.1f %%; Pearson correlation of |r| and σ: %.3f (expected %.3f)",
		percentWithin(points, 1), percentWithin(points, 3), sizeCorrelation(points), idealCorrelation())
	f = chart.Figure{Width: 400, PanelHeight: 240, Panels: []chart.Panel{p}}
	caption = "Residuals and uncertainties of ideal predictions: the residuals are drawn from the predicted normal distributions. " +
		fmt.Sprintf("Even so, Pearson's correlation of |r| and σ is only %.3f.", idealCorrelation())
	return f, caption, nil
}

// idealPoints draws 3000 points with the given seed: σ from U(0,2), and r from N(0,σ). They are the points of a cloud,
// whose x is r and whose y is σ.
func idealPoints(seed uint64) chart.Layer {
	const (
		count      = 3000
		largestStd = 2
	)
	rng := rand.New(rand.NewPCG(seed, 0))
	var points chart.Layer
	for range count {
		std := largestStd * rng.Float64()
		points.Add(std*rng.NormFloat64(), std)
	}
	return points
}

// percentWithin returns the percentage of points with |r| ≤ factor·σ.
func percentWithin(points chart.Layer, factor float64) float64 {
	within := 0.0 // number of points
	for i, residual := range points.X {
		if math.Abs(residual) <= factor*points.Y[i] {
			within++
		}
	}
	return 100 * within / float64(len(points.X))
}

// sizeCorrelation returns Pearson's correlation of |r| and σ.
func sizeCorrelation(points chart.Layer) float64 {
	var sizes []float64
	for _, residual := range points.X {
		sizes = append(sizes, math.Abs(residual))
	}
	return stat.Correlation(sizes, points.Y, nil)
}
