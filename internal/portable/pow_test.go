package portable

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Pow is compared with 256-bit arithmetic for results that are normal numbers.
func TestPowErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	worst, at := 0.0, [2]float64{}
	for i := range *draws {
		x := math.Ldexp(1+r.Float64(), r.IntN(40)-20)
		switch i % 3 {
		case 1:
			x = 0.5 + 1.5*r.Float64()
		case 2:
			x = math.Ldexp(1+r.Float64(), r.IntN(2000)-1000)
		}
		y := (2*r.Float64() - 1) * 707 / math.Abs(Log(x))
		z := Pow(x, y)
		if e := ulps(z, bigExp(mul(number(y), bigLog(number(x))))); !(e <= worst) {
			worst, at = e, [2]float64{x, y}
		}
	}
	t.Logf("largest error %.3f ulp, at %v", worst, at)
	if !(worst <= 1.1) {
		t.Errorf("error %.3f ulp at %v, want at most 1.1", worst, at)
	}
}

// Special values follow IEEE 754-2019, 9.2.1, as in package math.
func TestPowSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	numbers := []float64{0, zero, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 2.5, -2.5, inf, -inf, nan, 5e-324, -5e-324, 1e308, -1e308, 1 << 53, 1<<53 - 1, -(1<<53 - 1), 1e-300}
	for _, x := range numbers {
		for _, y := range numbers {
			got, want := Pow(x, y), math.Pow(x, y)
			if math.Abs(got-want) <= 1e-15*math.Abs(want) && math.Signbit(got) == math.Signbit(want) || got == want || got != got && want != want {
				continue
			}
			t.Errorf("Pow(%v, %v) is %v, want %v", x, y, got, want)
		}
	}
}
