package graph

import (
	"errors"
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

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

// value returns the moments of a random node, and computes them at the first call.
func (p *momentPass) value(n *Node) (randomValue, error) {
	if v, ok := p.values[n]; ok {
		return v, nil
	}
	v, err := p.compute(n)
	if err == nil {
		err = p.b.err
	}
	p.values[n] = v
	return v, err
}

// compute returns the moments of a random node. It returns an error if they are not known.
func (p *momentPass) compute(n *Node) (randomValue, error) {
	op := ops.OperationOf(n)
	operands := Operands(n)
	switch op.Kind {
	case ops.KindInput:
		return randomValue{}, fmt.Errorf("%s is no factor of a product with units", n.Name())
	case ops.KindElementwise, ops.KindUserFunction:
		return p.elementwise(n, op, operands)
	case ops.KindProduct:
		return p.product(n, op, operands)
	case ops.KindReshape, ops.KindColumns, ops.KindConcat, ops.KindTranspose, ops.KindPatches, ops.KindSum, ops.KindRepeat:
		return p.rearrange(n, op, operands)
	}
	return randomValue{}, unknownMoments(n)
}

// unknownMoments returns the error for a node whose moments are not known.
func unknownMoments(n *Node) error {
	return fmt.Errorf("the moments of the operation %s%s are not known", ops.Label(n), describeShape(n))
}

// rearrange returns the moments of an operation that moves, repeats or adds numbers: the operation's value for the
// moments of the operands.
func (p *momentPass) rearrange(n *Node, op ops.Operation, operands Nodes) (v randomValue, err error) {
	b := p.b
	var means, variances Nodes
	for _, x := range operands {
		if !p.isRandom[x] {
			means = append(means, x)
			variances = append(variances, b.Scale(0, x))
			continue
		}
		value, err := p.value(x)
		if err != nil {
			return v, err
		}
		means = append(means, value.mean)
		variances = append(variances, value.variance)
		v.isTransposed = v.isTransposed || value.isTransposed
	}
	if op.Kind == ops.KindRepeat { // Gorgonia's operation has lengths as further operands
		if !n.IsMatrix() {
			return v, unknownMoments(n)
		}
		v.mean = b.Repeat(means[0], n.Shape()[0], n.Shape()[1])
		v.variance = b.Repeat(variances[0], n.Shape()[0], n.Shape()[1])
		return v, nil
	}
	if op.Kind == ops.KindTranspose && op.Axes[0] != 0 {
		v.isTransposed = !v.isTransposed
	}
	v.mean = p.repeatOperation(n, means)
	v.variance = p.repeatOperation(n, variances)
	return v, nil
}

// repeatOperation returns the operation of n on other operands of the same shapes.
func (p *momentPass) repeatOperation(n *Node, operands Nodes) *Node {
	return p.b.apply("DropoutMoments", operands, func() (*Node, error) { return gorgonia.ApplyOp(n.Op(), operands...) })
}

// product returns the moments of a product of matrices. One factor is random; the other is a layer's weights.
func (p *momentPass) product(n *Node, op ops.Operation, operands Nodes) (v randomValue, err error) {
	b := p.b
	multiply := b.MatMul
	if op.Form == ops.Batched {
		multiply = b.BatchMatMul
	}
	isPlain := (op.Form == ops.Matrices || op.Form == ops.Batched) && !op.TransposeX && !op.TransposeY
	x, y := operands[0], operands[1]
	if !isPlain || p.isRandom[x] && p.isRandom[y] {
		return v, unknownMoments(n)
	}
	if p.isRandom[x] {
		v, err = p.value(x)
		if err != nil {
			return v, err
		}
		v.mean = multiply(v.mean, y)
		v.variance = multiply(v.variance, b.Square(y))
		return v, nil
	}
	v, err = p.value(y)
	if err != nil {
		return v, err
	}
	v.mean = multiply(x, v.mean)
	v.variance = multiply(b.Square(x), v.variance)
	return v, nil
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
