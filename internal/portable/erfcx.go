package portable

import "math"

// Erfcx is e^(x²)·erfc x, which is finite where erfc x is 0: near 1/(x·√π) for
// large x, and +Inf below −26.63.
func Erfcx(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < 0:
		return float64(2*expSquare(-x)) - Erfcx(-x)
	case x < 0.5:
		return float64(Exp(float64(x*x)) * (1 - erfNear(x)))
	case x < 28:
		first, rest := scaledErfc.at(x)
		return first + rest
	}
	const rootPi = 1.7724538509055160272981674833411451827975
	// 1/(x·√π)·(1 − 1/(2x²) + 3/(2x²)² − 15/(2x²)³ + …), Abramowitz and Stegun 7.1.23.
	w := 0.5 / x / x
	t := 0.0
	for k := 15; k >= 1; k -= 2 {
		t = float64(-float64(k)*w) * (1 + t)
	}
	return (1 + t) / x / rootPi
}

// expSquare is e^(x²) for x ≥ 0.
func expSquare(x float64) float64 {
	if x > 26.65 {
		return math.Inf(1)
	}
	square, lost := product(x, x)
	p := reduce(square, lost)
	return scale(p.high+p.low, p.n)
}

// expMinusHalfSquare is e^(−x²/2) to the last places in the tails too.
func expMinusHalfSquare(x float64) float64 {
	if math.Abs(x) > 38.7 {
		return 0
	}
	square, lost := product(x, x)
	p := reduce(float64(-square/2), float64(-lost/2))
	return scale(p.high+p.low, p.n)
}
