package portable

import "math"

// StudentCDF returns the probability that a number from Student's t distribution is at most t, with
// full relative precision in the lower tail. degrees is the number of degrees of freedom; the result
// is NaN unless it is above 0.
//
// Source: Abramowitz and Stegun, 26.7.1 with 26.5.2, and Hill for many degrees of freedom.
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
	case degrees > manyDegrees:
		return NormalCDF(-hillDeviate(t, degrees))
	}
	square := float64(t * t)
	x := degrees / (degrees + square)
	complement := square / (degrees + square)
	return 0.5 * incompleteBeta(degrees/2, x, complement)
}

// manyDegrees is the number of degrees of freedom above which x is so near 1 that the continued fraction of the incomplete
// beta function converges too slowly.
const manyDegrees = 1e7

// hillDeviate returns the z > 0 with about NormalCDF(−z) = StudentCDF(t, degrees). For more than 1e7 degrees of freedom
// the next term of its series is below the last digit.
//
// Source: Hill (1970), Algorithm 395, Student's t-distribution.
func hillDeviate(t, degrees float64) float64 {
	a := degrees - 0.5
	w := math.Sqrt(float64(a * Log1p(float64(t/degrees)*t)))
	cube := float64(float64(w*w) * w)
	return w + (cube+float64(3*w))/48/a/a
}

// StudentLogDensity returns the logarithm of the density of Student's t distribution with the given
// degrees of freedom ν at t: log Γ((ν+1)/2) − log Γ(ν/2) − ½·log(πν) − (ν+1)/2·log(1 + t²/ν).
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
	case q == 0:
		return math.Inf(-1)
	case q == 1:
		return math.Inf(1)
	case q == 0.5:
		return 0
	case q > 0.5: // the distribution is symmetric
		return -StudentQuantile(1-q, degrees)
	}
	// Find a bracket of the quantile: StudentCDF(low) ≤ q < StudentCDF(high).
	low := -1.0
	high := 0.0
	for StudentCDF(low, degrees) > q { // ends at the latest at −Inf, where the distribution is 0
		high = low
		low = float64(2 * low)
	}
	return quantileInBracket(q, degrees, low, high)
}

// quantileInBracket returns the quantile at level q of Student's t distribution, which lies between low
// and high. Each step narrows the bracket, and goes to where Newton's method expects the quantile, or
// to the bracket's middle if that lies outside.
func quantileInBracket(q, degrees, low, high float64) float64 {
	const maxSteps = 100
	const tolerance = 1e-14                     // relative change of t at which the iteration ends
	t := min(max(NormalQuantile(q), low), high) // a first guess
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

// incompleteBeta returns the regularised incomplete beta function I_x(a, ½). complement is 1 − x: the
// caller computes it without cancellation.
//
// Source: the continued fraction of Abramowitz and Stegun, 26.5.8, by the method of Lentz
// (1976), and the symmetry I_x(a, b) = 1 − I_(1−x)(b, a), 26.5.2, where the fraction converges slowly.
func incompleteBeta(a, x, complement float64) float64 {
	const b = 0.5
	if x == 0 || complement == 0 {
		return x
	}
	// front is xᵃ √(1−x) / B(a, ½), with 1/B(a, ½) = Γ(a+½) / (Γ(a) √π).
	logX := Log(x)
	if complement < 0.5 { // x is near 1, and complement more precise
		logX = Log1p(-complement)
	}
	front := Exp(float64(a*logX)+LogGammaStep(a)) * math.Sqrt(complement/math.Pi)
	if x < (a+1)/(a+b+2) { // the fraction converges fast
		return front * betaFraction(a, b, x) / a
	}
	product := float64(front * betaFraction(b, a, complement))
	return 1 - float64(2*product) // divided by b, which is ½
}

// betaFraction returns the continued fraction 1/(1 + c₁/(1 + c₂/(1 + …))) of the incomplete beta
// function I_x(a, b), with the coefficients
//
//	c₂ₘ   = m·(b−m)·x / ((a+2m−1)·(a+2m))
//	c₂ₘ₊₁ = −(a+m)·(a+b+m)·x / ((a+2m)·(a+2m+1))
//
// Source: Abramowitz and Stegun 26.5.8.
func betaFraction(a, b, x float64) float64 {
	const maxTerms = 10000
	const tolerance = 1e-15                          // relative change at which the fraction ends
	first := 1 / avoidZero(1-float64((a+b)*x)/(a+1)) // 1/(1 + c₁)
	fraction := lentzFraction{value: first, numeratorRatio: 1, inverseRatio: first}
	for m := 1.0; m < maxTerms; m++ {
		even := float64(float64(m*(b-m))*x) / float64((a+2*m-1)*(a+2*m))
		fraction.extend(even)
		odd := -float64(float64((a+m)*(a+b+m))*x) / float64((a+2*m)*(a+2*m+1))
		change := fraction.extend(odd)
		if math.Abs(change-1) < tolerance {
			break
		}
	}
	return fraction.value
}

// lentzFraction is a continued fraction that is computed from the front, by the method of Lentz. Cut
// off after each term, the fraction is a quotient of a numerator and a denominator.
type lentzFraction struct {
	value          float64 // the fraction so far
	numeratorRatio float64 // numerator, divided by the numerator before
	inverseRatio   float64 // denominator before, divided by the denominator
}

// extend adds a term with the given coefficient, and returns the factor by which the value changes.
func (f *lentzFraction) extend(coefficient float64) (change float64) {
	f.inverseRatio = 1 / avoidZero(1+float64(coefficient*f.inverseRatio))
	f.numeratorRatio = avoidZero(1 + coefficient/f.numeratorRatio)
	change = float64(f.inverseRatio * f.numeratorRatio)
	f.value *= change
	return change
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
