package graph

import (
	"fmt"
	"slices"
	"strings"
)

// MainGroup is the name of the group of all parameters that no Scope puts into a group.
const MainGroup = "main"

// checkGroup returns an error unless a Scope may have that group.
func checkGroup(name string) error {
	if name == MainGroup || strings.ContainsAny(name, ";:,= \t\n") {
		return fmt.Errorf("there is no group %q: want a name without blanks and ; : , =, other than %q, which has the parameters of no other group", name, MainGroup)
	}
	return nil
}

// groupTerm is a term that moves the parameters of one group.
type groupTerm struct {
	group    string
	weighted *Node
	stopped  *Node // weighted as part of the sum, without a gradient
}

// restrict notes a weighted term of a group, and returns the node that stands for it in the sum of
// all terms.
func (b *Builder) restrict(group string, weighted *Node) *Node {
	stopped := b.StopGradient(weighted)
	b.groupTerms = append(b.groupTerms, groupTerm{group, weighted, stopped})
	return stopped
}

// checkGroupTerms makes the builder fail if all terms of a group have weight 0.
func (b *Builder) checkGroupTerms(terms []Term) {
	for _, t := range terms {
		moved := func(other groupTerm) bool { return other.group == t.Group }
		if t.Group != "" && !slices.ContainsFunc(b.groupTerms, moved) {
			b.Fail(fmt.Errorf("every term of the group %q has weight 0: nothing moves its parameters", t.Group))
		}
	}
}

// objective is a scalar whose gradient moves parameters.
type objective struct {
	group string // "" for the loss, which moves the parameters of all groups without an objective
	value *Node
}

// objectives returns loss, followed by the sum of each group's terms. Terms that loss does not depend
// on do not count.
func (b *Builder) objectives(loss *Node) ([]objective, error) {
	list := []objective{{value: loss}}
	if len(b.groupTerms) == 0 {
		return list, nil
	}
	behind := dependencies(loss)
	for _, t := range b.groupTerms {
		if !slices.Contains(behind, t.stopped) {
			continue
		}
		i := slices.IndexFunc(list, func(o objective) bool { return o.group == t.group })
		if i >= 0 {
			list[i].value = b.Add(list[i].value, t.weighted)
			continue
		}
		if !slices.ContainsFunc(b.params.list, func(p Param) bool { return p.Group == t.group && !p.Buffer }) {
			return nil, fmt.Errorf("a term moves the group %q, and no parameter is in it: there is %s", t.group, strings.Join(b.params.Groups(), ", "))
		}
		list = append(list, objective{t.group, t.weighted})
	}
	return list, b.err
}

// indexOf returns the index of the objective that moves p.
func indexOf(list []objective, p Param) int {
	i := slices.IndexFunc(list, func(o objective) bool { return o.group == p.Group })
	return max(i, 0)
}

// Groups returns the names of the groups of the parameters, in their order.
func (p *Params) Groups() []string {
	var names []string
	for _, param := range p.list {
		name := param.Group
		if name == "" {
			name = MainGroup
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Losses returns the scalars that Gradients differentiates: loss, followed by the weighted sum of each
// group's terms (Term.Group). by[i] is the index of the scalar whose gradient moves parameter i of
// Params.List.
func (i *Inspection) Losses(loss *Node) (losses Nodes, by []int) {
	list, err := i.b.objectives(loss)
	i.b.Fail(err)
	for _, o := range list {
		losses = append(losses, o.value)
	}
	for _, p := range i.b.params.list {
		by = append(by, indexOf(list, p))
	}
	return losses, by
}

// Moves reports whether a term of WeightedSum may move a parameter: see Term.Group.
func (i *Inspection) Moves(t Term, p Param) bool {
	if t.Group != "" {
		return t.Group == p.Group
	}
	return !slices.ContainsFunc(i.b.groupTerms, func(other groupTerm) bool { return other.group == p.Group })
}
