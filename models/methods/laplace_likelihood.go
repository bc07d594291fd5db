package methods

import "math"

// marginalLikelihood is the likelihood of the training rows, with the weights θ integrated out, as a function of the
// precision τ of the weights' prior and the variance v of the noise. v is in units of the mean squared residual. Up
// to a constant,
//
//	log p = −½ (n log v + n/v + τ‖θ‖² − p log τ + Σ log(d/v + τ))
//
// for n values of targets, p weights with the trained values θ, and the eigenvalues d of the Gauss-Newton matrix for
// v = 1. Source: MacKay 1992, equation 4; Daxberger et al. 2021, equation 4.
type marginalLikelihood struct {
	targetValues  float64     // n
	weightSquares float64     // ‖θ‖²
	eigenvalues   [][]float64 // d, in any number of lists

	// noiseIsKnown says that v is 1. Otherwise it has its most likely value.
	noiseIsKnown bool
}

// determined returns γ = Σ d/(d + ρ) for ρ = τ·v: the number of weights that the rows determine.
func (m marginalLikelihood) determined(ratio float64) float64 {
	sum := 0.0
	for _, list := range m.eigenvalues {
		for _, d := range list {
			sum += d / (d + ratio)
		}
	}
	return sum
}

// freedom returns the number of target values that determine the noise, for γ weights that the rows determine.
func (m marginalLikelihood) freedom(determined float64) float64 {
	if m.noiseIsKnown {
		return m.targetValues
	}
	return m.targetValues - determined
}

// Bounds of the ratio ρ = τ·v and of the prior's precision. A precision at a bound says that the rows determine no
// weight, or that all weights are 0.
const (
	minRatio = 1e-12
	maxRatio = 1e12
	minPrior = 1e-6
	maxPrior = 1e6
)

// maximise returns the precision of the prior and the variance of the noise at the maximum.
//
// There τ = γ/‖θ‖² and v = n/(n − γ) (MacKay 1992, equation 10), so that
//
//	ρ‖θ‖²(n − γ(ρ)) = n γ(ρ)
//
// with n in place of n − γ if v is 1. The left side minus the right side ascends with ρ, from below 0 to above 0.
// So there is one root, which bisection finds.
func (m marginalLikelihood) maximise() (prior, noise float64) {
	low, high := minRatio, maxRatio
	for {
		middle := float64(math.Sqrt(low) * math.Sqrt(high)) // in the middle of the logarithms
		isBetween := low < middle && middle < high
		if !isBetween {
			break
		}
		gamma := m.determined(middle)
		left := float64(float64(middle*m.weightSquares) * m.freedom(gamma))
		if left < float64(m.targetValues*gamma) {
			low = middle
		} else {
			high = middle
		}
	}
	gamma := m.determined(high)
	prior = min(maxPrior, max(minPrior, gamma/m.weightSquares))
	return prior, m.targetValues / max(1, m.freedom(gamma))
}
