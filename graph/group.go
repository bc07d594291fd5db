package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// MainGroup is the name of the group of all parameters that no Scope puts into a group.
const MainGroup = "main"

// checkGroup returns an error unless a Scope may have a group with this name.
func checkGroup(name string) error {
	if name == MainGroup || strings.ContainsAny(name, ";:,= \t\n") {
		return fmt.Errorf("a group cannot be named %q; want a name without blanks and ; : , =, other than %q, which has the parameters of no other group", name, MainGroup)
	}
	return nil
}

// groupTerm is a weighted term of an objective that moves only the parameters of one group. The loss
// contains it behind a StopGradient: its value counts, but it moves no other group.
type groupTerm struct {
	group    string
	weighted *Node // the term, along whose gradient the group moves
	stopped  *Node // StopGradient(weighted), which stands for the term in the loss
}

// restrict records that only the parameters of a group move along the gradient of a weighted term.
// It returns the node to add to the sum of all terms, through which no gradient flows.
func (b *Builder) restrict(group string, weighted *Node) *Node {
	stopped := b.StopGradient(weighted)
	b.groupTerms = append(b.groupTerms, groupTerm{group: group, weighted: weighted, stopped: stopped})
	return stopped
}

// checkGroupTerms makes the builder fail if all terms of a group have weight 0.
func (b *Builder) checkGroupTerms(terms []Term) {
	for _, t := range terms {
		if t.Group != "" && !b.hasGroupTerm(t.Group) {
			b.Fail(fmt.Errorf("every term of the group %q has weight 0: nothing moves its parameters", t.Group))
		}
	}
}

// hasGroupTerm reports whether a term moves only the parameters of the given group.
func (b *Builder) hasGroupTerm(group string) bool {
	return slices.ContainsFunc(b.groupTerms, func(t groupTerm) bool { return t.group == group })
}

// objective is a scalar along whose gradient parameters move.
type objective struct {
	group string // "" for the loss, which moves all groups that have no objective of their own
	value *Node
}

// objectives returns the loss, followed by the sum of each group's terms. It ignores terms that the
// loss does not depend on. It returns an error if no parameter is in a term's group.
func (b *Builder) objectives(loss *Node) ([]objective, error) {
	objectives := []objective{{value: loss}}
	if len(b.groupTerms) == 0 {
		return objectives, nil
	}
	lossNodes := dependencies(loss)
	for _, t := range b.groupTerms {
		partOfLoss := slices.Contains(lossNodes, t.stopped)
		if !partOfLoss {
			continue
		}
		i := slices.IndexFunc(objectives, func(o objective) bool { return o.group == t.group })
		if i >= 0 {
			objectives[i].value = b.Add(objectives[i].value, t.weighted)
			continue
		}
		if !b.params.hasGroup(t.group) {
			return nil, fmt.Errorf("a term moves the group %q, and no parameter is in it; the parameters are in %s", t.group, strings.Join(b.params.Groups(), ", "))
		}
		objectives = append(objectives, objective{group: t.group, value: t.weighted})
	}
	return objectives, b.err // b.Add may have failed
}

// hasGroup reports whether a parameter that an optimizer moves is in the given group.
func (p *Params) hasGroup(group string) bool {
	return slices.ContainsFunc(p.list, func(param Param) bool { return param.Group == group && !param.Buffer })
}

// objectiveIndex returns the index of the objective that moves p: the objective of its group, or
// else the loss, which comes first.
func objectiveIndex(objectives []objective, p Param) int {
	i := slices.IndexFunc(objectives, func(o objective) bool { return o.group == p.Group })
	return max(i, 0)
}

// Groups returns the names of the parameters' groups, in the order of the parameters.
func (p *Params) Groups() []string {
	var names []string
	for _, param := range p.list {
		name := cmp.Or(param.Group, MainGroup)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Losses returns the scalars that Gradients differentiates: the loss, followed by the weighted sum
// of each group's terms (Term.Group). indices[i] is the index of the scalar whose gradient moves
// parameter i of Params.List.
func (i *Inspection) Losses(loss *Node) (losses Nodes, indices []int) {
	objectives, err := i.b.objectives(loss)
	i.b.Fail(err)
	for _, o := range objectives {
		losses = append(losses, o.value)
	}
	for _, p := range i.b.params.list {
		indices = append(indices, objectiveIndex(objectives, p))
	}
	return losses, indices
}

// Moves reports whether a term of WeightedSum may move a parameter: see Term.Group.
func (i *Inspection) Moves(t Term, p Param) bool {
	if t.Group != "" {
		return t.Group == p.Group
	}
	return !i.b.hasGroupTerm(p.Group)
}
