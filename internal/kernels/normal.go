package kernels

import "math"

// erfTerms are those of erf x/x in x², for |x| ≤ ½: 2/√π·(−1)^k/(k!·(2k+1)).
var erfTerms = [...]float64{2 / rootPi, -2 / rootPi / 3, 2 / rootPi / (2 * 5), -2 / rootPi / (6 * 7), 2 / rootPi / (24 * 9), -2 / rootPi / (120 * 11), 2 / rootPi / (720 * 13), -2 / rootPi / (5040 * 15)}

const rootPi = 1.77245385090551602729816748334114518279754945612238712821380779

// farTerms are those of (x+3)·e^(x²)·erfc x in (x−3)/(x+3), for 0 ≤ x ≤ 10.2: they
// interpolate at Chebyshev nodes.
var farTerms = [...]float64{1.074006907092181, -0.8833944533151095, 0.5902283574745933, -0.31046724531225167, 0.11952774086102096, -0.026827592376870196, -0.00121232027274701, 0.003036939492127792, -0.0005470899484746895, -0.00028641063967946225, 9.814454638318902e-05, 4.050201721146148e-05}

// magnitude is |x|, but at most most.
func magnitude(x, most float64) float64 {
	if x = math.Abs(x); x > most {
		return most
	}
	return x
}

// gaussian64 is e^(−x²).
func gaussian64(x float64) float64 {
	x = magnitude(x, least64)
	return exp64(-float64(x * x))
}

// normalPDF64 is the density of N(0, 1).
func normalPDF64(x float64) float64 {
	x = magnitude(x, 14.5)
	return exp64(-float64(x*x)*0.5) * (1 / (rootPi * math.Sqrt2))
}

// erfc64 is erfc x for 0 ≤ x ≤ 10.2.
func erfc64(x float64) float64 {
	w := 1 / (x + 3)
	return float64(exp64(-float64(x*x))*horner(float64((x-3)*w), farTerms[:])) * w
}

func erf64(x float64) float64 {
	a := magnitude(x, least64)
	y := 1 - erfc64(a)
	if a < 0.5 {
		y = a * horner(float64(a*a), erfTerms[:])
	}
	return math.Copysign(y, x)
}

// normalCDF64 is the distribution function of N(0, 1).
func normalCDF64(x float64) float64 {
	y := float64(erfc64(magnitude(x*(1/math.Sqrt2), least64)) * 0.5)
	if x > 0 {
		return 1 - y
	}
	return y
}
