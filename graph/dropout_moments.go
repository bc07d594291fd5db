package graph

import (
	"errors"
	"fmt"
	"slices"

	"sml/internal/ops"
)

// DropoutMoments returns the mean and the variance of y [rows, columns] over the dropout masks from which it
// is computed, both [rows, columns]. Their graph has no masks: nothing is drawn. y is an output of a sub-network, whose
// rows are independent of each other.
//
// Both are exact if only linear operations follow the masks. Otherwise they are approximate. The operand of an
// activation is taken as normally distributed, with the variance that it has if units are uncorrelated. The activation
// becomes its best linear approximation plus an error that is uncorrelated with all else. The variance is the sum, over
// all masks and errors, of their variances times the squared slope of y, so that units which depend on the same mask
// are correlated as in the network.
//
// The builder fails for noise other than masks, and for an operation whose moments are not known, such as a product of
// two units or the maximum of several.
//
// Sources: Frey and Hinton 1999 for the moments of a rectified normal distribution; Wang and Manning 2013 and Postels et
// al. 2019 for moments that pass through layers; Booton 1954 for the best linear approximation of a nonlinearity.
func (b *Builder) DropoutMoments(y *Node) (mean, variance *Node) {
	b.apply("DropoutMoments", Nodes{y}, func() (*Node, error) {
		if !y.IsMatrix() {
			return nil, errors.New("want a matrix [rows columns]")
		}
		for _, d := range b.inspection.DrawsUsedBy(y) {
			if d.Kind != dropout {
				return nil, fmt.Errorf("it depends on %s noise, and only the moments of dropout masks are known", d.Kind)
			}
		}
		p := &momentPass{
			b:        b,
			rows:     y.Shape()[0],
			isRandom: make(map[*Node]bool),
			values:   make(map[*Node]randomValue),
			maskUser: make(map[*Node]*Node),
		}
		p.findRandom(y)
		var err error
		mean, variance, err = p.outputMoments(y)
		if err != nil {
			return nil, err
		}
		return mean, b.err
	})
	if b.err != nil {
		return y, y
	}
	return mean, variance
}

// momentPass computes the moments of nodes, from the masks to the output.
type momentPass struct {
	b        *Builder
	rows     int                   // rows of the output
	isRandom map[*Node]bool        // nodes that depend on a mask or noise
	values   map[*Node]randomValue // moments of the random nodes that have been visited
	maskUser map[*Node]*Node       // product that each mask is a factor of
	sources  []noiseSource
}

// findRandom sets p.isRandom for all nodes from which y is computed.
func (p *momentPass) findRandom(y *Node) {
	for _, r := range p.b.randomNodes {
		p.isRandom[r.node] = true
	}
	for _, n := range dependencies(y) {
		if ops.OperationOf(n).Kind != ops.KindSize { // a length does not depend on the numbers
			p.isRandom[n] = p.isRandom[n] || slices.ContainsFunc(Operands(n), p.depends)
		}
	}
}

// depends reports whether n depends on a mask or noise.
func (p *momentPass) depends(n *Node) bool { return p.isRandom[n] }

// outputMoments returns the moments of y: the mean, and the variance due to all sources of noise.
func (p *momentPass) outputMoments(y *Node) (mean, variance *Node, err error) {
	b := p.b
	if !p.isRandom[y] {
		return y, b.Scale(0, y), nil
	}
	v, err := p.value(y)
	if err != nil || b.err != nil {
		return nil, nil, err
	}
	var at Nodes
	for _, s := range p.sources {
		at = append(at, s.at)
	}
	var columns Nodes
	for k := range y.Shape()[1] {
		slopes := b.Grad(b.Sum(b.Columns(v.mean, k, k+1)), at...)
		columns = append(columns, p.sumVariances(slopes))
	}
	return v.mean, b.Concat(columns...), nil
}

// sumVariances returns the sum over all sources and their units of variance times slope², [rows, 1].
func (p *momentPass) sumVariances(slopes Nodes) *Node {
	b := p.b
	var sum *Node
	for i, s := range p.sources {
		units := b.Mul(s.variance, b.Square(slopes[i]))
		ofRows := b.SumColumns(b.Reshape(units, p.rows, units.Shape().TotalSize()/p.rows))
		if sum == nil {
			sum = ofRows
		} else {
			sum = b.Add(sum, ofRows)
		}
	}
	return sum
}
