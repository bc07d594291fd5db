package portable

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The functions that TestErrors does not test are compared with 256-bit arithmetic.
func TestErrorsOfTailsAndGammas(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	root2 := zero().Sqrt(number(2))
	half := number(0.5)
	minus := func(x *big.Float) *big.Float { return zero().Neg(x) }
	scaled := func(x *big.Float) *big.Float { // of either sign
		if x.Sign() > 0 {
			return bigScaledErfc(x)
		}
		return sub(mul(number(2), bigExp(mul(x, x))), bigScaledErfc(minus(x)))
	}
	logCDF := func(x *big.Float) *big.Float {
		if x.Sign() > 0 { // log(1 − q) is −q − q²/2 − q³/3 − …
			q := mul(mul(half, bigScaledErfc(div(x, root2))), bigExp(mul(number(-0.5), mul(x, x))))
			power := q
			sum := number(0).Set(q)
			for k := 2; power.MantExp(nil) > sum.MantExp(nil)-precision; k++ {
				power = mul(power, q)
				sum = add(sum, div(power, number(float64(k))))
			}
			return minus(sum)
		}
		return sub(bigLog(mul(half, scaled(div(minus(x), root2)))), mul(half, mul(x, x)))
	}
	mills := func(x *big.Float) *big.Float {
		return div(zero().Sqrt(div(number(2), bigPi)), scaled(div(minus(x), root2)))
	}
	normalCDF := func(x *big.Float) *big.Float { return mul(half, bigErfc(div(minus(x), root2))) }
	normalPDF := func(x *big.Float) *big.Float {
		return div(bigExp(mul(number(-0.5), mul(x, x))), zero().Sqrt(mul(number(2), bigPi)))
	}
	for _, c := range []struct {
		name      string
		f         func(float64) float64
		exact     func(*big.Float) *big.Float
		bound     float64
		low, high float64
	}{
		{"Erfcx", Erfcx, scaled, 4, -26.6, 27}, {"Erfcx", Erfcx, scaled, 4, -1, 1}, {"Erfcx", Erfcx, scaled, 3, 26, 1000},
		{"LogNormalCDF", LogNormalCDF, logCDF, 4, -3, 3}, {"LogNormalCDF", LogNormalCDF, logCDF, 4, -50, 38}, {"LogNormalCDF", LogNormalCDF, logCDF, 2, -1e5, -40},
		{"InverseMills", InverseMills, mills, 5, -3, 3}, {"InverseMills", InverseMills, mills, 5, -50, 37}, {"InverseMills", InverseMills, mills, 5, -1e5, -40},
		{"MillsExcess", MillsExcess, func(x *big.Float) *big.Float { return add(x, mills(x)) }, 12, -30, 5},
		{"LogGamma", LogGamma, bigLogGamma, 8, 1e-3, 4}, {"LogGamma", LogGamma, bigLogGamma, 5, 0.9, 1.1}, {"LogGamma", LogGamma, bigLogGamma, 5, 1.9, 2.1},
		{"LogGamma", LogGamma, bigLogGamma, 6, 4, 50}, {"LogGamma", LogGamma, bigLogGamma, 6, 50, 1e9},
		{"Digamma", Digamma, bigDigamma, 8, 1e-3, 1}, {"Digamma", Digamma, bigDigamma, 6, 2.5, 50}, {"Digamma", Digamma, bigDigamma, 3, 50, 1e9},
		{"Digamma below 0", Digamma, bigDigamma, 12, -9.4, -9.1}, {"LogGamma below 0", LogGamma, bigLogGamma, 12, -9.4, -9.1},
		{"Trigamma", polygammaOf(1), bigPolygamma(1), 10, 1e-3, 60}, {"Tetragamma", polygammaOf(2), bigPolygamma(2), 10, 1e-3, 60},
		{"Pentagamma", polygammaOf(3), bigPolygamma(3), 10, 1e-3, 60}, {"of order 6", polygammaOf(6), bigPolygamma(6), 12, 1e-3, 60},
		{"Trigamma below 0", polygammaOf(1), bigPolygamma(1), 12, -7.9, -7.1}, {"Tetragamma below 0", polygammaOf(2), bigPolygamma(2), 20, -7.4, -7.1},
		// The error of x² in the exponent is x² units.
		{"NormalCDF", NormalCDF, normalCDF, 30, -5, 5}, {"NormalCDF", NormalCDF, normalCDF, 1300, -36, -5},
		{"NormalPDF", NormalPDF, normalPDF, 20, -5, 5}, {"NormalPDF", NormalPDF, normalPDF, 1000, -36, -5},
		{"Log2", Log2, func(x *big.Float) *big.Float { return div(bigLog(x), bigLog(number(2))) }, 3, 1, 1e6},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		worst, where := 0.0, 0.0
		for range *draws / 10 {
			x := c.low + (c.high-c.low)*r.Float64()
			if e := ulps(c.f(x), c.exact(number(x))); !(e <= worst) {
				worst, where = e, x
			}
		}
		t.Logf("%s on %v to %v: largest error %.2f ulp, at %v", c.name, c.low, c.high, worst, where)
		if !(worst <= c.bound) {
			t.Errorf("%s: error %.3f ulp at %v, want at most %v", c.name, worst, where, c.bound)
		}
	}
}

