// Package distribution holds the families of probability distributions that methods predict, one
// file each. Start with Distribution and Family in this file, then normal.go, the family of most
// methods. The families here have their formulas twice: in Go, for predictions and scores, and as
// graph nodes, for objectives and exported models. A family of your own needs only nodes: see Formulas.
// The package does not fit distributions to data.
//
// Products that are added to are written float64(x*y): the conversion keeps the compiler from
// fusing the multiplication and the addition, so that results are the same on every CPU.
package distribution

import (
	"math/rand/v2"

	"sml/graph"
)

// Distribution is the distribution of one number, such as the target of a row. A method returns
// NaN for a value that the distribution does not have: a Point has no standard deviation, an
// Empirical distribution has no density, classes have no mean.
type Distribution interface {
	// Mean returns the mean.
	Mean() float64
	// Std returns the standard deviation.
	Std() float64
	// LogDensity returns the natural logarithm of the density at y; for classes, of the
	// probability of class y.
	LogDensity(y float64) float64
	// CDF returns the probability of a number up to y.
	CDF(y float64) float64
	// Quantile returns the inverse of CDF at a level between 0 and 1.
	Quantile(level float64) float64
	// CRPS returns the continuous ranked probability score at y, in the unit of y: 0 is best.
	CRPS(y float64) float64
	// Sample returns a random number with this distribution.
	Sample(r *rand.Rand) float64
	// Affine returns the distribution of scale·Y + shift for scale > 0, where Y has this
	// distribution.
	Affine(scale, shift float64) Distribution
}

// Nodes is a Distribution for many numbers at once, as nodes of a graph in the shape of the
// parameters. A method returns nil if the distribution does not have the value, or if the
// operations of a graph cannot compute it.
type Nodes interface {
	// Mean returns the means.
	Mean() *graph.Node
	// Std returns the standard deviations.
	Std() *graph.Node
	// LogDensity returns the natural logarithms of the densities at y.
	LogDensity(y *graph.Node) *graph.Node
	// CDF returns the probabilities of numbers up to y.
	CDF(y *graph.Node) *graph.Node
	// Quantiles returns the quantiles, one node for each level.
	Quantiles(levels []float64) graph.Nodes
	// CRPS returns the continuous ranked probability scores at y.
	CRPS(y *graph.Node) *graph.Node
}

// Family is a set of distributions that differ in their parameters.
type Family struct {
	Name       string
	Parameters []string // name of each parameter

	HasStd  bool      // whether the distributions have a standard deviation, a CDF and quantiles
	Levels  []float64 // quantile levels if the parameters are quantiles; nil in other families
	Classes int       // number of classes; 0 in families of numbers
	Counts  bool      // whether the numbers are counts in the target's own unit: see Formulas

	// New returns the distribution with the given parameters. It may keep the slice.
	New func(parameters []float64) Distribution

	// Check returns an error if no distribution has the given parameters. The error names the
	// parameter, its value and the allowed values. NaN and infinite parameters pass. A nil Check
	// allows any numbers.
	Check func(parameters []float64) error

	// Nodes returns the distributions whose parameters are nodes of one shape.
	Nodes func(b *graph.Builder, parameters []*graph.Node) Nodes
}

// NLL returns −log p(y), the negative log-likelihood of each number, in the shape of y. It returns
// nil if the family has no density.
func (f Family) NLL(b *graph.Builder, parameters []*graph.Node, y *graph.Node) *graph.Node {
	logDensity := f.Nodes(b, parameters).LogDensity(y)
	if logDensity == nil {
		return nil
	}
	return b.Neg(logDensity)
}
