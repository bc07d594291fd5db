package evaluation

import "sml/data/portable"

// kolmogorov is the two-sided Kolmogorov–Smirnov distance sup|F_n − Φ| between
// the residuals r, in ascending order, and N(0,1). F_n jumps at each residual,
// so the supremum is found on one side of a jump.
func kolmogorov(r []float64) float64 {
	n := float64(len(r))
	var distance float64
	for i, z := range r {
		q := portable.NormalCDF(z)
		distance = max(distance, float64(i+1)/n-q, q-float64(i)/n)
	}
	return distance
}
