package graph

import (
	"fmt"
	"slices"

	"sml/internal/ops"
)

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

// elementwise returns the moments of an elementwise operation: a product with a mask, a linear operation on one random
// operand, an activation, or a sum or difference of two random operands.
func (p *momentPass) elementwise(n *Node, op ops.Operation, operands Nodes) (randomValue, error) {
	if mask, other := p.maskFactor(n, op, operands); mask != nil {
		return p.drop(n, mask, other)
	}
	random := slices.DeleteFunc(slices.Clone(operands), func(x *Node) bool { return !p.isRandom[x] })
	isSum := op.Elementwise != nil && (op.Elementwise.Name == "add" || op.Elementwise.Name == "subtract")
	if len(random) == 1 && isLinear(n, op, operands, random[0]) {
		return p.linear(n, op, operands, random[0])
	}
	if x := p.argument(random); x != nil {
		return p.activation(n, x)
	}
	if isSum {
		return p.sum(n, operands)
	}
	return randomValue{}, unknownMoments(n)
}

// drop returns the moments of x·mask. A mask has the mean 1, so that the product has the mean of x, and noise
// x·(mask − 1) is added to x, which is uncorrelated with x.
func (p *momentPass) drop(n *Node, mask *randomNode, x *Node) (randomValue, error) {
	if user := p.maskUser[mask.node]; user != nil && user != n {
		return randomValue{}, fmt.Errorf("%s multiplies two values, whose correlation is not known", mask.name)
	}
	p.maskUser[mask.node] = n
	b := p.b
	zero := b.Scale(0, x)
	v := randomValue{mean: x, variance: zero}
	squares := b.Square(x) // mean of x²
	if p.isRandom[x] {
		var err error
		v, err = p.value(x)
		if err != nil {
			return v, err
		}
		squares = b.Add(b.Square(v.mean), v.variance)
	}
	// A unit is kept with the probability q = threshold/keepLevels, and then divided by q: the variance is (1 − q)/q.
	maskVariance := float64(keepLevels-mask.threshold) / float64(mask.threshold)
	return p.addSource(v, b.Scale(maskVariance, squares))
}

// linear returns the moments of a linear function of x.
func (p *momentPass) linear(n *Node, op ops.Operation, operands Nodes, x *Node) (randomValue, error) {
	v, err := p.value(x)
	if err != nil {
		return v, err
	}
	b := p.b
	replaced := slices.Clone(operands)
	replaced[slices.Index(operands, x)] = v.mean
	v.mean = p.repeatOperation(n, replaced)
	for _, factor := range operands {
		switch {
		case factor == x:
		case op.Elementwise.Name == "multiply":
			v.variance = b.Mul(v.variance, b.Square(factor))
		case op.Elementwise.Name == "divide":
			v.variance = b.Div(v.variance, b.Square(factor))
		}
	}
	return v, nil
}

// sum returns the moments of a sum or difference n of two random operands. The variance ignores their correlation, which
// the variance of the output does not.
func (p *momentPass) sum(n *Node, operands Nodes) (randomValue, error) {
	x, err := p.value(operands[0])
	if err != nil {
		return x, err
	}
	y, err := p.value(operands[1])
	if err != nil {
		return y, err
	}
	return randomValue{
		mean:         p.repeatOperation(n, Nodes{x.mean, y.mean}),
		variance:     p.b.Add(x.variance, y.variance),
		isTransposed: x.isTransposed || y.isTransposed,
	}, nil
}

// activation returns the moments of n, an elementwise function of x, for a normally distributed x.
func (p *momentPass) activation(n, x *Node) (randomValue, error) {
	v, err := p.value(x)
	if err != nil {
		return v, err
	}
	if isReLU(n, x) {
		return p.rectify(v)
	}
	return p.integrate(n, x, v)
}
