package distribution

import (
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Normal is the normal distribution N(μ, σ²). Its parameters are the mean μ and the
// standard deviation σ ≥ 0; with σ = 0 all probability is at μ.
var Normal = Family{
	Name:       "normal",
	Parameters: []string{"mean", "std"},
	HasStd:     true,
	New:        func(p []float64) Distribution { return NewNormal(p[0], p[1]) },
	Check:      func(p []float64) error { return checkAtLeastZero("normal", "std", p[1]) },
	Nodes:      func(b *graph.Builder, p []*graph.Node) Nodes { return normalNodes{b, p[0], p[1]} },
}

// NewNormal returns N(mean, std²).
func NewNormal(mean, std float64) Distribution { return normal{mean, std} }

// IsNormal reports whether a distribution is a normal distribution.
func IsNormal(d Distribution) bool {
	_, ok := d.(normal)
	return ok
}

type normal struct{ mean, std float64 }

func (d normal) Mean() float64 { return d.mean }
func (d normal) Std() float64  { return d.std }

// z returns how many standard deviations y is above the mean.
func (d normal) z(y float64) float64 {
	if y == d.mean {
		return 0
	}
	return (y - d.mean) / d.std
}

func (d normal) LogDensity(y float64) float64 {
	if d.std == 0 {
		return pointLogDensity(y, d.mean)
	}
	z := d.z(y)
	return -portable.Log(d.std) - halfLogTwoPi - float64(z*z/2)
}

func (d normal) CDF(y float64) float64 { return portable.NormalCDF(d.z(y)) }

func (d normal) Quantile(level float64) float64 {
	if d.std == 0 {
		return d.mean
	}
	return d.mean + float64(standardQuantile(level)*d.std)
}

// CRPS returns σ (z (2Φ(z) − 1) + 2φ(z) − 1/√π). Source: Gneiting and Raftery 2007,
// equation 21, with the opposite sign.
func (d normal) CRPS(y float64) float64 {
	off := d.mean - y
	if d.std == 0 {
		return math.Abs(off)
	}
	r := off / d.std // may be infinite, so that products are formed with off
	return float64(off*portable.Erf(r/math.Sqrt2)) + float64(d.std*(float64(2*portable.NormalPDF(r))-1/math.Sqrt(math.Pi)))
}

func (d normal) Sample(r *rand.Rand) float64 {
	return d.mean + float64(d.std*portable.NormFloat64(r))
}

func (d normal) Affine(scale, shift float64) Distribution {
	return normal{float64(d.mean*scale) + shift, d.std * scale}
}

// halfLogTwoPi is ½ log 2π.
var halfLogTwoPi = portable.Log(2*math.Pi) / 2

// standardQuantile returns the quantile of N(0, 1), with standardQuantile(1−q) equal to
// −standardQuantile(q) in every bit.
func standardQuantile(level float64) float64 {
	if level < 0.5 {
		return -portable.NormalQuantile(1 - level)
	}
	return portable.NormalQuantile(level)
}

// pointLogDensity returns the log density of a distribution with all probability at one
// point.
func pointLogDensity(y, point float64) float64 {
	if y == point {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

type normalNodes struct {
	b         *graph.Builder
	mean, std *graph.Node
}

func (d normalNodes) Mean() *graph.Node { return d.mean }
func (d normalNodes) Std() *graph.Node  { return d.std }

func (d normalNodes) z(y *graph.Node) *graph.Node { return d.b.Div(d.b.Sub(y, d.mean), d.std) }

func (d normalNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.b
	nll := b.Add(b.Log(d.std), b.Scale(0.5, b.Square(d.z(y))))
	return b.Neg(b.AddConst(nll, halfLogTwoPi))
}

func (d normalNodes) CDF(y *graph.Node) *graph.Node { return d.b.NormalCDF(d.z(y)) }

func (d normalNodes) Quantiles(levels []float64) graph.Nodes {
	var quantiles graph.Nodes
	for _, level := range levels {
		quantiles = append(quantiles, d.b.Add(d.mean, d.b.Scale(standardQuantile(level), d.std)))
	}
	return quantiles
}

func (d normalNodes) CRPS(y *graph.Node) *graph.Node {
	b, z := d.b, d.z(y)
	tails := b.Mul(z, b.Erf(b.Scale(1/math.Sqrt2, z))) // 2Φ(z) − 1 is erf(z/√2)
	return b.Mul(d.std, b.AddConst(b.Add(tails, b.Scale(2, b.NormalPDF(z))), -1/math.Sqrt(math.Pi)))
}
