// Package distribution holds the families of distributions that methods predict, one file
// each: their formulas in Go, for predictions and scores, and as graph nodes, for
// objectives and exported models.
package distribution

import (
	"math/rand/v2"

	"sml/graph"
)

// Distribution is the distribution of one number, such as the target of a row. A method
// whose value the distribution does not have returns NaN: a Point has no standard
// deviation, draws have no density, classes have no mean.
type Distribution interface {
	Mean() float64
	Std() float64                   // standard deviation
	LogDensity(y float64) float64   // log of the density at y; of classes, of the probability
	CDF(y float64) float64          // probability of a number up to y
	Quantile(level float64) float64 // inverse of CDF, for a level between 0 and 1
	CRPS(y float64) float64         // continuous ranked probability score at y
	Sample(r *rand.Rand) float64

	// Affine returns the distribution of scale·Y + shift for scale > 0, where Y has this
	// distribution.
	Affine(scale, shift float64) Distribution
}

// Nodes is a Distribution as nodes of a graph: of many numbers at once, in the shape of
// the parameters. A method returns nil where there is no such value, or no formula of it
// that the graph's operations can compute.
type Nodes interface {
	Mean() *graph.Node
	Std() *graph.Node
	LogDensity(y *graph.Node) *graph.Node
	CDF(y *graph.Node) *graph.Node
	Quantiles(levels []float64) graph.Nodes // one node for each level
	CRPS(y *graph.Node) *graph.Node
}

// Family is a set of distributions that differ in their parameters.
type Family struct {
	Name       string
	Parameters []string // name of each parameter

	HasStd  bool      // whether there are a standard deviation, a CDF and quantiles
	Levels  []float64 // levels of the quantiles, if these are the parameters
	Classes int       // number of classes; 0 in families of numbers

	// New returns the distribution with these parameters. It may keep the slice.
	New func(parameters []float64) Distribution

	// Check returns an error if no distribution has these parameters: it names the parameter, its
	// value and the allowed values. NaN and infinite parameters pass. A nil Check allows any numbers.
	Check func(parameters []float64) error

	// Nodes returns the distributions whose parameters are nodes of one shape.
	Nodes func(b *graph.Builder, parameters []*graph.Node) Nodes
}

// NLL returns −log p(y), the negative log-likelihood of each number, in the shape of y. It
// is nil if the family has no density.
func (f Family) NLL(b *graph.Builder, parameters []*graph.Node, y *graph.Node) *graph.Node {
	logDensity := f.Nodes(b, parameters).LogDensity(y)
	if logDensity == nil {
		return nil
	}
	return b.Neg(logDensity)
}
