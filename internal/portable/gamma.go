package portable

import "math"

// LogGamma returns log |Γ(x)|. It is +Inf at 0, −1, −2, … and at both infinities.
//
// It uses the series of Stirling from 8 on and a power series around 2. The recurrence
// Γ(x+1) = x·Γ(x) and the reflection formula move all other x there.
func LogGamma(x float64) float64 {
	switch {
	case x != x: // NaN
		return x
	case math.IsInf(x, 0):
		return math.Inf(1)
	case x <= 0:
		return logGammaReflected(x)
	case x < 0.5: // Γ(x) = Γ(x+2)/(x·(x+1))
		return (logGammaFrom2(x) - Log1p(x)) - Log(x)
	case x < 1.5: // Γ(x) = Γ(x+1)/x
		return logGammaFrom2(x-1) - Log(x)
	case x < 2.5:
		return logGammaFrom2(x - 2)
	case x < 8: // Γ(x) = (x−1)·(x−2)·…·Γ(x−k)
		factors := 1.0
		for x >= 2.5 {
			x--
			factors = float64(factors * x)
		}
		return Log(factors) + logGammaFrom2(x-2)
	}
	return logGammaStirling(x)
}

// logGammaReflected returns LogGamma(x) for x ≤ 0 by the reflection formula
// |Γ(x)·Γ(1−x)| = π/|sin πx|. It is +Inf at 0, −1, −2, ….
func logGammaReflected(x float64) float64 {
	distance := distanceToInteger(x) // |sin πx| is |sin(π·distance)|
	if distance == 0 {
		return math.Inf(1)
	}
	return -Log(math.Abs(sinPi(distance))/math.Pi) - LogGamma(1-x)
}

// logGammaStirling returns log Γ(x) for x from 8 on, by the series of Stirling
// (x−½)·log x − x + ½·log 2π + Σ B₂ⱼ/(2j(2j−1)·x²ʲ⁻¹).
//
// Source: Abramowitz and Stegun 6.1.40.
func logGammaStirling(x float64) float64 {
	const halfLog2Pi = 0.91893853320467274178032973640561763986140
	const negligible = 1e17 // from here on, the sum is below the last digit
	sum := 0.0
	if x < negligible {
		w := 1 / x
		sum = float64(w * horner(float64(w*w), stirling))
	}
	// (x−½)·log x − x is (x−½)·(log x − 1) − ½.
	return float64((x-0.5)*(Log(x)-1)) + (sum + (halfLog2Pi - 0.5))
}

// logGammaFrom2 returns log Γ(2+z) for |z| ≤ ½, as (1−γ)·z + Σ (−1)ᵏ·(ζ(k)−1)·zᵏ/k from k = 2 on,
// where γ is Euler's constant and ζ the zeta function.
//
// Source: Abramowitz and Stegun 6.1.33.
func logGammaFrom2(z float64) float64 {
	const oneMinusGamma = 0.42278433509846713939348790991759756895784
	series := 0.0 // Σ (−1)ᵏ⁻¹·(ζ(k)−1)·zᵏ⁻¹/k, from the last term to the first, as by Horner
	for i := len(logGammaTerms) - 1; i >= 0; i-- {
		series = float64(-z * (logGammaTerms[i] + series))
	}
	return float64(z * (oneMinusGamma - series))
}

// logGammaTerms holds (ζ(k)−1)/k for k = 2, 3, …. It is computed in advance, since a division takes
// longer than the rest of a term.
var logGammaTerms = func() []float64 {
	var terms []float64
	for i, z := range zetaMinus1 {
		terms = append(terms, z/float64(i+2))
	}
	return terms
}()

