package portable

import "math"

// StudentCDF returns the probability that Student's t with a number of degrees of freedom
// above 0 is at most t, with full relative precision in the lower tail. It is NaN for any
// other number of degrees.
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

// StudentLogDensity returns the logarithm of the density of Student's t at t.
func StudentLogDensity(t, degrees float64) float64 {
	normaliser := LogGammaStep(degrees/2) - float64(0.5*Log(float64(math.Pi*degrees)))
	return normaliser - float64((degrees+1)/2*Log1p(float64(t*t)/degrees))
}

// StudentQuantile returns the t with StudentCDF(t) = q, to a relative error of 1e-11 for
// q from 0.001 to 0.999. It is −Inf for 0, +Inf for 1, and NaN outside of [0, 1] or without
// degrees of freedom.
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
	low, high := -1.0, 0.0
	for StudentCDF(low, degrees) > q {
		low, high = float64(2*low), low
	}
	t := min(max(NormalQuantile(q), low), high)
	for range 100 { // Newton's steps, and halving where one leaves the bracket
		off := StudentCDF(t, degrees) - q
		if off > 0 {
			high = t
		} else {
			low = t
		}
		next := t - float64(off/Exp(StudentLogDensity(t, degrees)))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-t) <= float64(1e-14*math.Abs(t)) {
			return next
		}
		t = next
	}
	return t
}

// incompleteBeta returns the regularised incomplete beta function I_x(a, ½), where rest
// is 1 − x.
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

// betaFraction returns the continued fraction of the incomplete beta function.
func betaFraction(a, b, x float64) float64 {
	const tiny = 1e-300
	atLeast := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/atLeast(1-float64((a+b)*x)/(a+1))
	f := d
	for m := 1.0; m < 10000; m++ {
		even := float64(float64(m*(b-m))*x) / float64((a+2*m-1)*(a+2*m))
		d = 1 / atLeast(1+float64(even*d))
		c = atLeast(1 + even/c)
		f *= float64(d * c)
		odd := -float64(float64((a+m)*(a+b+m))*x) / float64((a+2*m)*(a+2*m+1))
		d = 1 / atLeast(1+float64(odd*d))
		c = atLeast(1 + odd/c)
		change := float64(d * c)
		f *= change
		if math.Abs(change-1) < 1e-15 {
			break
		}
	}
	return f
}
