package kernels

import "math"

const (
	sqrtPi = 1.77245385090551602729816748334114518279754945612238712821380779

	// maxErfArgument is the x from which e^(−x²) and erfc x are less than half the smallest
	// float32.
	maxErfArgument = 10.2

	// maxPDFArgument is the x from which the density of N(0, 1) is less than half the smallest
	// float32.
	maxPDFArgument = 14.5
)

// erfCoefficients are the Taylor coefficients (2/√π)·(−1)^k/(k!·(2k+1)) of (erf x)/x in x²,
// for |x| ≤ ½.
var erfCoefficients = [...]float64{2 / sqrtPi, -2 / sqrtPi / 3, 2 / sqrtPi / (2 * 5), -2 / sqrtPi / (6 * 7), 2 / sqrtPi / (24 * 9), -2 / sqrtPi / (120 * 11), 2 / sqrtPi / (720 * 13), -2 / sqrtPi / (5040 * 15)}

// erfcCoefficients are the coefficients of a polynomial in (x−3)/(x+3) that equals
// (x+3)·e^(x²)·erfc x at the Chebyshev nodes of 0 ≤ x ≤ maxErfArgument.
var erfcCoefficients = [...]float64{1.074006907092181, -0.8833944533151095, 0.5902283574745933, -0.31046724531225167, 0.11952774086102096, -0.026827592376870196, -0.00121232027274701, 0.003036939492127792, -0.0005470899484746895, -0.00028641063967946225, 9.814454638318902e-05, 4.050201721146148e-05}

// clampedAbs returns the smaller of |x| and maximum, and NaN if x is NaN.
func clampedAbs(x, maximum float64) float64 {
	x = math.Abs(x)
	if x > maximum {
		return maximum
	}
	return x
}

// gaussian64 returns e^(−x²).
func gaussian64(x float64) float64 {
	x = clampedAbs(x, maxErfArgument)
	return exp64(-float64(x * x))
}

// normalPDF64 returns the density of N(0, 1) at x.
func normalPDF64(x float64) float64 {
	x = clampedAbs(x, maxPDFArgument)
	return exp64(-float64(x*x)*0.5) * (1 / (sqrtPi * math.Sqrt2))
}

// erfc64 returns the complementary error function 1 − erf x for 0 ≤ x ≤ maxErfArgument.
func erfc64(x float64) float64 {
	inverse := 1 / (x + 3)
	polynomial := horner(float64((x-3)*inverse), erfcCoefficients[:]) // (x+3)·e^(x²)·erfc x
	return float64(exp64(-float64(x*x))*polynomial) * inverse
}

// erf64 returns the error function of x. Below ½, where 1 − erfc x would cancel digits, it is a
// polynomial.
func erf64(x float64) float64 {
	size := clampedAbs(x, maxErfArgument)
	y := 1 - erfc64(size)
	if size < 0.5 {
		y = size * horner(float64(size*size), erfCoefficients[:])
	}
	return math.Copysign(y, x)
}

// normalCDF64 returns the distribution function of N(0, 1) at x.
func normalCDF64(x float64) float64 {
	size := clampedAbs(x*(1/math.Sqrt2), maxErfArgument)
	tail := float64(erfc64(size) * 0.5) // probability beyond |x|
	if x > 0 {
		return 1 - tail
	}
	return tail
}