// zetaMinus1 holds ζ(k) − 1 for k = 2, 3, ….
var zetaMinus1 = []float64{
	0.64493406684822643647241516664602519, 0.20205690315959428539973816151144999, 0.08232323371113819151600369654116790, 0.03692775514336992633136548645703417,
	0.01734306198444913971451792979092053, 0.00834927738192282683979754984979676, 0.00407735619794433937868523850865247, 0.00200839282608221441785276923241206,
	0.00099457512781808533714595890031902, 0.00049418860411946455870228252646994, 0.00024608655330804829863799804773967, 0.00012271334757848914675183652635740,
	0.00006124813505870482925854510513533, 0.00003058823630702049355172851064506, 0.00001528225940865187173257148763672, 0.00000763719763789976227360029356303,
	3.81729326499983985646164462193973e-6, 1.90821271655393892565695779510135e-6, 9.53962033872796113152038683449346e-7, 4.76932986787806463116719604373046e-7,
	2.38450502727732990003648186752995e-7, 1.19219925965311073067788718882326e-7, 5.96081890512594796124402079358012e-8, 2.98035035146522801860637050693660e-8,
	1.49015548283650412346585066306986e-8, 7.45071178983542949198100417060412e-9, 3.72533402478845705481920401840242e-9, 1.86265972351304900640390994541695e-9,
}

// Digamma returns the derivative of LogGamma at x. It is −Inf at 0, and NaN at −1, −2, … and at −Inf.
// Near its zeros, the largest of which is 1.4616, the error is as large as for results near 1.
//
// It uses the asymptotic series from 10 on. The recurrence and the reflection formula move all other x
// there.
func Digamma(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1): // NaN or +Inf
		return x
	case x == 0:
		return math.Inf(-1)
	case x < 0: // ψ(x) = ψ(1−x) − π·cot πx
		distance := distanceToInteger(x)
		if distance == 0 {
			return math.NaN()
		}
		return Digamma(1-x) - math.Pi*cosPi(distance)/sinPi(distance)
	}
	const seriesStart = 10 // from here on, the series has full precision
	steps := 0.0           // ψ(x) = ψ(x+1) − 1/x
	for x < seriesStart {
		steps += 1 / x
		x++
	}
	// ψ(x) = log x − 1/(2x) − Σ B₂ⱼ/(2j·x²ʲ), Abramowitz and Stegun 6.3.18.
	w := 1 / x
	series := float64(float64(w*w) * horner(float64(w*w), digammaTerms))
	return (Log(x) - (float64(w/2) + series)) - steps
}

// Polygamma returns the derivative of order n ≥ 0 of Digamma at x. For n ≥ 1, the value at 0 is the
// limit from above, and at −1, −2, … it is +Inf for odd n and NaN for even n.
//
// For n ≥ 1 it is (−1)ⁿ⁺¹·n! times the sum of (x+k)⁻ⁿ⁻¹ over k = 0, 1, …, Abramowitz and Stegun 6.4.10.
func Polygamma(n int, x float64) float64 {
	if n == 0 {
		return Digamma(x)
	}
	factorial := 1.0
	for k := 2; k <= n; k++ {
		factorial = float64(factorial * float64(k))
	}
	isOdd := n&1 == 1
	sign := -1.0 // (−1)ⁿ⁺¹
	if isOdd {
		sign = 1
	}
	switch {
	case x != x || math.IsInf(x, -1):
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	case x == 0:
		return math.Inf(int(sign))
	case x > 0:
		return float64(float64(sign*factorial) * zeta(n+1, x))
	}
	if distanceToInteger(x) == 0 { // −1, −2, …
		if isOdd {
			return math.Inf(1)
		}
		return math.NaN()
	}
	return float64(float64(sign*factorial) * zetaBelow0(n+1, sign, x))
}

// zetaBelow0 returns the sum of (x+k)⁻ˢ over k = 0, 1, … for x < 0 that is no integer. sign is (−1)ˢ.
//
// The terms from the first positive one on are a zeta function. The finitely many terms below 0 are,
// apart from their sign, those of −x−k: the difference of two zeta functions.
func zetaBelow0(s int, sign, x float64) float64 {
	distance := distanceToInteger(x)
	firstAbove := distance     // smallest positive x+k
	firstBelow := 1 - distance // smallest positive −x−k
	if distance < 0 {
		firstAbove = 1 + distance
		firstBelow = -distance
	}
	below := zeta(s, firstBelow) - zeta(s, 1-x) // 1−x is the first −x−k that does not occur
	return zeta(s, firstAbove) + float64(sign*below)
}

