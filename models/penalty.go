package models

import (
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// penalties are what networks say of themselves in the passes of an objective.
type penalties struct {
	runs  [][]graph.Penalty // of each pass, each once
	whole bool              // every pass that the objective asks for is run
}

func (p *penalties) add(run []graph.Penalty) {
	if p == nil || len(run) == 0 || slices.ContainsFunc(p.runs, func(have []graph.Penalty) bool { return slices.Equal(have, run) }) {
		return
	}
	p.runs = append(p.runs, slices.Clone(run))
}

// Penalty returns what the networks said by that name (graph.Builder.Penalty) in the
// passes that were run before, a scalar: the sum over the layers of a pass, and the mean
// over the passes, so that a divergence between distributions of weights counts once
// however many passes there are. Those of a further network are called "NAME.penalty".
// It is an error if none was said.
func (t *Task) Penalty(name string) *graph.Node {
	var runs [][]graph.Penalty
	if t.said != nil {
		runs = t.said.runs
	} else {
		runs = [][]graph.Penalty{graph.Inspect(t.b).Penalties}
	}
	var total *graph.Node
	passes := 0
	var known []string
	for _, run := range runs {
		said := false
		for _, p := range run {
			switch {
			case p.Name != name:
				if !slices.Contains(known, p.Name) {
					known = append(known, p.Name)
				}
			case total == nil:
				total, said = p.Value, true
			default:
				total, said = t.b.Add(total, p.Value), true
			}
		}
		if said {
			passes++
		}
	}
	switch {
	case passes > 1:
		return t.b.Scale(1/float64(passes), total)
	case passes == 1:
		return total
	case t.said != nil && !t.said.whole:
		return t.b.Const(0) // something stands in a pass's place
	case len(known) > 0:
		t.b.Fail(fmt.Errorf("no network said a penalty %q in a pass before: there is %s", name, strings.Join(known, ", ")))
	default:
		t.b.Fail(fmt.Errorf("no network said a penalty %q in a pass before: call Task.Forward first, of a network that calls Builder.Penalty", name))
	}
	return t.b.Const(0)
}
