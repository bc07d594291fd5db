package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Categorical returns the family of distributions over the classes 0, …, classes−1. The
// parameters are the logarithms of the probabilities. Classes have no order, so there is
// no mean, no CDF and no quantile.
func Categorical(classes int) Family {
	return Family{
		Name:       "categorical",
		Parameters: numbered("log probability", classes),
		Classes:    classes,
		New: func(p []float64) Distribution {
			d := make(Classes, len(p))
			for i, logP := range p {
				d[i] = portable.Exp(logP)
			}
			return d
		},
		Nodes: func(b *graph.Builder, p []*graph.Node) Nodes { return categoricalNodes{b, p} },
		Check: func(p []float64) error { return checkSum("categorical", "log probability", p) },
	}
}

// numbered returns "name 1", …, "name n".
func numbered(name string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s %d", name, i+1)
	}
	return names
}

// Classes holds the probabilities of the classes 0, 1, …
type Classes []float64

func (Classes) Mean() float64            { return math.NaN() }
func (Classes) Std() float64             { return math.NaN() }
func (Classes) CDF(float64) float64      { return math.NaN() }
func (Classes) Quantile(float64) float64 { return math.NaN() }
func (Classes) CRPS(float64) float64     { return math.NaN() }

// LogDensity returns the log probability of the class y, −Inf if there is no such class or
// its probability is below 1e-308.
func (d Classes) LogDensity(y float64) float64 {
	if class := int(y); y >= 0 && class < len(d) && float64(class) == y {
		return portable.Log(d[class])
	}
	return math.Inf(-1)
}

// Sample returns the number of a class.
func (d Classes) Sample(r *rand.Rand) float64 {
	u, sum := r.Float64(), 0.0
	for class, p := range d {
		if sum += p; u < sum {
			return float64(class)
		}
	}
	return float64(len(d) - 1)
}

// Affine returns the distribution itself: a class has no unit.
func (d Classes) Affine(_, _ float64) Distribution { return d }

type categoricalNodes struct {
	b    *graph.Builder
	logP []*graph.Node
}

func (categoricalNodes) Mean() *graph.Node               { return nil }
func (categoricalNodes) Std() *graph.Node                { return nil }
func (categoricalNodes) CDF(*graph.Node) *graph.Node     { return nil }
func (categoricalNodes) Quantiles([]float64) graph.Nodes { return nil }
func (categoricalNodes) CRPS(*graph.Node) *graph.Node    { return nil }

// LogDensity returns the log probability of the class y, which is 0, …, classes−1.
func (d categoricalNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.b
	chosen := d.logP[0]
	for class, logP := range d.logP[1:] {
		reached := b.Greater(y, b.Const(float64(class)+0.5))
		chosen = b.Where(reached, logP, chosen)
	}
	return chosen
}
