package graph

// What is taken over nodes of one shape, such as the outputs of sub-networks, is
// taken element by element, and has their shape.

// MeanOf returns the mean of xs.
func (b *Builder) MeanOf(xs ...*Node) *Node { return b.meanOf("MeanOf", xs) }

// VarianceOf returns the variance of xs, the mean of the squared distance from their
// mean, by 1/n for n of them.
func (b *Builder) VarianceOf(xs ...*Node) *Node {
	mean := b.meanOf("VarianceOf", xs)
	squares := make(Nodes, len(xs))
	for i, x := range xs {
		squares[i] = b.Square(b.Sub(x, mean))
	}
	return b.meanOf("VarianceOf", squares)
}

func (b *Builder) meanOf(name string, xs Nodes) *Node {
	return b.Scale(1/float64(max(1, len(xs))), b.reduce(name, b.Add, xs))
}

// LogSumExpOf returns log Σ eˣ over xs, without overflow; what is infinite or NaN is as
// in LogSumExp.
func (b *Builder) LogSumExpOf(xs ...*Node) *Node {
	shift := b.clipFinite(b.StopGradient(b.reduce("LogSumExpOf", b.Max, xs)))
	terms := make(Nodes, len(xs))
	for i, x := range xs {
		terms[i] = b.Exp(b.Sub(x, shift))
	}
	return b.Add(b.Log(b.reduce("LogSumExpOf", b.Add, terms)), shift)
}

// reduce puts nodes of one shape together, from the first on.
func (b *Builder) reduce(name string, op func(x, y *Node) *Node, xs Nodes) *Node {
	if len(xs) == 0 {
		b.fail(name, nil, "want one node or more")
		return b.placeholder()
	}
	for _, x := range xs {
		if x == nil {
			b.fail(name, xs, "an operand is nil")
		} else if xs[0] != nil && !sameShape(x, xs[0]) {
			b.fail(name, xs, "want equal shapes")
		}
	}
	result := xs[0]
	for _, x := range xs[1:] {
		result = op(result, x)
	}
	return result
}
