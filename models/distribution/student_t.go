package distribution

import (
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// StudentT is the family of Student's t distributions: of μ + s·t, where t has the standard t
// distribution with ν degrees of freedom. The parameters are the location μ, the scale s > 0 and
// the degrees of freedom ν > 0. The mean exists for ν > 1, and the standard deviation is finite for
// ν > 2.
var StudentT = Family{
	Name:       "student-t",
	Parameters: []string{"location", "scale", "freedom"},
	HasStd:     true,
	New:        func(p []float64) Distribution { return studentT{p[0], p[1], p[2]} },
	Check: func(p []float64) error {
		if err := checkAboveZero("student-t", "scale", p[1]); err != nil {
			return err
		}
		return checkAboveZero("student-t", "freedom", p[2])
	},
	Nodes: func(b *graph.Builder, p []*graph.Node) Nodes { return studentTNodes{b, p[0], p[1], p[2]} },
}

// studentT is a distribution of the family StudentT.
type studentT struct{ location, scale, freedom float64 }

// Mean returns μ, or NaN for ν ≤ 1.
func (d studentT) Mean() float64 {
	if d.freedom <= 1 {
		return math.NaN()
	}
	return d.location
}

// Std returns s √(ν/(ν − 2)), infinity for 1 < ν ≤ 2, and NaN for ν ≤ 1.
func (d studentT) Std() float64 {
	switch {
	case d.freedom <= 1:
		return math.NaN()
	case d.freedom <= 2:
		return math.Inf(1)
	}
	return d.scale * math.Sqrt(d.freedom/(d.freedom-2))
}

func (d studentT) LogDensity(y float64) float64 {
	return portable.StudentLogDensity((y-d.location)/d.scale, d.freedom) - portable.Log(d.scale)
}

func (d studentT) CDF(y float64) float64 {
	return portable.StudentCDF((y-d.location)/d.scale, d.freedom)
}

func (d studentT) Quantile(level float64) float64 {
	return d.location + float64(d.scale*portable.StudentQuantile(level, d.freedom))
}

// CRPS returns s (z (2F(z) − 1) + 2f(z) (ν + z²)/(ν − 1) − c) with the standard CDF F and density f,
// z = (y − μ)/s and c = studentCRPSConstant, and NaN for ν ≤ 1. float64(…) rounds each product, so that no
// CPU fuses it with the sum. Source: Jordan et al. 2019, appendix A.
func (d studentT) CRPS(y float64) float64 {
	nu := d.freedom
	if nu <= 1 { // the score is not finite
		return math.NaN()
	}
	z := math.Abs(y-d.location) / d.scale // the formula is symmetric in z
	tails := float64(z * (1 - float64(2*portable.StudentCDF(-z, nu))))
	density := portable.Exp(portable.StudentLogDensity(z, nu))
	peak := float64(2*density) * (nu + float64(z*z)) / (nu - 1)
	return float64(d.scale * (tails + peak - studentCRPSConstant(nu)))
}

// studentCRPSConstant returns 2√ν/(ν − 1) · B(½, ν − ½)/B(½, ν/2)² with the beta function B, where
// log B(½, a) = ½ log π − (log Γ(a + ½) − log Γ(a)).
func studentCRPSConstant(nu float64) float64 {
	logBetaRatio := float64(2*portable.LogGammaStep(nu/2)) - portable.LogGammaStep(nu-0.5) - float64(portable.Log(math.Pi)/2)
	return 2 * math.Sqrt(nu) / (nu - 1) * portable.Exp(logBetaRatio)
}

func (d studentT) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

func (d studentT) Affine(scale, shift float64) Distribution {
	return studentT{float64(d.location*scale) + shift, d.scale * scale, d.freedom}
}

// studentTNodes holds distributions of the family StudentT. "Standard" values are those of the
// distributions with location 0 and scale 1.
//
// A graph has no operation for the CDF of t. It is computed as an integral: with
//
//	I(z) = ∫₀ᶻ (1 + x²/ν)^(−(ν+1)/2) dx
//
// the standard CDF is ½ + ½ sign(z) I(|z|)/I(∞).
type studentTNodes struct {
	b                        *graph.Builder
	location, scale, freedom *graph.Node
}

func (d studentTNodes) Mean() *graph.Node { return d.location }

// Std returns s √(ν/(ν − 2)). It requires ν > 2.
func (d studentTNodes) Std() *graph.Node {
	b := d.b
	return b.Mul(d.scale, b.Sqrt(b.Div(d.freedom, b.AddConst(d.freedom, -2))))
}

func (d studentTNodes) LogDensity(y *graph.Node) *graph.Node {
	return d.b.Neg(d.b.StudentTNLL(d.location, d.scale, d.freedom, y))
}

func (d studentTNodes) CDF(y *graph.Node) *graph.Node {
	z := d.b.Div(d.b.Sub(y, d.location), d.scale)
	return d.standardCDF(z, d.fullIntegral())
}

// standardCDF returns the standard CDF at z, to 1e-9 for ν ≥ 2 and |z| ≤ 100. fullIntegral is the
// value of d.fullIntegral.
func (d studentTNodes) standardCDF(z, fullIntegral *graph.Node) *graph.Node {
	b := d.b
	ratio := b.Div(b.Abs(z), b.Sqrt(d.freedom))
	end := b.Log(b.Add(ratio, b.Sqrt(b.AddConst(b.Square(ratio), 1)))) // asinh(|z|/√ν) = log(r + √(r² + 1))
	fraction := b.Div(d.integral(end), fullIntegral)                   // I(|z|)/I(∞): the factor 1/√ν cancels
	return b.AddConst(b.Scale(0.5, b.Mul(b.Sign(z), fraction)), 0.5)
}

// integral returns I(√ν sinh(end))/√ν. With x = √ν sinh u it is the integral of cosh(u)^−ν from 0 to
// end, which Gauss-Legendre quadrature computes.
func (d studentTNodes) integral(end *graph.Node) *graph.Node {
	b := d.b
	shape := end.Shape()
	n := shape.TotalSize()
	ends := b.Reshape(end, n, 1)
	points, weights := gaussLegendre()
	u := b.MatMul(ends, b.Constant(1, len(points), points)) // [n, points], from 0 to each end
	// log cosh u = u + log(1 + e^−2u) − log 2, which does not overflow for a large u.
	logCosh := b.AddConst(b.Add(u, b.Softplus(b.Scale(-2, u))), -math.Ln2)
	nu := b.Reshape(d.freedom, n, 1)
	integrand := b.Exp(b.Neg(b.Mul(nu, logCosh))) // cosh(u)^−ν
	meanValues := b.MatMul(integrand, b.Constant(len(weights), 1, weights))
	integrals := b.Mul(meanValues, ends) // the weights are for an interval of width 1
	return b.Reshape(integrals, shape...)
}

// fullIntegral returns I(∞)/√ν. It integrates to u = 26/√ν: beyond it the integrand cosh(u)^−ν is below
// 1e-15 for ν ≥ 2.
func (d studentTNodes) fullIntegral() *graph.Node {
	const negligibleBeyond = 26 // in units of 1/√ν
	end := d.b.Scale(negligibleBeyond, d.b.Pow(d.freedom, -0.5))
	return d.integral(end)
}

// standardDensity returns the standard density at z, (1 + z²/ν)^(−(ν+1)/2) / (2 I(∞)). fullIntegral
// is the value of d.fullIntegral.
func (d studentTNodes) standardDensity(z, fullIntegral *graph.Node) *graph.Node {
	b, nu := d.b, d.freedom
	exponent := b.Scale(-0.5, b.AddConst(nu, 1))
	numerator := b.Exp(b.Mul(b.Log1p(b.Div(b.Square(z), nu)), exponent))
	return b.Div(numerator, b.Scale(2, b.Mul(fullIntegral, b.Sqrt(nu))))
}

// Quantiles returns the quantiles. As t is symmetric, it computes standard quantiles only at the
// levels max(level, 1 − level).
func (d studentTNodes) Quantiles(levels []float64) graph.Nodes {
	b := d.b
	var upperLevels []float64 // each once
	for _, level := range levels {
		upperLevel := max(level, 1-level)
		if !slices.Contains(upperLevels, upperLevel) {
			upperLevels = append(upperLevels, upperLevel)
		}
	}
	standard := d.standardQuantiles(upperLevels)
	var quantiles graph.Nodes
	for _, level := range levels {
		upperLevel := max(level, 1-level) // the same calculation as above, so that Index finds it
		distance := b.Mul(d.scale, standard[slices.Index(upperLevels, upperLevel)])
		if level < 0.5 {
			distance = b.Neg(distance)
		}
		quantiles = append(quantiles, b.Add(d.location, distance))
	}
	return quantiles
}

// standardQuantiles returns the standard quantiles at levels of ½ or more, by Newton's method. It
// starts from the quantiles of N(0, 1), which are smaller; as the CDF is concave there, no step goes
// beyond the quantile. All levels are computed at once, each in its own columns.
func (d studentTNodes) standardQuantiles(levels []float64) graph.Nodes {
	const newtonSteps = 16 // a graph cannot stop once the steps have become small
	b, n := d.b, len(levels)
	repeated := repeatColumns(b, []*graph.Node{d.freedom, d.fullIntegral()}, n)
	columns := studentTNodes{b: b, freedom: repeated[0]}
	fullIntegral := repeated[1]
	width := fullIntegral.Shape()[1]
	level := constantRow(b, levels, width)
	normalQuantile := constantRow(b, standardQuantiles(levels), width)
	start := b.Add(b.Scale(0, columns.freedom), normalQuantile) // the row, repeated in the shape of freedom
	newtonStep := func(values graph.Nodes) graph.Nodes {
		quantile := values[0]
		missing := b.Sub(level, columns.standardCDF(quantile, fullIntegral)) // probability
		step := b.Div(missing, columns.standardDensity(quantile, fullIntegral))
		return graph.Nodes{b.Add(quantile, step)}
	}
	results := b.Iterate(newtonSteps, graph.Nodes{start}, newtonStep)
	return b.Split(results[0], n)
}

// CRPS returns the formula of studentT.CRPS. It requires ν > 1.
func (d studentTNodes) CRPS(y *graph.Node) *graph.Node {
	b, nu := d.b, d.freedom
	z := b.Abs(b.Div(b.Sub(y, d.location), d.scale))
	fullIntegral := d.fullIntegral()
	tails := b.Mul(z, b.AddConst(b.Scale(2, d.standardCDF(z, fullIntegral)), -1))
	density := d.standardDensity(z, fullIntegral)
	peak := b.Scale(2, b.Mul(density, b.Div(b.Add(nu, b.Square(z)), b.AddConst(nu, -1))))
	constant := d.crpsConstant()
	return b.Mul(d.scale, b.Sub(b.Add(tails, peak), constant))
}

// crpsConstant returns the formula of studentCRPSConstant.
func (d studentTNodes) crpsConstant() *graph.Node {
	b, nu := d.b, d.freedom
	logGammaStep := func(x *graph.Node) *graph.Node { // log Γ(x + ½) − log Γ(x)
		return b.Sub(b.LogGamma(b.AddConst(x, 0.5)), b.LogGamma(x))
	}
	firstStep := b.Scale(2, logGammaStep(b.Scale(0.5, nu)))
	secondStep := logGammaStep(b.AddConst(nu, -0.5))
	logBetaRatio := b.AddConst(b.Sub(firstStep, secondStep), -portable.Log(math.Pi)/2)
	factor := b.Scale(2, b.Div(b.Sqrt(nu), b.AddConst(nu, -1)))
	return b.Mul(factor, b.Exp(logBetaRatio))
}
