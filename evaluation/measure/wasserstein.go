package measure

import (
	"math"

	"sml/internal/portable"
)

var ws = Measure{
	Name:       "ws",
	Title:      "WS",
	Summary:    "Wasserstein-1 distance between the distribution of r and N(0, 1)",
	Formula:    "∫|Fₙ⁻¹(q) − Φ⁻¹(q)| dq",
	Convention: "exact; the notebook draws 100,000 normal numbers. ∞ under the sound protocol if a row has σ = 0 and a wrong mean. For distributions that are not normal |r| is at most 8.2, the limit of a CDF in double precision",
	Source:     "Sicking et al., second-moment loss, appendix \"Evaluation measures\"",
	Unit:       None,
	Needs:      []Part{CDF},
	Compute:    func(c *Column) float64 { return wasserstein(c.Residuals(), c.sortedResidualWeights()) },
}

// wasserstein returns the Wasserstein-1 distance ∫|Fₙ⁻¹(q) − Φ⁻¹(q)| dq over 0 < q < 1 between the
// residuals r, in ascending order, and N(0, 1). It is exact up to rounding (a relative error below
// 1e-10 for a million residuals), and +Inf if a residual is infinite.
//
// Fₙ⁻¹ is r[i] between q = i/n and (i+1)/n, and ∫Φ⁻¹ dq = −φ(Φ⁻¹(q)), so each of these n pieces has
// a closed form. A piece of the upper half equals its mirror image, −r[i] in the lower half:
// computing it there keeps the full relative precision of a small q, which 1 − q would lose. With
// weights, the pieces are as wide as the weights, and a piece in both halves is split.
func wasserstein(r, weights []float64) float64 {
	n := len(r)
	if math.IsInf(r[0], 0) || math.IsInf(r[n-1], 0) {
		return math.Inf(1)
	}
	if weights != nil {
		return weightedWasserstein(r, cumulativeSteps(weights))
	}
	width := 1 / float64(n)
	lower := quantileAt(0)
	var sum float64
	for i := 0; 2*i < n; i++ {
		upper := quantileAt(float64(i+1) / float64(n))
		distance := pieceDistance(r[i], lower, upper, width)
		mirror := n - 1 - i
		if mirror != i {
			distance += pieceDistance(-r[mirror], lower, upper, width)
		}
		sum += distance
		lower = upper
	}
	return sum
}

// weightedWasserstein is wasserstein for residuals with weights, given the steps of their
// empirical distribution function.
func weightedWasserstein(r []float64, steps []step) float64 {
	var sum float64
	for i, s := range steps {
		if s.below < 0.5 {
			sum += lowerHalfDistance(r[i], s.below, min(0.5, s.above))
		}
		if s.fromTop < 0.5 { // the upper half, mirrored
			sum += lowerHalfDistance(-r[i], s.fromTop, min(0.5, s.toTop))
		}
	}
	return sum
}

// lowerHalfDistance returns ∫|r − Φ⁻¹(q)| dq between two q up to 1/2.
func lowerHalfDistance(r, from, to float64) float64 {
	return pieceDistance(r, quantileAt(from), quantileAt(to), to-from)
}

// quantile is a quantile of the standard normal distribution with the values that integrals need there.
type quantile struct {
	q       float64 // Φ(z)
	z       float64 // Φ⁻¹(q)
	density float64 // φ(z)
}

// quantileAt returns the point at the quantile level q.
func quantileAt(q float64) quantile {
	z := portable.NormalQuantile(q)
	return quantile{q: q, z: z, density: portable.NormalPDF(z)}
}

// pieceDistance returns ∫|r − Φ⁻¹(q)| dq from lower to upper, whose levels q differ by width. With
// ∫Φ⁻¹ dq = −φ(Φ⁻¹(q)), the integral of r − Φ⁻¹ is r·width − (φ(lower) − φ(upper)). If Φ⁻¹ crosses r
// between the ends, the integral is the sum of the parts before and after the crossing at q = Φ(r).
func pieceDistance(r float64, lower, upper quantile, width float64) float64 {
	switch {
	case r <= lower.z:
		return lower.density - upper.density - float64(r*width)
	case r >= upper.z:
		return upper.density - lower.density + float64(r*width)
	}
	q := portable.NormalCDF(r)
	return float64(2*portable.NormalPDF(r)) - lower.density - upper.density + float64(r*((q-lower.q)-(upper.q-q)))
}
