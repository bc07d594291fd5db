package portable

import "math"

// StudentCDF returns the probability that a number from Student's t distribution is at most t, with
// full relative precision in the lower tail. degrees is the number of degrees of freedom; the result
// is NaN unless it is above 0.
//
// Source: Abramowitz and Stegun, 26.7.1 with 26.5.2.
func StudentCDF(t, degrees float64) float64 {
	switch {
	case !(degrees > 0) || t != t:
		return math.NaN()
	case t == 0:
		return 0.5
	case t > 0:
		return 1 - StudentCDF(-t, degrees)
	case math.IsInf(t, -1):
		return 0
	case math.IsInf(degrees, 1):
		return NormalCDF(t)
	}
	square := float64(t * t)
	return 0.5 * incompleteBeta(degrees/2, degrees/(degrees+square), square/(degrees+square))
}

// StudentLogDensity returns the logarithm of the density of Student's t distribution at t.
func StudentLogDensity(t, degrees float64) float64 {
	normaliser := LogGammaStep(degrees/2) - float64(0.5*Log(float64(math.Pi*degrees)))
	return normaliser - float64((degrees+1)/2*Log1p(float64(t*t)/degrees))
}

// StudentQuantile returns the quantile at level q of Student's t distribution: the t for which
// StudentCDF returns q. The relative error is at most 1e-11 for q from 0.001 to 0.999. The result is
// −Inf for 0, +Inf for 1, and NaN if q is outside of [0, 1] or degrees is not above 0.
//
// It uses Newton's method, and bisection where a step of Newton would leave the bracket.
func StudentQuantile(q, degrees float64) float64 {
	switch {
	case !(q >= 0 && q <= 1) || !(degrees > 0):
		return math.NaN()
	case q == 0 || q == 1:
		return math.Inf(int(math.Copysign(1, q-0.5)))
	case q == 0.5:
		return 0
	case q > 0.5:
		return -StudentQuantile(1-q, degrees)
	}
	const maxSteps = 100
	const tolerance = 1e-14 // relative change of t at which the iteration ends
	low := -1.0             // StudentCDF(low) ≤ q < StudentCDF(high)
	high := 0.0
	for StudentCDF(low, degrees) > q {
		high = low
		low = float64(2 * low)
	}
	t := min(max(NormalQuantile(q), low), high)
	for range maxSteps {
		excess := StudentCDF(t, degrees) - q
		if excess > 0 {
			high = t
		} else {
			low = t
		}
		next := t - float64(excess/Exp(StudentLogDensity(t, degrees)))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-t) <= float64(tolerance*math.Abs(t)) {
			return next
		}
		t = next
	}
	return t
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, ½). rest is 1 − x: the caller
// computes it without cancellation.
//
// Source: the continued fraction of Abramowitz and Stegun, 26.5.8, by the method of Lentz
// (1976), and 26.5.2 where the fraction converges slowly.
func incompleteBeta(a, x, rest float64) float64 {
	const b = 0.5
	if x == 0 || rest == 0 {
		return x
	}
	// xᵃ √(1−x) / B(a, ½), with 1/B(a, ½) = Γ(a+½) / (Γ(a) √π).
	logX := Log(x)
	if rest < 0.5 {
		logX = Log1p(-rest)
	}
	front := Exp(float64(a*logX)+LogGammaStep(a)) * math.Sqrt(rest/math.Pi)
	if x < (a+1)/(a+b+2) {
		return front * betaFraction(a, b, x) / a
	}
	product := float64(front * betaFraction(b, a, rest))
	return 1 - float64(2*product) // b is ½
}

// betaFraction returns the continued fraction of the incomplete beta function I_x(a, b). The method of
// Lentz computes it from the front: fraction is the value so far, and numerator and inverse are ratios
// of consecutive numerators and denominators.
func betaFraction(a, b, x float64) float64 {
	const maxTerms = 10000
	const tolerance = 1e-15 // relative change at which the fraction ends
	numerator := 1.0
	inverse := 1 / avoidZero(1-float64((a+b)*x)/(a+1))
	fraction := inverse
	for m := 1.0; m < maxTerms; m++ {
		even := float64(float64(m*(b-m))*x) / float64((a+2*m-1)*(a+2*m))
		inverse = 1 / avoidZero(1+float64(even*inverse))
		numerator = avoidZero(1 + even/numerator)
		fraction *= float64(inverse * numerator)
		odd := -float64(float64((a+m)*(a+b+m))*x) / float64((a+2*m)*(a+2*m+1))
		inverse = 1 / avoidZero(1+float64(odd*inverse))
		numerator = avoidZero(1 + odd/numerator)
		change := float64(inverse * numerator)
		fraction *= change
		if math.Abs(change-1) < tolerance {
			break
		}
	}
	return fraction
}

// avoidZero returns v, or a tiny number in place of zeros and smaller numbers, so that v can be a
// divisor.
func avoidZero(v float64) float64 {
	const tiny = 1e-300
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}
