package models

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/graph"
)

// Architecture returns that of the network that is trained.
func (t *Task) Architecture() Architecture {
	a := t.spec.Architecture
	a.Network = cmp.Or(a.Network, t.network.Name)
	return a
}

// Network returns a further network on x [rows, columns], such as a critic or a second
// head: its weights are trained with the others, are saved with the model as
// "NAME.weights", and its masks and noise are its own. Of a, Outputs has to be set;
// Network, Hidden, Activation and Hyperparameters are the trained network's where they are not, and it
// drops units where Dropout is set, behind all hidden layers unless Drop says otherwise.
// The same name on another x has the same weights. They are the group of that name
// (graph.Scope.Group).
func (t *Task) Network(name string, x *graph.Node, a Architecture) Forward {
	fail := func(err error) Forward {
		t.b.Fail(fmt.Errorf("network %q: %w", name, err))
		return func(graph.Pass) *graph.Node { return t.b.Const(0) }
	}
	if name == "" {
		return fail(errors.New("it needs a name"))
	}
	if x == nil || !x.IsMatrix() {
		return fail(errors.New("want inputs [rows columns]"))
	}
	if t.b.Err() != nil {
		return fail(nil)
	}
	if a.Outputs < 1 {
		return fail(fmt.Errorf("it has %d outputs: set Architecture.Outputs", a.Outputs))
	}
	own := t.Architecture()
	a.Network = cmp.Or(a.Network, own.Network)
	a.Activation = cmp.Or(a.Activation, own.Activation)
	if a.Drop == "" {
		if a.Drop = NoLayers; a.Dropout > 0 {
			a.Drop = AllLayers
		}
	}
	if a.Hidden == nil {
		a.Hidden = own.Hidden
	}
	a.Inputs, a.Targets = x.Shape()[1], cmp.Or(a.Targets, a.Outputs)
	n, err := LookupNetwork(a.Network)
	if a.Hyperparameters == nil && a.Network == own.Network {
		a.Hyperparameters = own.Hyperparameters
	}
	if err == nil && len(n.Activations) > 0 && !slices.Contains(n.Activations, a.Activation) {
		err = fmt.Errorf("unknown activation %q; want one of %s", a.Activation, strings.Join(n.Activations, ", "))
	}
	if err == nil {
		err = a.Check(1, 1)
	}
	if err != nil {
		return fail(err)
	}
	return within(t.b, graph.Scope{Prefix: name + ".", Group: name}, func() Forward { return n.on(t.b, x, a, nil, t.said) })
}

// within builds a network in a scope, and runs it there.
func within(b *graph.Builder, s graph.Scope, build func() Forward) Forward {
	var f Forward
	b.Within(s, func() { f = build() })
	return func(pass graph.Pass) (out *graph.Node) {
		b.Within(s, func() { out = f(pass) })
		return out
	}
}
