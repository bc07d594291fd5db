package graph

import (
	"fmt"
	"slices"
)

// Term is one weighted part of an objective.
type Term struct {
	Name   string
	Weight float64
	By     *Node // a scalar that the weight is multiplied by, such as one that warms up; nil: none
	Value  *Node // a scalar
}

// WeightedSum returns the weighted sum of terms, a scalar, and notes the terms so
// that training can log each beside the sum. Terms of weight 0 are left out.
func (b *Builder) WeightedSum(terms ...Term) *Node {
	var total *Node
	for _, t := range terms {
		if b.err == nil && (t.Value == nil || !t.Value.IsScalar()) {
			b.fail("WeightedSum", Nodes{t.Value}, "term %q is not a scalar, such as a Mean", t.Name)
		}
		if slices.ContainsFunc(b.terms, func(have Term) bool { return have.Name == t.Name }) {
			b.fail("WeightedSum", Nodes{t.Value}, "there is a term %q already", t.Name)
		}
		if t.Weight == 0 {
			continue
		}
		b.terms = append(b.terms, t)
		weighted := t.Value
		if t.Weight != 1 {
			weighted = b.Scale(t.Weight, t.Value)
		}
		if t.By != nil {
			weighted = b.Mul(t.By, weighted)
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
	return total
}
