package ops

import (
	"math"

	"sml/internal/portable"
)

// The functions below define operations of the table in float64. The other definitions are in
// package portable. Products are converted, as in float64(x*y), so that no compiler fuses them with
// a following sum and all CPUs round alike.

// sign returns 1 for x > 0, −1 for x < 0, and x itself if it is 0 or NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// relu returns x if it is positive or NaN, else 0.
func relu(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x
}

// maximum returns the larger of x and y, and NaN if one is NaN. Like the kernel, it returns y if
// they are equal, which matters for 0 and −0.
func maximum(x, y float64) float64 {
	if x > y || x != x {
		return x
	}
	return y
}

// minimum returns the smaller of x and y, y if they are equal, and NaN if one is NaN.
func minimum(x, y float64) float64 { return -maximum(-x, -y) }

// gate returns x if y > 0, else 0.
func gate(x, y float64) float64 {
	if y > 0 {
		return x
	}
	return 0
}

// boolToNumber returns 1 for true and 0 for false.
func boolToNumber(t bool) float64 {
	if t {
		return 1
	}
	return 0
}

// polygamma returns the derivative of the digamma function of the given order, an integer from 0,
// at x.
func polygamma(x, order float64) float64 { return portable.Polygamma(int(order), x) }

// digammaStep returns ψ(x + ½) − ψ(x) for the digamma function ψ: the derivative of
// portable.LogGammaStep. For large x it uses the expansion w/2 − w³/32 in w = 1/(x − ¼), since the
// difference would cancel.
func digammaStep(x float64) float64 {
	if x > expansionStart {
		w := 1 / (x - 0.25)
		return float64(0.5*w) - float64(float64(float64(w*w)*w)/32)
	}
	return polygammaStep(x, 0)
}

// expansionStart is the x from which the next term of digammaStep's expansion is below the last
// digit of the result.
const expansionStart = 1e4

// polygammaStep returns the derivative of digammaStep of the given order, an integer from 0, at x,
// and NaN for x < 0.
func polygammaStep(x, order float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return polygamma(x+0.5, order) - polygamma(x, order)
}

// logit returns log(x/(1 − x)), precise also near x = ½, where it is 0.
func logit(x float64) float64 {
	if math.Abs(x-0.5) < 0.25 {
		return portable.Log1p((x + x - 1) / (1 - x)) // 2x − 1 and 1 − x are exact
	}
	return portable.Log(x) - portable.Log1p(-x)
}

// gaussian returns e^(−x²).
func gaussian(x float64) float64 { return portable.Exp(-float64(x * x)) }
