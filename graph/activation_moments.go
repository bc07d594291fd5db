package graph

import (
	"math"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/internal/ops"
)

// maskFactor returns the mask of a product with a mask, and the other factor. The mask is nil if n is no such product.
func (p *momentPass) maskFactor(n *Node, op ops.Operation, operands Nodes) (mask *randomNode, other *Node) {
	if op.Elementwise == nil || op.Elementwise.Name != "multiply" {
		return nil, nil
	}
	for i, x := range operands {
		for ops.OperationOf(x).Kind == ops.KindReshape { // a mask is a matrix, and units may have more axes
			x = Operands(x)[0]
		}
		for _, r := range p.b.randomNodes {
			if r.node == x && r.kind == dropout {
				return r, operands[1-i]
			}
		}
	}
	return nil, nil
}

// isLinear reports whether n is a linear function of its operand x, and all other operands are the same in all
// sub-networks.
func isLinear(n *Node, op ops.Operation, operands Nodes, x *Node) bool {
	if op.Elementwise == nil {
		return false
	}
	switch op.Elementwise.Name {
	case "add", "subtract", "multiply", "negate":
		return true
	case "divide":
		return operands[0] == x
	}
	return false
}

// argument returns the argument of an elementwise operation with the given random operands, such as x of
// mish(x) = x·tanh(softplus(x)): the last node through which all its random numbers come. It returns nil if other than
// elementwise operations lie between.
func (p *momentPass) argument(random Nodes) *Node {
	random = slices.Clone(random)
	for {
		slices.SortFunc(random, func(x, y *Node) int { return int(x.ID() - y.ID()) }) // operands before their users
		random = slices.Compact(random)
		last := random[len(random)-1]
		if len(random) == 1 {
			if last.Op() == nil { // a mask or noise
				return nil
			}
			return last
		}
		op := ops.OperationOf(last)
		mask, _ := p.maskFactor(last, op, Operands(last))
		if !isElementwise(op) || mask != nil {
			return nil
		}
		random = random[:len(random)-1]
		for _, x := range Operands(last) {
			if p.isRandom[x] {
				random = append(random, x)
			}
		}
	}
}

// isElementwise reports whether an operation computes each number from the numbers in the same place.
func isElementwise(op ops.Operation) bool {
	return op.Kind == ops.KindElementwise || op.Kind == ops.KindUserFunction
}

// isReLU reports whether n is b.ReLU(x).
func isReLU(n, x *Node) bool {
	operands := Operands(n)
	if ops.Is(n, "relu") {
		return true
	}
	if !ops.Is(n, "multiply") || len(operands) != 2 || operands[0] != x || !ops.Is(operands[1], "greater") {
		return false
	}
	compared := Operands(operands[1])
	zero, isNumber := compared[1].Value().(gorgonia.Scalar)
	return compared[0] == x && isNumber && (zero.Data() == float32(0) || zero.Data() == float64(0))
}

const (
	// minMomentStd keeps standard deviations off 0 where something is divided by them.
	minMomentStd = 1e-30

	// maxMomentRatio bounds the ratio z of mean and standard deviation: z² stays finite in float32, and beyond it
	// Φ(z) is 0 or 1 in float64.
	maxMomentRatio = 40
)

// rectify returns the moments of max(x, 0) for x ~ N(μ, σ²). With z = μ/σ, the mean is μΦ(z) + σφ(z), the slope of the
// best linear approximation is Φ(z), and its error has the variance
//
//	σ²·(Φ(z)Φ(−z)(1 + z²) + zφ(z)(Φ(−z) − Φ(z)) − φ(z)²).
//
// The variance of max(x, 0) in Frey and Hinton 1999 is the sum of this and of Φ(z)²σ². In this form no two large numbers
// cancel.
func (p *momentPass) rectify(v randomValue) (randomValue, error) {
	b := p.b
	std := b.Sqrt(v.variance)
	z := b.Clip(b.Div(v.mean, b.ClampMin(std, minMomentStd)), -maxMomentRatio, maxMomentRatio)
	positive := b.StopGradient(b.NormalCDF(z)) // Φ(z), the probability that x > 0
	negative := b.Shift(b.Neg(positive), 1)    // Φ(−z)
	density := b.NormalPDF(z)
	first := b.Mul(b.Mul(positive, negative), b.Shift(b.Square(z), 1))
	second := b.Mul(b.Mul(z, density), b.Sub(negative, positive))
	relativeError := b.Sub(b.Add(first, second), b.Square(density))
	errorVariance := b.Mul(v.variance, b.ClampMin(relativeError, 0))

	v.mean = b.Add(b.Mul(v.mean, positive), b.StopGradient(b.Mul(std, density)))
	v.variance = b.Mul(v.variance, b.Square(positive))
	return p.addSource(v, errorVariance)
}

