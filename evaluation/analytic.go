package evaluation

import (
	"math"

	"sml/internal/portable"
)

// Bifurcation is the spread of sub-networks at which the minimum of
// AnalyticSecondTerm over μ splits in two: below it the best sub-networks
// stand off the network's own output, above it they do not.
const Bifurcation = 2 / math.Pi

// AnalyticSecondTerm is the expected second term of the second-moment loss,
// E(|r| − |s|)², for a residual r ~ N(0,1) and a sub-network's distance
// s ~ N(mu, sigma) from the full network, independent of each other: equation
// 4 of the paper,
//
//	−(4/π)·σ·exp(−μ²/(2σ²)) − √(8/π)·μ·erf(μ/(√2·σ)) + σ² + μ² + 1.
//
// The paper's formula is right: a numerical integral agrees with it. Sigma is
// not negative; at 0 the limit is taken, μ² − √(8/π)·|μ| + 1. The smallest
// value, 1 − 2/π, is reached at σ = 0, μ = ±√(2/π).
func AnalyticSecondTerm(mu, sigma float64) float64 {
	meanSize := math.Abs(mu) // E|s|
	if sigma > 0 {
		z := mu / sigma
		meanSize = float64(float64(sigma*math.Sqrt(2/math.Pi))*portable.Exp(-z*z/2)) + float64(mu*portable.Erf(z/math.Sqrt2))
	}
	return 1 + float64(mu*mu) + float64(sigma*sigma) - float64(2*math.Sqrt(2/math.Pi)*meanSize)
}

// AnalyticMinimum is the μ ≥ 0 at which AnalyticSecondTerm is smallest for a
// fixed sigma ≥ 0; −μ is the other minimum. It is 0 from the bifurcation on.
func AnalyticMinimum(sigma float64) float64 {
	largest := math.Sqrt(2 / math.Pi)
	if sigma >= Bifurcation {
		return 0
	}
	if sigma <= 0 {
		return largest
	}
	// The derivative over μ, 2μ − √(8/π)·erf(μ/(√2·σ)), is negative just above
	// 0 and has one zero beyond; it is not negative at √(2/π).
	low, high := 0.0, largest
	for {
		middle := low + float64((high-low)/2)
		if middle == low || middle == high {
			return middle
		}
		if middle < largest*portable.Erf(middle/(math.Sqrt2*sigma)) {
			low = middle
		} else {
			high = middle
		}
	}
}
