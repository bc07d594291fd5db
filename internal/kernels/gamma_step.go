package kernels

import "math"

// With w = x − ¼, log Γ(x+½) − log Γ(x) is asymptotically ½·log w − Σ E₂ₖ/(k·4^(2k+1)·w^2k),
// where E₂ₖ are Euler's numbers −1, 5, −61, …: both Stirling series about w, whose odd
// terms cancel. It is taken at x + 8, where eight terms are precise to 10⁻¹⁶, and
// brought back by Γ(x+8) = x(x+1)…(x+7)·Γ(x).
var (
	logGammaStepTerms = eulerTerms(func(k float64) float64 { return -1 / k })
	digammaStepTerms  = eulerTerms(func(float64) float64 { return 2 })
)

// eulerTerms are E₂ₖ/4^(2k+1) by a factor, for k = 1, 2, ….
func eulerTerms(factor func(k float64) float64) (terms [8]float64) {
	for i, e := range [...]float64{-1, 5, -61, 1385, -50521, 2702765, -199360981, 19391512145} {
		terms[i] = factor(float64(i+1)) * e / math.Ldexp(1, 4*i+6)
	}
	return terms
}

const (
	stepShift = 7.75
	manySteps = 1 << 60 // beyond it x + 8 is x
)

// logGammaStep64 is log Γ(x+½) − log Γ(x), of which the zero is 1.2212: −∞ at 0, NaN below.
func logGammaStep64(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	w := x + stepShift
	q := w
	if x < manySteps {
		// x(x+1)…(x+7), and the same from x+½ on, in pairs from both ends.
		t, v := float64(x*(x+7)), float64(x*(x+8))
		below := float64(float64(t*(t+6)) * float64((t+10)*(t+12)))
		above := float64(float64((v+3.75)*(v+9.75)) * float64((v+13.75)*(v+15.75)))
		r := below / above
		q = float64(float64(w*r) * r)
	}
	u := 1 / w
	s := float64(u * u)
	y := float64(0.5*log64(q)) + float64(s*horner(s, logGammaStepTerms[:]))
	if x < math.Inf(1) {
		return y
	}
	return x
}

// digammaStep64 is the derivative of logGammaStep64: +∞ at 0, NaN below.
func digammaStep64(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	x = math.Abs(x) // −0
	u := 1 / (x + stepShift)
	s := float64(u * u)
	y := float64(u * (0.5 + float64(s*horner(s, digammaStepTerms[:]))))
	if !(x < manySteps) {
		return y
	}
	// Of the products in logGammaStep64, the logarithms' derivatives: of four factors
	// t+a, t+b, t+c, t+d it is t′·Σ 1/(t+a).
	t, v := float64(x*(x+7)), float64(x*(x+8))
	below := reciprocals(t, t+6, t+10, t+12)
	above := reciprocals(v+3.75, v+9.75, v+13.75, v+15.75)
	return y + (float64((x+x+7)*below) - float64((x+x+8)*above))
}

// reciprocals is 1/a + 1/b + 1/c + 1/d.
func reciprocals(a, b, c, d float64) float64 {
	ab, cd := float64(a*b), float64(c*d)
	return (float64((a+b)*cd) + float64((c+d)*ab)) / float64(ab*cd)
}
