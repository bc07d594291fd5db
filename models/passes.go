package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// passes runs a method's network and holds what it returns against what it is
// to return.
type passes struct {
	b       *graph.Builder
	method  Method
	a       Architecture
	rows    int
	forward Forward
}

func (p *passes) run(pass graph.Pass) (out *graph.Node) {
	p.b.WithLock(func() {
		defer func() {
			if r := recover(); r != nil && p.b.Err() == nil {
				p.b.Fail(graph.Panicked("the network of method "+p.method.Name, r))
			}
		}()
		if p.forward == nil {
			p.b.Fail(fmt.Errorf("the network of method %s is nil", p.method.Name))
			return
		}
		out = p.forward(pass)
		p.check(pass, out)
	})
	if out == nil { // the builder has failed, and keeps its error
		out = p.b.Const(0)
	}
	return out
}

func (p *passes) check(pass graph.Pass, out *graph.Node) {
	name, want := p.method.Name, []int{p.rows, p.a.Outputs}
	switch {
	case p.b.Err() != nil:
	case out == nil:
		p.b.Fail(fmt.Errorf("the network of method %s returned nil, want %v: [rows outputs]", name, want))
	case out.Graph() != p.b.Graph():
		p.b.Fail(fmt.Errorf("the network of method %s returned a node of another graph", name))
	case !slices.Equal([]int(out.Shape()), want):
		p.b.Fail(fmt.Errorf("the network of method %s returned %v, want %v: [rows outputs], of which its Architecture.Outputs has %d", name, []int(out.Shape()), want, p.a.Outputs))
	default:
		masks := p.b.Masked(out)
		for _, other := range masks {
			if other != pass {
				p.b.Fail(fmt.Errorf("the network of method %s drops units by the masks of another pass than it is given: Builder.Dropout takes that one", name))
			}
		}
		if pass != graph.Full && masks == nil {
			p.undropped()
		}
	}
}

// undropped says what is wrong where a sub-network drops no unit, unless it is
// what the user chose: a rate of 0, no layers to drop in, no layers at all.
func (p *passes) undropped() {
	name := p.method.Name
	switch {
	case p.a.Drop == NoLayers && p.method.Drop == NoLayers:
		p.b.Fail(fmt.Errorf("method %s asks for a dropout sub-network, and drops no unit: set Drop, to models.AllLayers for instance, where it is registered", name))
	case p.a.Drop != NoLayers && len(p.a.Hidden) > 0 && graph.DropsAt(p.a.Dropout):
		p.b.Fail(fmt.Errorf("the network of method %s drops no unit in a sub-network: it has to call Builder.Dropout, with the pass that it is given and the rate Architecture.Dropout", name))
	}
}
