package kernels

import "math"

// This file computes log Γ(x+½) − log Γ(x), which occurs in the density of Student's t
// distribution, and its derivative. The difference of two logarithms of Γ would lose digits.
//
// Where x is large, the difference is an asymptotic series in w = x − ¼:
//
//	½·log w − Σ E₂ₖ/(k·4^(2k+1)·w^2k),  with Euler's numbers E₂ₖ = −1, 5, −61, …
//
// It follows from the Stirling series of both terms about w, whose odd powers cancel. The series
// is evaluated at x + 8, where eight terms have an error of 10⁻¹⁶, and the result is shifted back
// to x by Γ(x+8) = x(x+1)…(x+7)·Γ(x).
var (
	logGammaStepCoefficients = eulerCoefficients(func(k float64) float64 { return -1 / k })
	digammaStepCoefficients  = eulerCoefficients(func(float64) float64 { return 2 })
)

// eulerCoefficients returns factor(k)·E₂ₖ/4^(2k+1) for k = 1, 2, …, 8.
func eulerCoefficients(factor func(k float64) float64) (coefficients [8]float64) {
	for i, e := range [...]float64{-1, 5, -61, 1385, -50521, 2702765, -199360981, 19391512145} {
		coefficients[i] = factor(float64(i+1)) * e / math.Ldexp(1, 4*i+6)
	}
	return coefficients
}

const (
	gammaSeriesShift = 7.75    // 8 − ¼: the series is evaluated at w = x + 7.75
	maxGammaShift    = 1 << 60 // from here on, x + 8 is x after rounding
)

// logGammaStep64 returns log Γ(x+½) − log Γ(x): −∞ at 0, 0 at 1.2212, and NaN below 0.
func logGammaStep64(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	w := x + gammaSeriesShift
	logArgument := w // half of its logarithm is the first term of the series, shifted back to x
	if x < maxGammaShift {
		// The shift multiplies √w by x(x+1)…(x+7) / (x+½)(x+3/2)…(x+15/2). Factors are multiplied
		// in pairs from both ends: x+i and x+7−i have the product t + i(7−i) with t = x(x+7), and
		// x+½+i and x+15/2−i have the product v + (½+i)(15/2−i) with v = x(x+8).
		t := float64(x * (x + 7))
		v := float64(x * (x + 8))
		numerator := float64(float64(t*(t+6)) * float64((t+10)*(t+12)))
		denominator := float64(float64((v+3.75)*(v+9.75)) * float64((v+13.75)*(v+15.75)))
		ratio := numerator / denominator
		logArgument = float64(float64(w*ratio) * ratio)
	}
	inverse := 1 / w
	inverseSquare := float64(inverse * inverse)
	series := float64(inverseSquare * horner(inverseSquare, logGammaStepCoefficients[:]))
	y := float64(0.5*log64(logArgument)) + series
	if x < math.Inf(1) {
		return y
	}
	return x // +Inf or NaN
}

// digammaStep64 returns the derivative of logGammaStep64: +∞ at 0, and NaN below 0.
func digammaStep64(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	x = math.Abs(x) // −0 becomes 0
	inverse := 1 / (x + gammaSeriesShift)
	inverseSquare := float64(inverse * inverse)
	series := float64(inverse * (0.5 + float64(inverseSquare*horner(inverseSquare, digammaStepCoefficients[:]))))
	if !(x < maxGammaShift) { // also if x is NaN
		return series
	}
	// The derivative of the shift in logGammaStep64: log (t+a)(t+b)(t+c)(t+d) has the derivative
	// t′·(1/(t+a) + 1/(t+b) + 1/(t+c) + 1/(t+d)), with t′ = 2x + 7 and v′ = 2x + 8.
	t := float64(x * (x + 7))
	v := float64(x * (x + 8))
	numerator := sumReciprocals(t, t+6, t+10, t+12)
	denominator := sumReciprocals(v+3.75, v+9.75, v+13.75, v+15.75)
	return series + (float64((x+x+7)*numerator) - float64((x+x+8)*denominator))
}

// sumReciprocals returns 1/a + 1/b + 1/c + 1/d with one division, since a division takes longer than all
// the products: 1/a + 1/b is (a+b)/ab.
func sumReciprocals(a, b, c, d float64) float64 {
	ab := float64(a * b)
	cd := float64(c * d)
	return (float64((a+b)*cd) + float64((c+d)*ab)) / float64(ab*cd)
}
