package distribution

import (
	"math"
	"math/rand/v2"
	"slices"

	"sml/graph"
	"sml/internal/portable"
)

// StudentT is Student's t distribution: the distribution of μ + s·t, where t has ν degrees
// of freedom. Its parameters are the location μ, the scale s > 0 and ν > 0. It has a mean
// for ν > 1 and a finite standard deviation for ν > 2.
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

type studentT struct{ location, scale, freedom float64 }

func (d studentT) Mean() float64 {
	if d.freedom <= 1 {
		return math.NaN()
	}
	return d.location
}

// Std returns s √(ν/(ν − 2)).
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

// CRPS returns s (z (2F(z) − 1) + 2f(z) (ν + z²)/(ν − 1) − c) with
// c = 2√ν/(ν − 1) · B(½, ν − ½)/B(½, ν/2)². Source: Jordan et al. 2019, appendix A.
func (d studentT) CRPS(y float64) float64 {
	nu := d.freedom
	if nu <= 1 {
		return math.NaN()
	}
	z := math.Abs(y-d.location) / d.scale // of a symmetric distribution
	tails := float64(z * (1 - float64(2*portable.StudentCDF(-z, nu))))
	peak := float64(2*portable.Exp(portable.StudentLogDensity(z, nu))) * (nu + float64(z*z)) / (nu - 1)
	return float64(d.scale * (tails + peak - studentCRPSConstant(nu)))
}

// studentCRPSConstant returns 2√ν/(ν − 1) · B(½, ν − ½)/B(½, ν/2)², where
// log B(½, a) = ½ log π − (log Γ(a + ½) − log Γ(a)).
func studentCRPSConstant(nu float64) float64 {
	logBetas := float64(2*portable.LogGammaStep(nu/2)) - portable.LogGammaStep(nu-0.5) - float64(portable.Log(math.Pi)/2)
	return 2 * math.Sqrt(nu) / (nu - 1) * portable.Exp(logBetas)
}

func (d studentT) Sample(r *rand.Rand) float64 { return sampleByQuantile(d, r) }

func (d studentT) Affine(scale, shift float64) Distribution {
	return studentT{float64(d.location*scale) + shift, d.scale * scale, d.freedom}
}

type studentTNodes struct {
	b                        *graph.Builder
	location, scale, freedom *graph.Node
}

func (d studentTNodes) Mean() *graph.Node { return d.location }

// Std is for ν > 2.
func (d studentTNodes) Std() *graph.Node {
	b := d.b
	return b.Mul(d.scale, b.Sqrt(b.Div(d.freedom, b.AddConst(d.freedom, -2))))
}

func (d studentTNodes) LogDensity(y *graph.Node) *graph.Node {
	return d.b.Neg(d.b.StudentTNLL(d.location, d.scale, d.freedom, y))
}

func (d studentTNodes) CDF(y *graph.Node) *graph.Node {
	return d.standardCDF(d.b.Div(d.b.Sub(y, d.location), d.scale), d.whole())
}

// standardCDF returns the CDF of t itself at z: ½ ± ½ I(z)/I(∞), where I is the integral of
// (1 + x²/ν)^(−(ν+1)/2) from 0, to 1e-9 for ν ≥ 2 and |z| ≤ 100.
// whole is I(∞)/√ν.
func (d studentTNodes) standardCDF(z, whole *graph.Node) *graph.Node {
	b := d.b
	ratio := b.Div(b.Abs(z), b.Sqrt(d.freedom))
	end := b.Log(b.Add(ratio, b.Sqrt(b.AddConst(b.Square(ratio), 1)))) // asinh
	share := b.Div(d.integral(end), whole)
	return b.AddConst(b.Scale(0.5, b.Mul(b.Sign(z), share)), 0.5)
}