func polygammaOf(n int) func(float64) float64 {
	return func(x float64) float64 { return Polygamma(n, x) }
}

// shift is the argument from which on the references use asymptotic series.
const shift = 60

// bernoulli lists B₂, B₄, …, B₆₀.
var bernoulli = func() []*big.Float {
	b := []*big.Rat{big.NewRat(1, 1)}
	for m := int64(1); m <= 60; m++ {
		sum := new(big.Rat)
		for k := int64(0); k < m; k++ {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(m+1, k))
			sum.Add(sum, c.Mul(c, b[k]))
		}
		b = append(b, sum.Mul(sum, big.NewRat(-1, m+1)))
	}
	var even []*big.Float
	for m := 2; m <= 60; m += 2 {
		even = append(even, zero().SetRat(b[m]))
	}
	return even
}()

// bigLogGamma returns log |Γ(x)| by Stirling's series (Abramowitz and Stegun 6.1.41) and the recurrence
// Γ(x+1) = x·Γ(x).
func bigLogGamma(x *big.Float) *big.Float {
	p := number(1)
	for x.Cmp(number(shift)) < 0 {
		p = mul(p, x)
		x = add(x, number(1))
	}
	y := sub(mul(sub(x, number(0.5)), bigLog(x)), x)
	y = add(y, div(bigLog(mul(number(2), bigPi)), number(2)))
	power := div(number(1), x)
	for i, b := range bernoulli {
		j := float64(2 * (i + 1))
		y = add(y, div(mul(b, power), number(j*(j-1))))
		power = div(power, mul(x, x))
	}
	return sub(y, bigLog(p.Abs(p)))
}

// bigDigamma returns the derivative of log |Γ(x)| in the same way (6.3.18).
func bigDigamma(x *big.Float) *big.Float {
	back := zero()
	for x.Cmp(number(shift)) < 0 {
		back = add(back, div(number(1), x))
		x = add(x, number(1))
	}
	y := sub(bigLog(x), div(number(0.5), x))
	power := div(number(1), mul(x, x))
	for i, b := range bernoulli {
		y = sub(y, div(mul(b, power), number(float64(2*(i+1)))))
		power = div(power, mul(x, x))
	}
	return sub(y, back)
}

// bigPolygamma returns the further derivatives in the same way (6.4.11).
func bigPolygamma(n int) func(*big.Float) *big.Float {
	power := func(x *big.Float, n int) *big.Float {
		y := number(1)
		for range n {
			y = mul(y, x)
		}
		return y
	}
	factorial := func(n int) *big.Float {
		y := number(1)
		for k := 2; k <= n; k++ {
			y = mul(y, number(float64(k)))
		}
		return y
	}
	return func(x *big.Float) *big.Float {
		sum := zero()
		for x.Cmp(number(shift)) < 0 {
			sum = add(sum, div(factorial(n), power(x, n+1)))
			x = add(x, number(1))
		}
		sum = add(sum, div(factorial(n-1), power(x, n)))
		sum = add(sum, div(factorial(n), mul(number(2), power(x, n+1))))
		for i, b := range bernoulli {
			j := 2 * (i + 1)
			sum = add(sum, div(mul(b, div(factorial(j+n-1), factorial(j))), power(x, j+n)))
		}
		if n%2 == 0 {
			return sum.Neg(sum)
		}
		return sum
	}
}

