package graph

import (
	"fmt"
	"math"
	"slices"
)

// Term is one weighted term of an objective.
type Term struct {
	Name   string
	Weight float64
	Factor *Node // scalar factor beside Weight, such as one that warms up; nil for none
	Value  *Node // scalar

	// Group, unless it is "", is the only group of parameters (Scope.Group) that the term moves,
	// and terms without this Group then do not move it: a critic and a generator have a loss
	// each. Terms with the Group "" move all groups without terms of their own.
	Group string
}

// WeightedSum returns the weighted sum of terms, a scalar. A training logs each term
// beside the sum. A term of weight 0 is logged too, and neither the sum nor a gradient
// depends on its value. The sum has the values of all terms; Gradients differentiates the
// terms of a group by the parameters of this group alone.
func (b *Builder) WeightedSum(terms ...Term) *Node {
	var total *Node
	for _, t := range terms {
		if b.err == nil && (t.Value == nil || !t.Value.IsScalar()) {
			b.fail("WeightedSum", Nodes{t.Value}, "term %q is not a scalar, such as a Mean", t.Name)
		}
		if slices.ContainsFunc(b.inspection.AllTerms, func(have Term) bool { return have.Name == t.Name }) {
			b.fail("WeightedSum", Nodes{t.Value}, "there is a term %q already", t.Name)
		}
		b.inspection.AllTerms = append(b.inspection.AllTerms, t)
		if t.Weight == 0 {
			continue
		}
		weighted := t.Value
		if t.Weight != 1 {
			weighted = b.Scale(t.Weight, t.Value)
		}
		if t.Factor != nil {
			weighted = b.Mul(t.Factor, weighted)
		}
		if t.Group != "" {
			weighted = b.restrict(t.Group, weighted)
		}
		if total == nil {
			total = weighted
		} else {
			total = b.Add(total, weighted)
		}
	}
	if total == nil {
		b.Fail(fmt.Errorf("every term of the objective has weight 0"))
		return b.placeholder()
	}
	b.checkGroupTerms(terms)
	return total
}

// Penalty is a scalar that a network declares about its weights or about a pass, such as a
// divergence from a prior.
type Penalty struct {
	Name  string // name with the prefix of its scope
	Value *Node
}

// Penalty declares a scalar with that name, which an objective may add to its loss
// (models.Task.Penalty). A network calls it once for each of its layers.
func (b *Builder) Penalty(name string, value *Node) {
	if b.err == nil && (value == nil || !value.IsScalar()) {
		b.fail("Penalty", Nodes{value}, "%q is not a scalar, such as a Sum", name)
		return
	}
	b.inspection.Penalties = append(b.inspection.Penalties, Penalty{b.scope.prefix + name, value})
}

// StudentTNLL returns −log p(y) under Student's t distribution with location μ, scale
// s > 0 and ν > 0 degrees of freedom, element by element:
//
//	log Γ(ν/2) − log Γ((ν+1)/2) + ½ log(πν) + log s + (ν+1)/2 · log(1 + ((y − μ)/s)²/ν)
//
// Shapes are as in Add. With μ = γ, ν = 2α and s² = β(1 + λ)/(λα), it is the likelihood of
// a normal distribution whose mean and variance have the normal-inverse-gamma distribution
// with parameters γ, λ, α and β.
func (b *Builder) StudentTNLL(location, scale, freedom, y *Node) *Node {
	z := b.Div(b.Sub(y, location), scale)
	halfMore := b.Scale(0.5, b.AddConst(freedom, 1)) // (ν+1)/2
	step := b.applyOp("StudentTNLL", "log gamma step", b.Scale(0.5, freedom))
	normaliser := b.Sub(b.Scale(0.5, b.Log(b.Scale(math.Pi, freedom))), step)
	return b.Add(b.Add(b.Log(scale), normaliser), b.Mul(halfMore, b.Log1p(b.Div(b.Square(z), freedom))))
}

// CrossEntropy returns −log p of each row's class, [m 1], where p = Softmax(x) for x
// [m k]. class [m 1] is 0, …, k−1. The run fails, and names the row, if a class is none of
// them.
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
	chosen := b.Rows(b.Constant(classes, classes, identity), class)
	return b.Neg(b.SumColumns(b.Where(chosen, b.LogSoftmax(x), b.Const(0))))
}
