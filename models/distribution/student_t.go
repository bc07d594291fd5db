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

// CRPS returns s (z (2F(z) − 1) + 2√ν/B(½, ν/2) · g) with the standard CDF F, z = |y − μ|/s, the beta function B
// and g = ((1 + z²/ν)^((1−ν)/2) − B(½, ν − ½)/B(½, ν/2))/(ν − 1). It is NaN for ν ≤ ½, where the score is infinite.
// float64(…) rounds each product, so that no CPU fuses it with the sum.
//
// Source: Jordan et al. 2019, appendix A, with the density written out. Their condition ν > 1 is not needed: both sides
// are analytic in ν down to ½, and g has a limit at 1.
func (d studentT) CRPS(y float64) float64 {
	nu := d.freedom
	if nu <= 0.5 {
		return math.NaN()
	}
	z := math.Abs(y-d.location) / d.scale // the formula is symmetric in z
	tails := float64(z * (1 - float64(2*portable.StudentCDF(-z, nu))))
	logPower := float64(-0.5 * portable.Log1p(float64(z/nu*z))) // log (1 + z²/ν)^((1−ν)/2), divided by ν − 1
	logRatio := logBetaRatio(nu)                                // log of the ratio in g, divided by ν − 1
	var g float64
	if nu == 1 {
		g = logPower - logRatio
	} else {
		g = (portable.Expm1(float64((nu-1)*logPower)) - portable.Expm1(float64((nu-1)*logRatio))) / (nu - 1)
	}
	// 1/B(½, ν/2) is Γ(ν/2 + ½)/(Γ(ν/2) √π).
	peak := float64(2 * math.Sqrt(nu/math.Pi) * portable.Exp(portable.LogGammaStep(nu/2)) * g)
	return float64(d.scale * (tails + peak))
}

// logBetaRatio returns log (B(½, ν − ½)/B(½, ν/2))/(ν − 1) for ν > ½, where log B(½, a) is ½ log π − LogGammaStep(a).
func logBetaRatio(nu float64) float64 {
	const near = 1e-5 // nearer to ν = 1, the difference of the logarithms loses more digits than the series has
	distance := nu - 1
	if math.Abs(distance) < near {
		return float64(math.Pi*math.Pi/8*distance) - math.Ln2 // Taylor series by the digamma function at ½ and 1
	}
	return (portable.LogGammaStep(nu/2) - portable.LogGammaStep(nu-0.5)) / distance
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
	return b.Mul(d.scale, b.Sqrt(b.Div(d.freedom, b.Shift(d.freedom, -2))))
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
	root := b.Sqrt(b.Shift(b.Square(ratio), 1))
	excess := b.Div(b.Square(ratio), b.Shift(root, 1)) // √(r² + 1) − 1 without cancellation
	end := b.Log1p(b.Add(ratio, excess))               // asinh(|z|/√ν) = log(r + √(r² + 1))
	fraction := b.Div(d.integral(end), fullIntegral)   // I(|z|)/I(∞): the factor 1/√ν cancels
	return b.Shift(b.Scale(0.5, b.Mul(b.Sign(z), fraction)), 0.5)
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
	// log cosh u is ½ log(1 + sinh² u), which loses no digits for a small u: ν may be large.
	sinh := b.Scale(0.5, b.Sub(b.Expm1(u), b.Expm1(b.Neg(u))))
	logCosh := b.Scale(0.5, b.Log1p(b.Square(sinh)))
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
	exponent := b.Scale(-0.5, b.Shift(nu, 1))
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
	tails := b.Mul(z, b.Shift(b.Scale(2, d.standardCDF(z, d.fullIntegral())), -1))
	distance := b.Shift(nu, -1)
	logPower := b.Mul(b.Scale(-0.5, distance), b.Log1p(b.Div(b.Square(z), nu)))
	step := b.LogGammaStep(b.Scale(0.5, nu))
	logRatio := b.Sub(step, b.LogGammaStep(b.Shift(nu, -0.5)))
	g := b.Div(b.Sub(b.Expm1(logPower), b.Expm1(logRatio)), distance)
	inverseBeta := b.Scale(1/math.Sqrt(math.Pi), b.Exp(step)) // 1/B(½, ν/2)
	peak := b.Scale(2, b.Mul(b.Mul(b.Sqrt(nu), inverseBeta), g))
	return b.Mul(d.scale, b.Add(tails, peak))
}