// Normal distributions by SciPy 1.10.1, norm.cdf and norm.pdf. Ends of the range, and numbers known in closed form: ψ(1) = −γ, ψ(½) = −γ − 2 log 2,
// ψ′(1) = π²/6, ψ″(1) = −2ζ(3), Γ(½) = √π, Γ(−½) = −2√π.
func TestGammaValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	const gamma = 0.57721566490153286060651209008240243
	for _, c := range []struct{ got, want float64 }{
		{NormalCDF(1.96), 0.9750021048517795}, {NormalPDF(0), 0.3989422804014327}, {NormalPDF(2), 0.05399096651318805},
		{LogGamma(1), 0}, {LogGamma(2), 0}, {LogGamma(0.5), math.Log(math.Pi) / 2}, {LogGamma(-0.5), math.Log(2 * math.Sqrt(math.Pi))}, {LogGamma(11), math.Log(3628800)},
		{LogGamma(0), inf}, {LogGamma(-3), inf}, {LogGamma(inf), inf}, {LogGamma(-inf), inf}, {LogGamma(nan), nan}, {LogGamma(1e300), 1e300 * (math.Log(1e300) - 1)}, {LogGamma(1e306), inf}, {LogGamma(-1e300), inf},
		{LogGamma(1e-300), -math.Log(1e-300)}, {LogGamma(-1e-300), -math.Log(1e-300)},
		{Digamma(1), -gamma}, {Digamma(0.5), -gamma - 2*math.Ln2}, {Digamma(0), -inf}, {Digamma(-2), nan}, {Digamma(inf), inf}, {Digamma(-inf), nan}, {Digamma(nan), nan}, {Digamma(1e300), math.Log(1e300)},
		{Polygamma(0, 1), -gamma}, {Polygamma(1, 1), math.Pi * math.Pi / 6}, {Polygamma(2, 1), -2 * 1.2020569031595942854}, {Polygamma(1, 0.5), math.Pi * math.Pi / 2}, {Polygamma(1, -0.5), math.Pi*math.Pi/2 + 4},
		{Polygamma(1, 0), inf}, {Polygamma(2, 0), -inf}, {Polygamma(1, -4), inf}, {Polygamma(2, -4), nan}, {Polygamma(1, inf), 0}, {Polygamma(3, nan), nan}, {Polygamma(1, 1e300), 1e-300},
		{LogNormalCDF(inf), 0}, {LogNormalCDF(-inf), -inf}, {LogNormalCDF(nan), nan}, {LogNormalCDF(0), -math.Ln2}, {LogNormalCDF(-1.8e154), -1.62e308}, {LogNormalCDF(-1e200), -inf},
		{InverseMills(inf), 0}, {InverseMills(-inf), inf}, {InverseMills(nan), nan}, {InverseMills(-1e30), 1e30}, {InverseMills(0), math.Sqrt(2 / math.Pi)},
		{MillsExcess(inf), inf}, {MillsExcess(-inf), 0}, {MillsExcess(nan), nan}, {MillsExcess(-1e30), 1e-30},
		{Erfcx(inf), 0}, {Erfcx(-inf), inf}, {Erfcx(nan), nan}, {Erfcx(0), 1}, {Erfcx(1e300), 1 / math.Sqrt(math.Pi) / 1e300},
		{Log2(8), 3}, {Log2(0x1p-1074), -1074}, {Log2(0), -inf}, {Log2(-1), nan}, {Log2(inf), inf}, {Log2(nan), nan},
	} {
		if c.got != c.want && !(math.Abs(c.got-c.want) <= 4e-15*math.Abs(c.want)) && !(c.got != c.got && c.want != c.want) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