// integral returns I(√ν sinh end)/√ν. With x = √ν sinh u it is ∫ cosh(u)^−ν du from 0 to
// end, which Gauss's rule computes.
func (d studentTNodes) integral(end *graph.Node) *graph.Node {
	b, shape := d.b, end.Shape()
	n := shape.TotalSize()
	column := b.Reshape(end, n, 1)
	places, weights := gaussLegendre()
	u := b.MatMul(column, b.Constant(1, len(places), places)) // [n, places]
	logCosh := b.AddConst(b.Add(u, b.Softplus(b.Scale(-2, u))), -math.Ln2)
	heights := b.Exp(b.Neg(b.Mul(b.Reshape(d.freedom, n, 1), logCosh)))
	area := b.Mul(b.MatMul(heights, b.Constant(len(weights), 1, weights)), column)
	return b.Reshape(area, shape...)
}

// whole returns I(∞)/√ν: beyond u = 26/√ν nothing is left.
func (d studentTNodes) whole() *graph.Node {
	return d.integral(d.b.Scale(26, d.b.Pow(d.freedom, -0.5)))
}

// standardDensity returns the density of t itself at z.
func (d studentTNodes) standardDensity(z, whole *graph.Node) *graph.Node {
	b, nu := d.b, d.freedom
	exponent := b.Scale(-0.5, b.AddConst(nu, 1))
	height := b.Exp(b.Mul(b.Log1p(b.Div(b.Square(z), nu)), exponent))
	return b.Div(height, b.Scale(2, b.Mul(whole, b.Sqrt(nu))))
}

// Quantiles computes the quantiles of t itself at the levels above ½. t is symmetric.
func (d studentTNodes) Quantiles(levels []float64) graph.Nodes {
	b := d.b
	var upper []float64 // without repetitions
	for _, level := range levels {
		if above := max(level, 1-level); !slices.Contains(upper, above) {
			upper = append(upper, above)
		}
	}
	standard := d.standardQuantiles(upper)
	var quantiles graph.Nodes
	for _, level := range levels {
		off := b.Mul(d.scale, standard[slices.Index(upper, max(level, 1-level))])
		if level < 0.5 {
			off = b.Neg(off)
		}
		quantiles = append(quantiles, b.Add(d.location, off))
	}
	return quantiles
}

// standardQuantiles returns the quantiles of t itself at levels from ½, by 16 of Newton's steps
// from the quantiles of N(0, 1). These are below the quantiles of t, and the CDF is concave there,
// so that no step passes the quantile. All levels are computed at once, as columns.
func (d studentTNodes) standardQuantiles(levels []float64) graph.Nodes {
	b, n := d.b, len(levels)
	repeated := repeatEach(b, []*graph.Node{d.freedom, d.whole()}, n)
	columns, whole := studentTNodes{b: b, freedom: repeated[0]}, repeated[1]
	width := whole.Shape()[1]
	level, z := rowOf(b, levels, width), rowOf(b, standardQuantiles(levels), width)
	start := b.Add(b.Scale(0, columns.freedom), z)
	ends := b.Iterate(16, graph.Nodes{start}, func(values graph.Nodes) graph.Nodes {
		t := values[0]
		missing := b.Sub(level, columns.standardCDF(t, whole))
		return graph.Nodes{b.Add(t, b.Div(missing, columns.standardDensity(t, whole)))}
	})
	return b.Split(ends[0], n)
}

// CRPS is for ν > 1.
func (d studentTNodes) CRPS(y *graph.Node) *graph.Node {
	b, nu := d.b, d.freedom
	z := b.Abs(b.Div(b.Sub(y, d.location), d.scale))
	whole := d.whole()
	tails := b.Mul(z, b.AddConst(b.Scale(2, d.standardCDF(z, whole)), -1))
	density := d.standardDensity(z, whole)
	peak := b.Scale(2, b.Mul(density, b.Div(b.Add(nu, b.Square(z)), b.AddConst(nu, -1))))
	step := func(x *graph.Node) *graph.Node { return b.Sub(b.LogGamma(b.AddConst(x, 0.5)), b.LogGamma(x)) }
	logBetas := b.AddConst(b.Sub(b.Scale(2, step(b.Scale(0.5, nu))), step(b.AddConst(nu, -0.5))), -portable.Log(math.Pi)/2)
	constant := b.Mul(b.Scale(2, b.Div(b.Sqrt(nu), b.AddConst(nu, -1))), b.Exp(logBetas))
	return b.Mul(d.scale, b.Sub(b.Add(tails, peak), constant))
}