// hermite has the points and the weights of the Gauss-Hermite formula with 7 points for the mean of a function of
// x ~ N(0, 1): the points of Abramowitz and Stegun 1964, table 25.10, times √2, and their weights, times 1/√π. The points
// are symmetric: each but 0 stands for −x, too.
var hermite = []struct{ point, weight float64 }{
	{0, 0.8102646175568 / sqrtPi},
	{math.Sqrt2 * 0.816287882858965, 0.4256072526101 / sqrtPi},
	{math.Sqrt2 * 1.673551628767471, 0.05451558281913 / sqrtPi},
	{math.Sqrt2 * 2.651961356835233, 0.0009717812450995 / sqrtPi},
}

const sqrtPi = 1.77245385090551602729816748334 // √π

// integrate returns the moments of n = f(x) for an elementwise f and x ~ N(μ, σ²), as weighted sums over points
// μ + σt. The best linear approximation of f has the slope E[f(x)·t]/σ.
func (p *momentPass) integrate(n, x *Node, v randomValue) (randomValue, error) {
	b := p.b
	std := b.Sqrt(v.variance)
	f := func(t float64) *Node { return p.substitute(n, x, b.Add(v.mean, b.Scale(t, std))) }
	center := p.substitute(n, x, v.mean)
	mean := b.Scale(hermite[0].weight, center)
	moment := b.Scale(0, std) // E[f(x)·t]
	values := []weightedNode{{center, hermite[0].weight}}
	for _, h := range hermite[1:] {
		above, below := f(h.point), f(-h.point)
		mean = b.Add(mean, b.Scale(h.weight, b.Add(above, below)))
		moment = b.Add(moment, b.Scale(h.weight*h.point, b.Sub(above, below)))
		values = append(values, weightedNode{above, h.weight}, weightedNode{below, h.weight})
	}
	total := b.Scale(0, std) // variance of f(x)
	for _, value := range values {
		total = b.Add(total, b.Scale(value.weight, b.Square(b.Sub(value.node, mean))))
	}
	explained := b.Square(moment) // variance of the linear approximation
	errorVariance := b.ClampMin(b.Sub(total, explained), 0)
	slope := b.StopGradient(b.Div(moment, b.ClampMin(std, minMomentStd)))
	linear := b.Mul(slope, v.mean)
	v.mean = b.Add(linear, b.StopGradient(b.Sub(mean, linear)))
	v.variance = explained
	return p.addSource(v, errorVariance)
}

// weightedNode is a value of a function with its weight in a mean.
type weightedNode struct {
	node   *Node
	weight float64
}

// substitute returns n, an elementwise function of x, at another argument.
func (p *momentPass) substitute(n, x, argument *Node) *Node {
	if n == x {
		return argument
	}
	if !p.isRandom[n] {
		return n
	}
	var operands Nodes
	for _, operand := range Operands(n) {
		operands = append(operands, p.substitute(operand, x, argument))
	}
	return p.repeatOperation(n, operands)
}

// repeatOperation returns the operation of n on other operands of the same shapes.
func (p *momentPass) repeatOperation(n *Node, operands Nodes) *Node {
	return p.b.apply("DropoutMoments", operands, func() (*Node, error) { return gorgonia.ApplyOp(n.Op(), operands...) })
}
