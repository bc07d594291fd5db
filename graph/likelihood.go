package graph

import (
	"math"

	"gorgonia.org/gorgonia"
)

// StudentTNLL returns −log p(y) under Student's t distribution with location μ, scale
// s > 0 and ν > 0 degrees of freedom, element by element:
//
//	log Γ(ν/2) − log Γ((ν+1)/2) + ½ log(πν) + log s + (ν+1)/2 · log(1 + ((y − μ)/s)²/ν)
//
// Shapes are as in Add. With μ = γ, ν = 2α and s² = β(1 + λ)/(λα) it is that of a normal
// distribution whose mean and variance have the normal-inverse-gamma distribution with
// parameters γ, λ, α and β.
func (b *Builder) StudentTNLL(location, scale, freedom, y *Node) *Node {
	z := b.Div(b.Sub(y, location), scale)
	halfMore := b.Scale(0.5, b.AddConst(freedom, 1)) // (ν+1)/2
	step := b.own("StudentTNLL", "log gamma step", b.Scale(0.5, freedom))
	normaliser := b.Sub(b.Scale(0.5, b.Log(b.Scale(math.Pi, freedom))), step)
	return b.Add(b.Add(b.Log(scale), normaliser), b.Mul(halfMore, b.Log1p(b.Div(b.Square(z), freedom))))
}

// CrossEntropy returns −log p of each row's class, [m 1], where p = Softmax(x) of x
// [m k], and class [m 1] is 0, …, k−1, but for rounding. A class that is none of them
// is an error of the run, which names the row, as in Rows.
func (b *Builder) CrossEntropy(x, class *Node) *Node {
	b.wantMatrix("CrossEntropy", x)
	if b.err != nil {
		return x
	}
	classes := x.Shape()[1]
	identity := make([]float64, classes*classes)
	for i := range classes {
		identity[i*classes+i] = 1
	}
	nearest := b.unary("CrossEntropy", gorgonia.Floor, b.AddConst(class, 0.5))
	chosen := b.Rows(b.Constant(classes, classes, identity), nearest)
	return b.Neg(b.SumColumns(b.Where(chosen, b.LogSoftmax(x), b.Const(0))))
}
