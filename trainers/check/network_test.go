package check_test

import (
	"strings"
	"testing"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/models"
	"sml/models/networks"
	"sml/trainers/check"
)

// Every registered network passes its checks.
func TestRegisteredNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	for _, n := range models.Networks() {
		if !strings.HasPrefix(n.Name, "wrong-") && !strings.HasPrefix(n.Name, "special-") {
			t.Run(n.Name, func(t *testing.T) { check.TestNetwork(t, n.Name) })
		}
	}
}

// Networks with one mistake each, and the checks that have to say so.
func TestMistakesOfNetworksAreFound(t *testing.T) {
	built := 0.0
	layer := func(edit func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node) func(*graph.Builder, *graph.Node, models.Architecture) models.Forward {
		return func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(pass graph.Pass) *graph.Node {
				h := x
				for i, width := range a.Hidden {
					h = b.Tanh(networks.Dense(b, string(rune('a'+i)), h, width))
					h = edit(b, h, pass, i, a)
				}
				return networks.Dense(b, "out", h, a.Outputs)
			}
		}
	}
	dropped := func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
		if a.Drop.Drops(i, len(a.Hidden)) {
			h = b.Dropout(h, pass, i, a.Dropout)
		}
		return h
	}
	for name, c := range map[string]struct {
		network models.Network
		check   string
		status  check.Status
		words   string
	}{
		"shape": {models.Network{Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			return func(graph.Pass) *graph.Node { return networks.Dense(b, "out", x, 1) }
		}}, "shapes", check.Failed, "network wrong-shape returned [1 1], want [1 2]"},
		"layers": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			return b.Dropout(h, pass, i, a.Dropout)
		})}, "layers", check.Failed, "3 drop units if all should, 3 if the last should, and 3 if none should"},
		"parameters": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			if pass != graph.Full {
				h = b.Mul(h, b.Param("scale"+string(rune('a'+i)), 1, 1, graph.Uniform(1)))
			}
			return dropped(b, h, pass, i, a)
		})}, "parameters", check.Failed, "want the same parameters"},
		"clock": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			built++
			return dropped(b, b.Scale(1+1e-9*built, h), pass, i, a)
		})}, "parameters", check.Failed, "differs from build to build"},
		"activation": {models.Network{Activations: networks.Activations(), Build: layer(dropped)}, "architecture", check.Failed, "activation tanh gives the same network as relu"},
		"narrow": {models.Network{Build: func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
			for i := range a.Hidden {
				a.Hidden[i] = 4
			}
			return layer(dropped)(b, x, a)
		}}, "architecture", check.Noted, "[9 4] has the parameters of [5 4]"},
		"rows": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			return dropped(b, b.Sub(h, b.Mean(h)), pass, i, a)
		})}, "rows", check.Failed, "among other rows"},
		"gradient": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			square := gorgonia.Must(gorgonia.Square(b.Neg(h))).Op().(gorgonia.SDOp)
			return dropped(b, gorgonia.Must(gorgonia.ApplyOp(wrong{square}, h)), pass, i, a)
		})}, "gradients", check.Failed, "disagree with finite differences"},
		"slow": {models.Network{Build: layer(func(b *graph.Builder, h *graph.Node, pass graph.Pass, i int, a models.Architecture) *graph.Node {
			return dropped(b, b.Columns(gorgonia.Must(gorgonia.Concat(1, h, h)), 0, h.Shape()[1]), pass, i, a)
		})}, "kernels", check.Noted, "oncat"},
	} {
		c.network.Name = "wrong-" + name
		models.RegisterNetwork(c.network)
		found, err := check.Network(c.network.Name, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			text := f.Message + strings.Join(f.Details, "\n")
			if f.Check == c.check && (f.Status != c.status || !strings.Contains(text, c.words)) {
				t.Errorf("%s: %s says %q, want %s with %q", name, c.check, text, c.status, c.words)
			}
			if f.Check != c.check && f.Status == check.Failed {
				t.Errorf("%s: %s", name, text)
			}
		}
		if !strings.Contains(found.String(), c.words) {
			t.Errorf("%s: nothing says %q:\n%s", name, c.words, found)
		}
	}
}

func TestUnknownNetwork(t *testing.T) {
	var r recorder
	if check.TestNetwork(&r, "unheard-of"); r.errors != 1 {
		t.Errorf("%+v", r)
	}
}
