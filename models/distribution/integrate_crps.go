package distribution

import "slices"

// integrateCRPS returns ∫ (F(x) − 1[x ≥ y])² dx for a distribution with the CDF F, by Gauss-Legendre quadrature between
// quantiles and y. It leaves out what lies beyond the outermost of these numbers, where the integrand is below 1e-18.
func integrateCRPS(d Distribution, y float64) float64 {
	edges := []float64{y}
	for _, level := range []float64{1e-9, 1e-6, 1e-4, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-4, 1 - 1e-6, 1 - 1e-9} {
		edges = append(edges, d.Quantile(level))
	}
	slices.Sort(edges)
	points, weights := gaussLegendre()
	var x []float64
	var widths []float64 // of the interval around each point of quadrature
	for i, high := range edges[1:] {
		low := edges[i]
		for k, point := range points {
			x = append(x, low+float64((high-low)*point))
			widths = append(widths, (high-low)*weights[k])
		}
	}
	sum := 0.0
	for i, probability := range cdfsOf(d, x) {
		if x[i] > y {
			probability = 1 - probability
		}
		sum += float64(widths[i] * float64(probability*probability))
	}
	return sum
}

// cdfsOf returns the CDF of a distribution at each y, at once if the distribution can do that.
func cdfsOf(d Distribution, y []float64) []float64 {
	if many, ok := d.(interface{ cdfs(y []float64) []float64 }); ok {
		return many.cdfs(y)
	}
	probabilities := make([]float64, len(y))
	for i, v := range y {
		probabilities[i] = d.CDF(v)
	}
	return probabilities
}
