package graph

import (
	"errors"
	"math"
	"slices"
)

// Term is one weighted term of an objective.
type Term struct {
	Name   string
	Weight float64 // factor of Value; with 0 the term is only logged
	Factor *Node   // scalar that multiplies Value, too, such as one that warms up; nil for none
	Value  *Node   // scalar, in the unit of the loss

	// Group, unless it is "", is the only group of parameters (Scope.Group) that the term moves.
	// Terms of other groups then do not move this group: a critic and a generator each have a
	// loss of their own. Terms with the Group "" move all groups without terms of their own.
	Group string
}

// WeightedSum returns the sum Σ Weight·Factor·Value of the terms, a scalar. A training logs each
// term beside the sum, also a term of weight 0, on which neither the sum nor a gradient depends. The
// sum has the values of all terms, but Gradients differentiates the terms of a group only with
// respect to the parameters of this group.
//
// The builder fails if a Value is not a scalar, if a name is in use, or if all weights, or all
// weights of a group, are 0.
func (b *Builder) WeightedSum(terms ...Term) *Node {
	var total *Node
	for _, t := range terms {
		b.checkTerm(t)
		b.inspection.AllTerms = append(b.inspection.AllTerms, t)
		if t.Weight == 0 {
			continue
		}
		weighted := b.weightedTerm(t)
		if total == nil {
			total = weighted
		} else {
			total = b.Add(total, weighted)
		}
	}
	if total == nil {
		b.Fail(errors.New("every term of the objective has weight 0"))
		return b.placeholder()
	}
	b.checkGroupTerms(terms)
	return total
}

// checkTerm makes the builder fail if a term is not a scalar or its name is in use.
func (b *Builder) checkTerm(t Term) {
	if b.err == nil && (t.Value == nil || !t.Value.IsScalar()) {
		b.failOperation("WeightedSum", Nodes{t.Value}, "term %q is not a scalar, such as a Mean", t.Name)
	}
	if slices.ContainsFunc(b.inspection.AllTerms, func(other Term) bool { return other.Name == t.Name }) {
		b.failOperation("WeightedSum", Nodes{t.Value}, "there is a term %q already", t.Name)
	}
}

// weightedTerm returns Weight·Factor·Value of a term. No gradient flows through it if the term
// moves a group of its own.
func (b *Builder) weightedTerm(t Term) *Node {
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
	return weighted
}

// Penalty is a scalar that a network declares, such as the divergence of its weights from a prior.
type Penalty struct {
	Name  string // name with the prefix of its scope
	Value *Node
}

// Penalty declares a scalar with the given name, which an objective may add to its loss
// (models.Task.Penalty). A network calls it once for each of its layers. The prefix of the scope is
// put before the name. The builder fails if value is not a scalar.
func (b *Builder) Penalty(name string, value *Node) {
	if b.err == nil && (value == nil || !value.IsScalar()) {
		b.failOperation("Penalty", Nodes{value}, "%q is not a scalar, such as a Sum", name)
		return
	}
	b.inspection.Penalties = append(b.inspection.Penalties, Penalty{Name: b.scope.prefix + name, Value: value})
}

// StudentTNLL returns the negative log-likelihood −log p(y) of y under Student's t distribution with
// location μ, scale s > 0 and ν > 0 degrees of freedom, element by element:
//
//	log Γ(ν/2) − log Γ((ν+1)/2) + ½ log(πν) + log s + (ν+1)/2 · log(1 + ((y − μ)/s)²/ν)
//
// It is in nats. Shapes are as in Add. With μ = γ, ν = 2α and s² = β(1 + λ)/(λα), it is the negative
// log-likelihood of a normal distribution whose mean and variance have the normal-inverse-gamma
// distribution with parameters γ, λ, α and β. Source: Amini et al. 2020, "Deep evidential
// regression", equation 8.
func (b *Builder) StudentTNLL(location, scale, freedom, y *Node) *Node {
	z := b.Div(b.Sub(y, location), scale)
	exponent := b.Scale(0.5, b.Shift(freedom, 1))      // (ν+1)/2
	gammaStep := b.LogGammaStep(b.Scale(0.5, freedom)) // log Γ((ν+1)/2) − log Γ(ν/2)
	normaliser := b.Sub(b.Scale(0.5, b.Log(b.Scale(math.Pi, freedom))), gammaStep)
	return b.Add(b.Add(b.Log(scale), normaliser), b.Mul(exponent, b.Log1p(b.Div(b.Square(z), freedom))))
}

// CrossEntropy returns −log p of each row's class, [m 1], in nats, for the probabilities
// p = Softmax(x) of the k classes, where x is [m k]. class [m 1] holds integers from 0 to k−1.
// Runner.Run fails, and names the row, if it holds another number.
func (b *Builder) CrossEntropy(x, class *Node) *Node {
	b.wantMatrix("CrossEntropy", x)
	if b.err != nil {
		return x
	}
	isClass := b.OneHot(class, x.Shape()[1])
	return b.Neg(b.SumColumns(b.Where(isClass, b.LogSoftmax(x), b.Const(0))))
}
