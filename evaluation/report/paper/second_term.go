package paper

import (
	"math"

	"sml/internal/portable"
)

// bifurcation is the standard deviation of sub-networks at which the minimum of
// expectedSecondTerm over μ splits in two. Below it, the best mean of the sub-networks differs from
// the full network's output, by ±μ; above it, the best mean is the full network's output.
const bifurcation = 2 / math.Pi

// expectedSecondTerm returns the expected second term of the second-moment loss,
// E(|r| − |s|)², for a residual r ~ N(0,1) and a sub-network's distance s ~ N(mu, sigma) from the
// full network, independent of each other:
//
//	−(4/π)·σ·exp(−μ²/(2σ²)) − √(8/π)·μ·erf(μ/(√2·σ)) + σ² + μ² + 1.
//
// sigma must not be negative; at 0 it returns the limit, μ² − √(8/π)·|μ| + 1. The smallest value,
// 1 − 2/π, is reached at σ = 0, μ = ±√(2/π). A numerical integral agrees with the formula.
//
// Source: Sicking et al., second-moment loss, equation 4.
func expectedSecondTerm(mu, sigma float64) float64 {
	meanDistance := math.Abs(mu) // E|s|, here for sigma = 0
	if sigma > 0 {
		// The mean of a folded normal distribution. Each float64(…) keeps the compiler from fusing a product
		// with a sum, whose result would depend on the processor.
		z := mu / sigma
		meanDistance = float64(float64(sigma*math.Sqrt(2/math.Pi))*portable.Exp(-z*z/2)) + float64(mu*portable.Erf(z/math.Sqrt2))
	}
	return 1 + float64(mu*mu) + float64(sigma*sigma) - float64(2*math.Sqrt(2/math.Pi)*meanDistance)
}

// bestMean returns the μ ≥ 0 at which expectedSecondTerm is smallest for a fixed
// sigma ≥ 0; −μ is the other minimum. It is 0 from bifurcation on.
func bestMean(sigma float64) float64 {
	largest := math.Sqrt(2 / math.Pi) // the minimum for sigma = 0; it falls as sigma grows
	if sigma >= bifurcation {
		return 0
	}
	if sigma <= 0 {
		return largest
	}
	// Bisection: the derivative with respect to μ, 2μ − √(8/π)·erf(μ/(√2·σ)), is negative just above
	// 0, is not negative at √(2/π), and has one zero between. Half of the derivative is
	// μ − √(2/π)·erf(μ/(√2·σ)).
	low := 0.0
	high := largest
	for {
		middle := low + float64((high-low)/2)
		if middle == low || middle == high { // no float64 lies between low and high
			return middle
		}
		if middle < largest*portable.Erf(middle/(math.Sqrt2*sigma)) {
			low = middle
		} else {
			high = middle
		}
	}
}
