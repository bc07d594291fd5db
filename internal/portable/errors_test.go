package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestErrors compares the functions with 256-bit arithmetic, at random arguments of all sizes. The
// package comment states the same bounds.
func TestErrors(t *testing.T) {
	uniform := func(low, high float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return low + (high-low)*r.Float64() }
	}
	// sizes draws of either sign, with exponents spread evenly.
	sizes := func(low, high int) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 {
			x := math.Ldexp(1+r.Float64(), low+r.IntN(high-low))
			if r.Uint64()&1 == 0 {
				return -x
			}
			return x
		}
	}
	positive := func(draw func(*rand.Rand) float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return math.Abs(draw(r)) }
	}
	one := number(1)
	bigExpm1 := func(x *big.Float) *big.Float { return sub(bigExp(x), one) }
	for _, c := range []struct {
		name  string
		f     func(float64) float64
		exact func(*big.Float) *big.Float
		bound float64
		from  []func(*rand.Rand) float64
	}{
		{"Exp", Exp, bigExp, 1.1, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-745, 709.7), sizes(-60, 9)}},
		{"Expm1", Expm1, bigExpm1, 1.1, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-40, 40), sizes(-60, 9)}},
		{"Log", Log, bigLog, 0.8, []func(*rand.Rand) float64{uniform(0.5, 2), uniform(0.99, 1.01), positive(sizes(-1074, 1023))}},
		{"Log1p", Log1p, func(x *big.Float) *big.Float { return bigLog(add(one, x)) }, 1.1,
			[]func(*rand.Rand) float64{uniform(-0.999, 3), positive(sizes(-60, 100)), uniform(-0.01, 0.01)}},
		{"Sin", Sin, bigSin, 0.8, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-100, 100), sizes(-60, 19), sizes(20, 50)}},
		{"Cos", Cos, bigCos, 0.8, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-100, 100), sizes(-60, 19), sizes(20, 50)}},
		{"Erf", Erf, func(x *big.Float) *big.Float { return sub(one, bigErfc(x)) }, 1.2, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-6, 6), sizes(-60, 2)}},
		{"Erfc", Erfc, bigErfc, 2, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-3, 3), uniform(-6, 27), sizes(-60, 4)}},
		{"NormalQuantile", NormalQuantile, func(q *big.Float) *big.Float {
			if f, _ := q.Float64(); f < 0.125 {
				return zero().Neg(bigTail(zero().Sqrt(mul(number(-2), bigLog(q)))))
			}
			d := sub(number(0.5), q)
			return zero().Neg(mul(d, bigMiddle(d)))
		}, 1.7, []func(*rand.Rand) float64{uniform(1e-9, 0.5), positive(sizes(-1070, -1))}},
		{"Softplus", Softplus, func(x *big.Float) *big.Float { return bigLog(add(one, bigExp(x))) }, 1.5,
			[]func(*rand.Rand) float64{uniform(-5, 5), uniform(-100, 100), sizes(-60, 7)}},
		{"Tanh", Tanh, func(x *big.Float) *big.Float {
			e := bigExpm1(mul(number(2), x))
			return div(e, add(e, number(2)))
		}, 2, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-20, 20), sizes(-30, 4)}},
		{"Sinh", Sinh, func(x *big.Float) *big.Float {
			e := bigExp(x)
			return div(sub(e, div(one, e)), number(2))
		}, 2, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-20, 20), uniform(-710, 710.4), sizes(-60, 9)}},
		{"Cosh", Cosh, func(x *big.Float) *big.Float {
			e := bigExp(x)
			return div(add(e, div(one, e)), number(2))
		}, 1.2, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-20, 20), uniform(-710, 710.4), sizes(-60, 9)}},
		{"Asinh", Asinh, bigAsinh, 1.5, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-20, 20), sizes(-60, 100), positive(sizes(25, 1023))}},
		{"Atan", Atan, bigAtan, 1.4, []func(*rand.Rand) float64{uniform(-1, 1), uniform(-3, 3), uniform(-100, 100), sizes(-60, 60)}},
		{"Sigmoid", Sigmoid, func(x *big.Float) *big.Float { return div(one, add(one, bigExp(zero().Neg(x)))) }, 1.8,
			[]func(*rand.Rand) float64{uniform(-5, 5), uniform(-700, 100), sizes(-60, 7)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(1, 2))
			worst, where := 0.0, 0.0
			for range *draws {
				for _, draw := range c.from {
					x := draw(r)
					if e := ulps(c.f(x), c.exact(number(x))); !(e <= worst) {
						worst, where = e, x
					}
				}
			}
			t.Logf("largest error %.2f ulp, at %v", worst, where)
			if !(worst <= c.bound) {
				t.Errorf("error %.3f ulp at %v, want at most %v", worst, where, c.bound)
			}
		})
	}
}

// ulps returns the distance of y from exact, in units of y's last place.
func ulps(y float64, exact *big.Float) float64 {
	_, e := math.Frexp(y)
	unit := math.Ldexp(1, max(e-53, -1074))
	d, _ := sub(number(y), exact).Float64()
	return math.Abs(d / unit)
}
