package portable

import (
	"math"
	"math/big"
)

// References compute the functions with math/big, in 256 bits, from their series and continued
// fractions (Abramowitz and Stegun, Handbook of Mathematical Functions,
// formulas 4.2.1, 4.3.65, 4.3.66, 7.1.5 and 7.1.14).

const precision = 256

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func zero() *big.Float { return number(0) }

func add(a, b *big.Float) *big.Float { return zero().Add(a, b) }
func sub(a, b *big.Float) *big.Float { return zero().Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return zero().Mul(a, b) }
func div(a, b *big.Float) *big.Float { return zero().Quo(a, b) }

// series adds terms until they no longer change the sum. next computes term n from term n−1.
func series(first *big.Float, next func(term *big.Float, n int) *big.Float) *big.Float {
	sum, term := number(0).Set(first), first
	for n := 1; n < 10000; n++ {
		term = next(term, n)
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-precision {
			break
		}
		sum = add(sum, term)
	}
	return sum
}

func bigExp(x *big.Float) *big.Float {
	const halvings = 20 // e^x is e^(x/2ⁿ), squared n times
	small := zero().SetMantExp(x, -halvings)
	y := series(number(1), func(term *big.Float, n int) *big.Float { return div(mul(term, small), number(float64(n))) })
	for range halvings {
		y = mul(y, y)
	}
	return y
}

// bigLog returns log x: it solves e^y = x by Newton's method.
func bigLog(x *big.Float) *big.Float {
	var mantissa big.Float
	exponent := x.MantExp(&mantissa)
	m, _ := mantissa.Float64()
	y := add(number(math.Log(m)), mul(number(float64(exponent)), number(math.Ln2)))
	for range 4 {
		y = add(y, sub(div(x, bigExp(y)), number(1)))
	}
	return y
}

var bigPi = func() *big.Float {
	// Machin: π = 16·arctan ⅕ − 4·arctan 1/239.
	arctan := func(n float64) *big.Float {
		square := number(-n * n)
		sum, power := zero(), div(number(1), number(n))
		for k := 1; k < 400; k += 2 {
			sum = add(sum, div(power, number(float64(k))))
			power = div(power, square)
		}
		return sum
	}
	return sub(mul(number(16), arctan(5)), mul(number(4), arctan(239)))
}()

// bigSin returns sin x. Larger |x| than some hundreds must be reduced by multiples of 2π first.
func bigSin(x *big.Float) *big.Float {
	turn := mul(number(2), bigPi)
	turns, _ := div(x, turn).Float64()
	x = sub(x, mul(turn, number(math.Round(turns))))
	square := mul(x, x)
	return series(x, func(term *big.Float, n int) *big.Float {
		return div(mul(term, square), number(-float64(2*n*(2*n+1))))
	})
}

// bigAsinh returns log(x + √(x²+1)), for −x as −asinh x, so that the sum does not cancel.
func bigAsinh(x *big.Float) *big.Float {
	size := zero().Abs(x)
	root := zero().Sqrt(add(mul(size, size), number(1)))
	y := bigLog(add(size, root))
	if x.Sign() < 0 {
		return y.Neg(y)
	}
	return y
}

// bigAtan halves the angle by arctan x = 2·arctan(x/(1 + √(1+x²))) and adds up the series
// x − x³/3 + x⁵/5 − …
func bigAtan(x *big.Float) *big.Float {
	const halvings = 10
	for range halvings {
		x = div(x, add(number(1), zero().Sqrt(add(number(1), mul(x, x)))))
	}
	square := mul(x, x)
	sum, power := number(0).Set(x), x
	for n := 1; n < 16; n++ { // x² is below 2⁻¹⁸ here
		power = div(mul(power, square), number(-1))
		sum = add(sum, div(power, number(float64(2*n+1))))
	}
	return zero().SetMantExp(sum, halvings)
}

func bigCos(x *big.Float) *big.Float { return bigSin(add(x, div(bigPi, number(2)))) }

func bigErf(x *big.Float) *big.Float {
	// 2/√π·Σ (−1)ⁿ x²ⁿ⁺¹/(n!(2n+1)); terms without the 2n+1 are carried along.
	square := mul(x, x)
	sum, power := number(0).Set(x), x
	for n := 1; n < 2000; n++ {
		power = div(mul(power, square), number(-float64(n)))
		if power.Sign() == 0 || power.MantExp(nil) < sum.MantExp(nil)-precision {
			break
		}
		sum = add(sum, div(power, number(float64(2*n+1))))
	}
	return div(mul(number(2), sum), zero().Sqrt(bigPi))
}

// bigScaledErfc returns e^(x²)·erfc x for x > 0.
func bigScaledErfc(x *big.Float) *big.Float {
	if x.Cmp(number(2.5)) < 0 {
		return mul(bigExp(mul(x, x)), sub(number(1), bigErf(x)))
	}
	// 1/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …))))
	y := number(0).Set(x)
	for n := 300; n > 0; n-- {
		y = add(x, div(number(float64(n)/2), y))
	}
	return div(number(1), mul(y, zero().Sqrt(bigPi)))
}

func bigErfc(x *big.Float) *big.Float {
	if x.Cmp(number(0.1)) <= 0 {
		if x.Cmp(number(-3)) < 0 {
			return sub(number(2), bigErfc(zero().Neg(x)))
		}
		return sub(number(1), bigErf(x))
	}
	return mul(bigExp(zero().Neg(mul(x, x))), bigScaledErfc(x))
}

// bigTail returns −Φ⁻¹(e^(−r²/2)): the z > 0 whose upper tail is e^(−r²/2).
func bigTail(r *big.Float) *big.Float {
	// −log of the tail is z²/2 − log(½g(z/√2)), with g the scaled erfc; its
	// derivative is √(2/π)/g.
	target := div(mul(r, r), number(2))
	root2 := zero().Sqrt(number(2))
	z := number(0).Set(r)
	for range 40 {
		g := bigScaledErfc(div(z, root2))
		have := sub(div(mul(z, z), number(2)), bigLog(div(g, number(2))))
		step := mul(sub(target, have), div(g, zero().Sqrt(div(number(2), bigPi))))
		z = add(z, step)
		if z.Sign() <= 0 {
			z = number(0.5)
		}
		if step.Sign() == 0 || step.MantExp(nil) < -120 {
			break
		}
	}
	return z
}

// bigMiddle returns Φ⁻¹(½+d)/d for 0 < d < ½.
func bigMiddle(d *big.Float) *big.Float {
	root2 := zero().Sqrt(number(2))
	half := func(z *big.Float) *big.Float { return div(bigErf(div(z, root2)), number(2)) }
	z := mul(d, number(2.5))
	for range 40 {
		density := div(bigExp(div(mul(z, z), number(-2))), zero().Sqrt(mul(number(2), bigPi)))
		step := div(sub(d, half(z)), density)
		z = add(z, step)
		if step.Sign() == 0 || step.MantExp(nil) < z.MantExp(nil)-120 {
			break
		}
	}
	return div(z, d)
}
