package graph

import (
	"fmt"
	"slices"
)

// randomValue has the moments of a node. The gradient of the mean with respect to another mean is the slope of the best
// linear approximation.
type randomValue struct {
	mean, variance *Node
	isTransposed   bool // whether the rows of the network are its columns
}

// noiseSource is noise of mean 0 that is added to the mean of a node, and is uncorrelated with all other noise.
type noiseSource struct {
	at       *Node // mean of the node, a node of its own
	variance *Node // in the shape of at
}

// addSource adds noise of the given variance to the mean of a random value, and returns the result. It returns an error
// if the noise of a row cannot be found among the rows of the value.
func (p *momentPass) addSource(v randomValue, noise *Node) (randomValue, error) {
	if p.b.err != nil {
		return v, p.b.err
	}
	if v.isTransposed || v.mean.Dims() < 2 || v.mean.Shape()[0]%p.rows != 0 {
		return v, fmt.Errorf("a mask or an activation acts on %s, whose rows are not those of the output", describeShape(v.mean))
	}
	v.mean = p.newSourceNode(v.mean)
	v.variance = p.b.Add(v.variance, noise)
	p.sources = append(p.sources, noiseSource{at: v.mean, variance: noise})
	return v, nil
}

// newSourceNode returns a node with the values of x that belongs to no source yet. Gorgonia has one node for equal
// operations on x, so that a second copy goes through a shape with one more axis, a third one with two more, and so on. A
// copy of a copy would not do: its slope would be part of that of the first copy.
func (p *momentPass) newSourceNode(x *Node) *Node {
	shape := x.Shape().Clone()
	n := p.b.copyNode(x)
	for p.isSource(n) && p.b.err == nil {
		shape = append(shape, 1)
		n = p.b.Reshape(p.b.Reshape(x, shape...), x.Shape()...)
	}
	return n
}

// isSource reports whether noise has been added to the mean n.
func (p *momentPass) isSource(n *Node) bool {
	return slices.ContainsFunc(p.sources, func(s noiseSource) bool { return s.at == n })
}
