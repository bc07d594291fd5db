package graph_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/graph/gradcheck"
)

// twoPlayers has a parameter p of the main group and q of the group "other", and the terms 3·p·q, which
// moves p, and 2·(p·q²) and q, which move q.
func twoPlayers(b *graph.Builder) *graph.Node {
	p := b.Sum(b.Param("p", 1, 1, graph.Fill(5)))
	var q *graph.Node
	b.Within(graph.Scope{Group: "other"}, func() { q = b.Sum(b.Param("q", 1, 1, graph.Fill(7))) })
	return b.WeightedSum(
		graph.Term{Name: "shared", Weight: 3, Value: b.Mul(p, q)},
		graph.Term{Name: "own", Weight: 2, Value: b.Mul(p, b.Square(q)), Group: "other"},
		graph.Term{Name: "own, too", Weight: 1, Value: q, Group: "other"},
	)
}

// Each parameter gets the gradient of the terms that move it, and the loss is the sum of all: by hand,
// at p = 5 and q = 7.
func TestGradientsOfGroups(t *testing.T) {
	for _, engine := range graph.Engines() {
		b, params := newGraph()
		loss := twoPlayers(b)
		r := newRunner(t, engine, b, append(graph.Nodes{loss}, b.Gradients(loss)...)...)
		params.Initialise(1)
		run(t, r)
		for i, want := range []float64{3*5*7 + 2*5*49 + 7, 3 * 7, 4*5*7 + 1} {
			if got := r.Output64(i)[0]; got != want {
				t.Errorf("%s: output %d is %v, want %v", engine, i, got, want)
			}
		}
		if got := params.Groups(); !slices.Equal(got, []string{"main", "other"}) {
			t.Errorf("groups %q", got)
		}
	}
}

// Finite differences of the terms that move each parameter agree, also behind a loss of the terms'
// sum and more.
func TestDifferencesOfGroups(t *testing.T) {
	for name, f := range map[string]gradcheck.Function{
		"the sum": twoPlayers,
		"a part of all": func(b *graph.Builder) *graph.Node {
			return b.Add(b.Scale(2, twoPlayers(b)), b.Sum(b.Param("p", 1, 1, graph.Fill(5))))
		},
	} {
		checkGradients(t, name, f, gradcheck.Settings{Seed: 1}, 1e-8)
	}
}

// A loss without the terms of a group, such as a single term, moves every parameter.
func TestGradientsOfATermAlone(t *testing.T) {
	b := graph.New(graph.Float64, new(graph.Params))
	twoPlayers(b)
	terms := graph.Inspect(b).AllTerms
	losses, by := graph.Inspect(b).Losses(terms[1].Value)
	if len(losses) != 1 || !slices.Equal(by, []int{0, 0}) {
		t.Errorf("%d losses, %v", len(losses), by)
	}
	params := []graph.Param{{Name: "p"}, {Name: "q", Group: "other"}, {Name: "r", Group: "third"}}
	for i, want := range [][]bool{{true, false, true}, {false, true, false}} {
		for j, p := range params {
			if got := graph.Inspect(b).Moves(terms[i], p); got != want[j] {
				t.Errorf("term %q moves %s: %v", terms[i].Name, p.Name, got)
			}
		}
	}
}

// A parameter that was frozen, or is read without a group, may have a group.
func TestGroupsOfParameters(t *testing.T) {
	param := func(b *graph.Builder, group string) *graph.Node {
		var p *graph.Node
		b.Within(graph.Scope{Group: group}, func() { p = b.Sum(b.Param("p", 1, 1, graph.Fill(5))) })
		return p
	}
	b := graph.New(graph.Float64, new(graph.Params))
	b.Within(graph.Scope{Frozen: true}, func() { param(b, "") })
	if param(b, "a"); b.Err() != nil {
		t.Errorf("a parameter that was frozen before: %v", b.Err())
	}
	b.Within(graph.Scope{Group: "a"}, func() {
		b.Within(graph.Scope{Group: "b"}, func() { b.Param("inner", 1, 1, graph.Fill(0)) })
	})
	b.Param("p", 1, 1, graph.Fill(5)) // no group asks for none
	if b.Err() != nil {
		t.Error(b.Err())
	}
}
