package distribution

import (
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Normal is the family of normal distributions N(μ, σ²). The parameters are the mean μ and the
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

// IsNormal reports whether d is a normal distribution.
func IsNormal(d Distribution) bool {
	_, ok := d.(normal)
	return ok
}

// normal is a distribution of the family Normal.
type normal struct{ mean, std float64 }

func (d normal) Mean() float64 { return d.mean }
func (d normal) Std() float64  { return d.std }

// standardise returns (y − mean)/std, and 0 for the mean even if the standard deviation is 0.
func (d normal) standardise(y float64) float64 {
	if y == d.mean {
		return 0
	}
	return (y - d.mean) / d.std
}

// LogDensity returns −log σ − ½ log 2π − z²/2 with z = (y − μ)/σ.
func (d normal) LogDensity(y float64) float64 {
	if d.std == 0 {
		return pointLogDensity(y, d.mean)
	}
	z := d.standardise(y)
	return -portable.Log(d.std) - halfLogTwoPi - float64(z*z/2)
}

// CDF returns Φ((y − μ)/σ).
func (d normal) CDF(y float64) float64 { return portable.NormalCDF(d.standardise(y)) }

// Quantile returns μ + σ Φ⁻¹(level).
func (d normal) Quantile(level float64) float64 {
	if d.std == 0 {
		return d.mean
	}
	return d.mean + float64(standardQuantile(level)*d.std)
}

// CRPS returns σ (z (2Φ(z) − 1) + 2φ(z) − 1/√π) with z = (μ − y)/σ. Source: Gneiting and Raftery
// 2007, equation 21, with the opposite sign.
func (d normal) CRPS(y float64) float64 {
	difference := d.mean - y
	if d.std == 0 {
		return math.Abs(difference)
	}
	// z may be infinite for a tiny σ. The product σ z is therefore replaced by the difference, which
	// stays finite.
	z := difference / d.std
	tails := float64(difference * portable.Erf(z/math.Sqrt2)) // σ z (2Φ(z) − 1), as 2Φ(z) − 1 is erf(z/√2)
	peak := float64(2*portable.NormalPDF(z)) - 1/math.Sqrt(math.Pi)
	return tails + float64(d.std*peak)
}

func (d normal) Sample(r *rand.Rand) float64 {
	return d.mean + float64(d.std*portable.NormFloat64(r))
}

func (d normal) Affine(scale, shift float64) Distribution {
	return normal{float64(d.mean*scale) + shift, d.std * scale}
}

// halfLogTwoPi is ½ log 2π.
var halfLogTwoPi = portable.Log(2*math.Pi) / 2

// standardQuantile returns the quantile of N(0, 1) at a level. It computes quantiles below the median
// from those above, so that standardQuantile(1−q) is exactly −standardQuantile(q), and central
// intervals are symmetric to the last bit.
func standardQuantile(level float64) float64 {
	const symmetric = 1e-6 // below, 1 − level has too few digits of the level
	if level < 0.5 && level >= symmetric {
		return -portable.NormalQuantile(1 - level)
	}
	return portable.NormalQuantile(level)
}

// pointLogDensity returns the log density at y of a distribution with all probability at one point.
func pointLogDensity(y, point float64) float64 {
	if y == point {
		return math.Inf(1)
	}
	return math.Inf(-1)
}

// normalNodes holds distributions of the family Normal. They need standard deviations above 0.
type normalNodes struct {
	b         *graph.Builder
	mean, std *graph.Node
}

func (d normalNodes) Mean() *graph.Node { return d.mean }
func (d normalNodes) Std() *graph.Node  { return d.std }

// standardise returns (y − mean)/std.
func (d normalNodes) standardise(y *graph.Node) *graph.Node {
	return d.b.Div(d.b.Sub(y, d.mean), d.std)
}

// LogDensity returns −(log σ + z²/2 + ½ log 2π).
func (d normalNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.b
	nll := b.Add(b.Log(d.std), b.Scale(0.5, b.Square(d.standardise(y))))
	return b.Neg(b.Shift(nll, halfLogTwoPi))
}

func (d normalNodes) CDF(y *graph.Node) *graph.Node { return d.b.NormalCDF(d.standardise(y)) }

// Quantiles returns μ + σ Φ⁻¹(level) for each level.
func (d normalNodes) Quantiles(levels []float64) graph.Nodes {
	var quantiles graph.Nodes
	for _, level := range levels {
		quantiles = append(quantiles, d.b.Add(d.mean, d.b.Scale(standardQuantile(level), d.std)))
	}
	return quantiles
}

// CRPS returns σ (z (2Φ(z) − 1) + 2φ(z) − 1/√π) with z = (y − μ)/σ; the formula is symmetric in z.
func (d normalNodes) CRPS(y *graph.Node) *graph.Node {
	b := d.b
	z := d.standardise(y)
	tails := b.Mul(z, b.Erf(b.Scale(1/math.Sqrt2, z))) // 2Φ(z) − 1 is erf(z/√2)
	peak := b.Scale(2, b.NormalPDF(z))
	return b.Mul(d.std, b.Shift(b.Add(tails, peak), -1/math.Sqrt(math.Pi)))
}
