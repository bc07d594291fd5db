package distribution

import (
	"fmt"

	"sml/graph"
)

// Formulas defines a family by nodes alone: its distribution function CDF, or the logarithm of its density. Everything else
// follows from one of the two, by numerical methods: densities, moments, quantiles, scores, samples, and all of this in
// Go. Formulas of your own make it faster and more accurate. All nodes have the shape of the parameters.
//
// Integrals of a density know numbers between −4 and 4 million (standardised) and the usual peaks, kinks and poles. They
// take one to five milliseconds for each distribution.
type Formulas struct {
	Name       string
	Parameters []string                         // name of each parameter
	Check      func(parameters []float64) error // see Family.Check; may be nil

	// Counts says that the numbers are 0, 1, 2, … in the target's own unit. All formulas are in this unit, LogDensity
	// is the logarithm of the probability of the whole number y, and CDF may be nil. The family has two parameters more:
	// the mean and the standard deviation by which targets are standardised (models.Moments), [rows, targets] each.
	Counts bool

	// CDF returns the probabilities of numbers up to y.
	CDF func(b *graph.Builder, parameters []*graph.Node, y *graph.Node) *graph.Node
	// NumericCDF returns the probability of numbers up to y, in place of CDF, if graphs lack an operation for it. It has to
	// have the same bits on every CPU. The family needs LogDensity. Without CDF, graphs have no CDF and no quantiles, which
	// exported files need. The default is an integral of the density.
	NumericCDF func(parameters []float64, y float64) float64
	// Mean returns the means. The default is an integral, or for counts a sum, in Go. In graphs it is a sum over quantiles,
	// with 5 or more digits and no gradient; graphs have no mean if they have no quantiles.
	Mean func(b *graph.Builder, parameters []*graph.Node) *graph.Node
	// Std returns the standard deviations, which are finite and above 0. The default is an integral, too, and a sum over quantiles in graphs.
	Std func(b *graph.Builder, parameters []*graph.Node) *graph.Node

	// LogDensity returns the natural logarithms of the densities at y. The default is the logarithm of the derivative of
	// CDF, or of CDF(y) − CDF(y − 1) for counts. It is −Inf in a tail where CDF is 0 or 1 in the graph's numbers: an
	// objective needs a formula.
	LogDensity func(b *graph.Builder, parameters []*graph.Node, y *graph.Node) *graph.Node
	// Quantile returns the inverse of CDF at a level between 0 and 1, a scalar. The default solves the equation.
	Quantile func(b *graph.Builder, parameters []*graph.Node, level *graph.Node) *graph.Node
	// CRPS returns the continuous ranked probability scores at y. The default is an integral in Go, and no node.
	CRPS func(b *graph.Builder, parameters []*graph.Node, y *graph.Node) *graph.Node
}

// Family returns the family. It panics if a required formula is missing. Call it once: distributions of one family are
// computed by the same graphs.
func (f Formulas) Family() Family {
	if f.CDF == nil && f.LogDensity == nil {
		panic(fmt.Sprintf("distribution: family %q has no formula: want CDF or LogDensity", f.Name))
	}
	e := newEvaluator(f)
	if f.Counts {
		return e.countFamily()
	}
	return Family{
		Name:       f.Name,
		Parameters: f.Parameters,
		HasStd:     true,
		New:        e.distribution,
		Check:      f.Check,
		Nodes: func(b *graph.Builder, parameters []*graph.Node) Nodes {
			return formulaNodes{b, f, parameters}
		},
	}
}
