package models

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// passPenalties holds the penalties (graph.Builder.Penalty) that networks added in the passes of an
// objective.
type passPenalties struct {
	passes [][]graph.Penalty // penalties of each pass that has any; each pass once

	// hasAllPasses is false if passes are replaced (Spec.LossWithNetwork): the penalties of these are missing.
	hasAllPasses bool
}

// add adds the penalties of a pass, unless they are there from an earlier call of the same pass. A
// nil receiver ignores them.
func (p *passPenalties) add(penalties []graph.Penalty) {
	if p == nil || len(penalties) == 0 {
		return
	}
	isSame := func(other []graph.Penalty) bool { return slices.Equal(other, penalties) }
	if slices.ContainsFunc(p.passes, isSame) {
		return
	}
	p.passes = append(p.passes, slices.Clone(penalties))
}

// Penalty returns the penalty with the given name (graph.Builder.Penalty) in the passes before the
// call, a scalar: the sum over the layers of a pass, and the mean over the passes. So the divergence
// of a distribution over weights counts once, however many passes there are. The penalties of a
// further network are named "NETWORK.penalty". The builder fails if no network has added the penalty,
// such as a network that a user has chosen in place of the method's own.
func (t *Task) Penalty(name string) *graph.Node {
	passes := [][]graph.Penalty{graph.Inspect(t.b).Penalties}
	if t.penalties != nil {
		passes = t.penalties.passes
	}
	total, count, names := t.sumPenalties(passes, name)
	switch {
	case count > 1:
		return t.b.Scale(1/float64(count), total)
	case count == 1:
		return total
	case t.penalties != nil && !t.penalties.hasAllPasses:
		// The passes with this penalty are replaced. The graph is only examined, and needs some scalar.
		return t.b.Const(0)
	}
	t.b.Fail(t.missingPenalty(name, names))
	return t.b.Const(0)
}

// missingPenalty returns the error of an objective that reads a penalty that no network has added. added
// are the names of the penalties that there are.
func (t *Task) missingPenalty(name string, added []string) error {
	switch {
	case t.network.Name != t.method.Network:
		return fmt.Errorf("method %s needs a network that adds the penalty %q, and network %s does not: choose network %s, or leave the choice to the method", t.method.Name, name, t.network.Name, t.method.Network)
	case len(added) > 0:
		return fmt.Errorf("no network added a penalty %q before; want one of %s", name, strings.Join(added, ", "))
	}
	return fmt.Errorf("no network added a penalty %q before: call Task.Forward first, of a network that calls Builder.Penalty", name)
}

// sumPenalties returns the sum of the penalties with the given name, nil if there is none, the number of passes that
// have one, and the names of all penalties, each once.
func (t *Task) sumPenalties(passes [][]graph.Penalty, name string) (total *graph.Node, count int, names []string) {
	for _, penalties := range passes {
		isFound := false
		for _, p := range penalties {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
			switch {
			case p.Name != name:
				continue
			case total == nil:
				total = p.Value
			default:
				total = t.b.Add(total, p.Value)
			}
			isFound = true
		}
		if isFound {
			count++
		}
	}
	return total, count, names
}
