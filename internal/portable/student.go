package portable

import "math"

// StudentQuantile is the quantile q between 0 and 1 of Student's t distribution with
// a whole number of degrees of freedom, from 1 on: to a relative error of 1e-11 for
// q from 0.001 to 0.999 and up to 1000 degrees. It is −Inf for 0, +Inf for 1, and
// NaN for what is no quantile or no number of degrees.
//
// With t = √ν tan θ the distribution function is a finite sum over powers of cos θ:
// Abramowitz and Stegun, 26.7.3 and 26.7.4. θ is found by halving.
func StudentQuantile(q float64, degrees int) float64 {
	switch {
	case !(q >= 0 && q <= 1) || degrees < 1:
		return math.NaN()
	case q == 0 || q == 1:
		return math.Inf(int(math.Copysign(1, q-0.5)))
	case q < 0.5:
		return -StudentQuantile(1-q, degrees)
	}
	low, high := 0.0, math.Pi/2
	for range 100 {
		if middle := (low + high) / 2; studentCenter(middle, degrees) < float64(2*q)-1 {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Sqrt(float64(degrees)) * Sin(low) / Cos(low)
}

// studentCenter is the probability of |t| < √ν tan θ.
func studentCenter(theta float64, degrees int) float64 {
	sin, cos := Sin(theta), Cos(theta)
	sum, term := 0.0, 1.0
	first := degrees % 2
	if first == 1 {
		term = cos
	}
	for i := first; i < degrees-1; i += 2 { // the power of cos θ
		sum += term
		term = float64(term * float64(i+1) / float64(i+2) * float64(cos*cos))
	}
	if first == 1 {
		return 2 / math.Pi * (theta + float64(sin*sum))
	}
	return sin * sum
}
