package graph_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
)

func TestProfile(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	h := b.ReLU(b.Linear(b.Input("x", 8, 4), b.Param("w", 4, 3, graph.Uniform(1)), b.Param("c", 1, 3, graph.Uniform(1))))
	r := newRunner(t, graph.Compiled, b, b.Exp(h), b.Sum(h))
	steps := expect.Must(r.Program().Profile(3))
	for _, s := range steps {
		if s.Time < 0 || s.Bytes < 4 {
			t.Errorf("%+v", s)
		}
	}
	// Worked by hand: outputs of 24 and 1 numbers, filled up to 32, and 24
	// behind them, filled up to 32: 64 numbers of 4 bytes.
	if values, bytes := r.Program().Arena(); len(steps) != 3 || values != 3 || bytes != 256 {
		t.Errorf("%d steps with %d values in %d bytes, want 3 and 3 in 256", len(steps), values, bytes)
	}
	if newRunner(t, graph.Tape, b, b.Sum(h)).Program() != nil {
		t.Error("the tape engine has a program")
	}
}

func TestRoles(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	x, p := b.Input("x", 2, 3), b.Param("p", 2, 3, graph.Uniform(1))
	dropped := b.Dropout(x, graph.Drop(2), 1, 0.5)
	for _, c := range []struct {
		n    *graph.Node
		role graph.Role
		name string
	}{
		{x, graph.Input, "x"}, {p, graph.Parameter, "p"}, {graph.Operands(dropped)[1], graph.Mask, "sub-network 2, layer 1"},
		{b.Const(2), graph.Constant, ""}, {b.StopGradient(p), graph.Stop, ""}, {dropped, graph.Operation, ""},
	} {
		if role, name := graph.Inspect(b).Role(c.n); role != c.role || name != c.name {
			t.Errorf("%v: %d %q, want %d %q", c.n, role, name, c.role, c.name)
		}
	}
}
