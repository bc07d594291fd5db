package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// Forward puts the network on an input InputX of that many rows, for any method,
// and holds what it returns against what it is to return: see Spec.Forward.
func (n Network) Forward(b *graph.Builder, rows int, a Architecture) (Forward, error) {
	f, _, err := n.forward(b, rows, a, nil, nil)
	return f, err
}

// forward is Forward, with the input.
func (n Network) forward(b *graph.Builder, rows int, a Architecture, m *Method, said *penalties) (Forward, *graph.Node, error) {
	x := b.Input(InputX, rows, a.Inputs)
	f := n.on(b, x, a, m, said)
	return f, x, b.Err()
}

// on puts the network on an input that is there. What is wrong is the builder's
// error.
func (n Network) on(b *graph.Builder, x *graph.Node, a Architecture, m *Method, said *penalties) Forward {
	p := &passes{b: b, method: m, what: "network " + n.Name, a: a, x: x, said: said}
	if m != nil {
		p.what += " of method " + m.Name
	}
	if b.Err() != nil {
		return p.run
	}
	p.rows = x.Shape()[0]
	p.build(n)
	return p.run
}

// passes runs a network and holds what it returns against what it is to return.
type passes struct {
	b       *graph.Builder
	method  *Method // nil: any
	what    string
	a       Architecture
	x       *graph.Node
	rows    int
	forward Forward
	said    *penalties // nil: nobody asks
}

// build calls the network's Build. The builder fails if Build panics.
func (p *passes) build(n Network) {
	p.b.Fail(p.tryBuild(n))
}

// tryBuild calls the network's Build and turns a panic into an error.
func (p *passes) tryBuild(n Network) (err error) {
	defer graph.Recover(&err, p.what)
	a := p.a
	if a.Hyperparameters, err = n.Choose(a.Hyperparameters); err != nil {
		return err
	}
	a.Hidden = slices.Clone(a.Hidden) // so that a network that changes it leaves the spec as it is
	p.forward = n.Build(p.b, p.x, a)
	return nil
}

// run returns the outputs of a pass. If the builder has failed it returns a stand-in.
func (p *passes) run(pass graph.Pass) *graph.Node {
	out := p.call(pass)
	if out == nil {
		return p.b.Const(0)
	}
	return out
}

// call calls the network, checks its outputs and returns them. The builder fails if the network
// panics.
func (p *passes) call(pass graph.Pass) *graph.Node {
	out, err := p.tryCall(pass)
	p.b.Fail(err)
	return out
}

// tryCall calls the network, checks its outputs and turns a panic into an error.
func (p *passes) tryCall(pass graph.Pass) (out *graph.Node, err error) {
	defer graph.Recover(&err, p.what)
	if p.forward == nil {
		return nil, fmt.Errorf("%s is nil", p.what)
	}
	before := len(graph.Inspect(p.b).Penalties)
	graph.Inspect(p.b).RunPass(func() { out = p.forward(pass) })
	p.check(pass, out)
	p.said.add(graph.Inspect(p.b).Penalties[before:])
	return out, nil
}

func (p *passes) check(pass graph.Pass, out *graph.Node) {
	want := []int{p.rows, p.a.Outputs}
	switch {
	case p.b.Err() != nil:
	case out == nil:
		p.b.Fail(fmt.Errorf("%s returned nil, want %v: [rows outputs]", p.what, want))
	case out.Graph() != p.b.Graph():
		p.b.Fail(fmt.Errorf("%s returned a node of another graph", p.what))
	case !slices.Equal([]int(out.Shape()), want):
		p.b.Fail(fmt.Errorf("%s returned %v, want %v: [rows outputs], of which its Architecture.Outputs has %d", p.what, []int(out.Shape()), want, p.a.Outputs))
	default:
		draws := graph.Inspect(p.b).DrawsUsedBy(out, p.x)
		for _, d := range draws {
			switch {
			case d.Pass == graph.Full:
				p.b.Fail(fmt.Errorf("%s draws noise of no sub-network: give Builder.Normal and Uniform the pass that it is given, and no noise in the full network's", p.what))
			case d.Pass != pass:
				p.b.Fail(fmt.Errorf("%s drops units by the masks of another pass than it is given: Builder.Dropout takes that one, and so does Noise", p.what))
			case !d.Shared && d.Node.Shape()[0] != p.rows && !p.b.Training():
				p.b.Fail(fmt.Errorf("%s draws %v random numbers (%s) for %d rows: they follow from a row's number, so that predictions would depend on the rows beside. Drop units that are [rows …], after b.Reshape; for weights compare b.Uniform, of graph.Noise{Shared: true}, with the rate",
					p.what, []int(d.Node.Shape()), d.Kind, p.rows))
			}
		}
		if pass != graph.Full && draws == nil {
			p.undropped()
		}
	}
}

// undropped says what is wrong where a sub-network drops no unit, unless it is
// what the user chose: a rate of 0, no layers to drop in, no layers at all. A function after the
// training may add sub-networks with other weights.
func (p *passes) undropped() {
	switch {
	case p.method != nil && p.method.AfterTraining != nil:
	case p.a.Drop == NoLayers && p.method != nil && p.method.Drop == NoLayers:
		p.b.Fail(fmt.Errorf("method %s asks for a dropout sub-network, and drops no unit: set Drop, to models.AllLayers for instance, where it is registered", p.method.Name))
	case p.a.Drop != NoLayers && len(p.a.Hidden) > 0 && graph.DropsAt(p.a.Dropout):
		p.b.Fail(fmt.Errorf("%s drops no unit in a sub-network: it has to call Builder.Dropout, with the pass that it is given and the rate Architecture.Dropout", p.what))
	}
}
