package ops

import (
	"math"

	"sml/internal/portable"
)

// The definitions, in float64, of operations of the table that no other package has.

// sign returns the sign of x, and x where it is 0 or NaN.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// relu returns x where x > 0, else 0; NaN stays.
func relu(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x
}

// maximum returns the maximum of x and y, and y where they are equal, as the kernel does.
func maximum(x, y float64) float64 {
	if x > y || x != x {
		return x
	}
	return y
}

// minimum returns the minimum of x and y, and y where they are equal, as the kernel does.
func minimum(x, y float64) float64 { return -maximum(-x, -y) }

// gate returns x where y > 0, else 0.
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

// polygamma returns the derivative of digamma of an order that is a whole number.
func polygamma(x, order float64) float64 { return portable.Polygamma(int(order), x) }

// digammaStep returns the derivative of portable.LogGammaStep.
func digammaStep(x float64) float64 {
	if x > manySteps {
		w := 1 / (x - 0.25)
		return float64(0.5*w) - float64(float64(float64(w*w)*w)/32)
	}
	return polygammaStep(x, 0)
}

// manySteps is the x from which terms with w⁻⁴ are below the last digit.
const manySteps = 1e4

// polygammaStep returns the derivative of digammaStep of an order that is a whole number.
func polygammaStep(x, order float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return polygamma(x+0.5, order) - polygamma(x, order)
}

// logit returns log(x/(1 − x)).
func logit(x float64) float64 {
	if math.Abs(x-0.5) < 0.25 {
		return portable.Log1p((x + x - 1) / (1 - x)) // 2x − 1 and 1 − x are exact
	}
	return portable.Log(x) - portable.Log1p(-x)
}

// gaussian returns e^(−x²).
func gaussian(x float64) float64 { return portable.Exp(-float64(x * x)) }
