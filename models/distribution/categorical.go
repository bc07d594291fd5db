package distribution

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sml/graph"
	"sml/internal/portable"
)

// Categorical returns the family of distributions over the classes 0, …, classes−1. The parameters
// are the logarithms of the probabilities. Classes have no order, and thus no mean, CDF or quantile.
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
		Check: func(p []float64) error { return checkProbabilitySum("categorical", "log probability", p) },
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

// Classes is a distribution of the family Categorical: the probabilities of the classes 0, 1, ….
type Classes []float64

func (Classes) Mean() float64            { return math.NaN() }
func (Classes) Std() float64             { return math.NaN() }
func (Classes) CDF(float64) float64      { return math.NaN() }
func (Classes) Quantile(float64) float64 { return math.NaN() }
func (Classes) CRPS(float64) float64     { return math.NaN() }

// LogDensity returns the log probability of the class y. It is −Inf if there is no such class, or if
// its probability is below 1e-308.
func (d Classes) LogDensity(y float64) float64 {
	class := int(y)
	exists := y >= 0 && class < len(d) && float64(class) == y
	if !exists {
		return math.Inf(-1)
	}
	return portable.Log(d[class])
}

// Sample returns the number of a random class.
func (d Classes) Sample(r *rand.Rand) float64 {
	u := r.Float64()
	cumulative := 0.0
	for class, p := range d {
		cumulative += p
		if u < cumulative {
			return float64(class)
		}
	}
	return float64(len(d) - 1) // the probabilities are rounded, and their sum may be below 1
}

// Affine returns the distribution itself: a class has no unit.
func (d Classes) Affine(_, _ float64) Distribution { return d }

// categoricalNodes holds distributions of the family Categorical.
type categoricalNodes struct {
	b    *graph.Builder
	logP []*graph.Node // log probability of each class
}

func (categoricalNodes) Mean() *graph.Node               { return nil }
func (categoricalNodes) Std() *graph.Node                { return nil }
func (categoricalNodes) CDF(*graph.Node) *graph.Node     { return nil }
func (categoricalNodes) Quantiles([]float64) graph.Nodes { return nil }
func (categoricalNodes) CRPS(*graph.Node) *graph.Node    { return nil }

// LogDensity returns the log probability of the class y, a whole number from 0 to classes−1.
func (d categoricalNodes) LogDensity(y *graph.Node) *graph.Node {
	b := d.b
	selected := d.logP[0]
	for i, logP := range d.logP[1:] {
		// logP belongs to class i+1: it is selected if y is above i + ½.
		isReached := b.Greater(y, b.Const(float64(i)+0.5))
		selected = b.Where(isReached, logP, selected)
	}
	return selected
}