// zeta returns the Hurwitz zeta function, the sum of (x+k)⁻ˢ over k = 0, 1, …, for x > 0 and s ≥ 2. It
// adds the first terms. The sum of the others is, by the Euler–Maclaurin formula,
// x¹⁻ˢ/(s−1) + x⁻ˢ·(½ + Σ B₂ⱼ/(2j)!·s·(s+1)·…·(s+2j−2)/x²ʲ⁻¹), where x is the first that is not added.
func zeta(s int, x float64) float64 {
	exponent := float64(s)
	formulaStart := 10 + exponent // from here on, the formula has full precision
	sum := 0.0
	for x < formulaStart {
		sum += Pow(x, -exponent)
		x++
	}
	w := 1 / x
	series := 0.0
	factor := float64(exponent * w)          // s·(s+1)·…·(s+2j−2)/x²ʲ⁻¹, for j = 1 at first
	for i, b := range bernoulliByFactorial { // i is j − 1
		series += float64(b * factor)
		k := exponent + float64(2*i)
		factor = float64(factor * float64(float64((k+1)*(k+2))*float64(w*w)))
	}
	return sum + (Pow(x, 1-exponent)/(exponent-1) + float64(Pow(x, -exponent)*(0.5+series)))
}

// horner returns c[0] + c[1]·x + c[2]·x² + …, by the method of Horner.
func horner(x float64, c []float64) float64 {
	y := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		y = mulAdd(x, y, c[i])
	}
	return y
}

// Coefficients of asymptotic series for j = 1, 2, …, from the Bernoulli numbers B₂ⱼ: stirling holds
// B₂ⱼ/(2j(2j−1)) for log Γ, digammaTerms holds B₂ⱼ/2j for its derivative, and bernoulliByFactorial
// holds B₂ⱼ/(2j)! for the Euler–Maclaurin formula.
var (
	stirling             = []float64{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400, 43867.0 / 244188, -174611.0 / 125400}
	digammaTerms         = []float64{1.0 / 12, -1.0 / 120, 1.0 / 252, -1.0 / 240, 1.0 / 132, -691.0 / 32760, 1.0 / 12, -3617.0 / 8160, 43867.0 / 14364, -174611.0 / 6600}
	bernoulliByFactorial = []float64{1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600,
		-3617.0 / 10670622842880000, 43867.0 / 5109094217170944000, -174611.0 / 802857662698291200000}
)

// distanceToInteger returns x minus the nearest integer, exactly: from −½ to ½.
func distanceToInteger(x float64) float64 { return x - math.RoundToEven(x) }

// sinPi returns sin πx for |x| ≤ ½.
func sinPi(x float64) float64 { return Sin(float64(math.Pi * x)) }

// cosPi returns cos πx for |x| ≤ ½, with full precision near ½.
func cosPi(x float64) float64 {
	if math.Abs(x) > 0.25 {
		return Sin(float64(math.Pi * (0.5 - math.Abs(x))))
	}
	return Cos(math.Pi * x)
}

// LogGammaStep returns log Γ(x + ½) − log Γ(x). It is NaN for x < 0. For large x, where both logarithms
// are much larger than their difference, it uses the first terms of the difference's series in
// w = x − ¼: ½·log w + 1/(64w²).
func LogGammaStep(x float64) float64 {
	const large = 1e4 // from here on, terms with w⁻⁴ are below the last digit
	switch {
	case x < 0:
		return math.NaN()
	case x > large:
		w := x - 0.25
		return float64(0.5*Log(w)) + 1/(64*w)/w
	}
	return LogGamma(x+0.5) - LogGamma(x)
}
