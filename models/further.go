package models

import (
	"cmp"
	"errors"
	"fmt"

	"sml/graph"
)

// Architecture returns the architecture of the trained network, with the name of its network.
func (t *Task) Architecture() Architecture {
	a := t.spec.Architecture
	a.Network = cmp.Or(a.Network, t.network.Name)
	return a
}

// Network returns a further network on x [rows, columns], such as a critic or a second head. Its
// weights are trained with the others and saved with the model as "NAME.weights"; they form the
// parameter group NAME (graph.Scope.Group). It has dropout masks and noise of its own. Calls with the
// same name and another x share the weights.
//
// a.Outputs is required. Network, Hidden, Activation and Hyperparameters default to the trained
// network's. Units are dropped only if a.Dropout is set, by default in all hidden layers. a.Inputs is
// ignored: x has the inputs. The builder fails if the architecture is not valid.
func (t *Task) Network(name string, x *graph.Node, a Architecture) Forward {
	n, a, err := t.furtherNetwork(name, x, a)
	if err != nil {
		t.b.Fail(fmt.Errorf("network %q: %w", name, err)) // has no effect if the builder has failed before
	}
	if t.b.Err() != nil {
		return func(graph.Pass) *graph.Node { return t.b.Const(0) }
	}
	scope := graph.Scope{Prefix: name + ".", Group: name}
	return buildInScope(t.b, scope, func() Forward { return n.forwardAt(t.b, x, a, nil, t.penalties) })
}

// furtherNetwork returns the network of a call of Network, and its architecture with all defaults.
func (t *Task) furtherNetwork(name string, x *graph.Node, a Architecture) (Network, Architecture, error) {
	switch {
	case name == "":
		return Network{}, a, errors.New("it needs a name")
	case x == nil || !x.IsMatrix():
		return Network{}, a, errors.New("want inputs [rows columns]")
	case a.Outputs < 1:
		return Network{}, a, fmt.Errorf("it has %d outputs: set Architecture.Outputs", a.Outputs)
	case a.Copies > 1:
		return Network{}, a, fmt.Errorf("it has %d copies: want 1, which all copies of the trained network use", a.Copies)
	}
	trained := t.Architecture()
	a.Network = cmp.Or(a.Network, trained.Network)
	a.Activation = cmp.Or(a.Activation, trained.Activation)
	if a.Drop == "" && a.Dropout > 0 {
		a.Drop = AllLayers
	}
	a.Drop = cmp.Or(a.Drop, NoLayers)
	if a.Hidden == nil {
		a.Hidden = trained.Hidden
	}
	if a.Hyperparameters == nil && a.Network == trained.Network {
		a.Hyperparameters = trained.Hyperparameters
	}
	a.Inputs = x.Shape()[1]
	a = a.withoutEncoding() // x may be other inputs than the trained network has
	a.Targets = cmp.Or(a.Targets, a.Outputs)
	n, err := LookupNetwork(a.Network)
	if err != nil {
		return n, a, err
	}
	if err := n.checkActivation(a.Activation); err != nil {
		return n, a, err
	}
	return n, a, a.Check(1, 1)
}

// buildInScope calls build in a scope of the graph, which decides the names and the values of parameters,
// and returns a network whose passes are built in this scope, too.
func buildInScope(b *graph.Builder, scope graph.Scope, build func() Forward) Forward {
	var network Forward
	b.Within(scope, func() { network = build() })
	return func(pass graph.Pass) *graph.Node {
		var outputs *graph.Node
		b.Within(scope, func() { outputs = network(pass) })
		return outputs
	}
}
