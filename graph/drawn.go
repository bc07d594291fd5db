package graph

import "slices"

// Draw says what SampleMasks fills a node with.
type Draw struct {
	Node    *Node
	Pass    Pass    // that it belongs to; Full: noise of no sub-network
	Kind    string  // dropout, normal or uniform
	Network string  // prefix of the network that it belongs to, "" for the first
	Layer   int     // of Dropout, or the stream of noise
	Keep    float64 // of dropout: the probability of 1/Keep, elsewhere 0
	Shared  bool    // noise that is not of rows
}

// Draws says it of the masks and noise of Drawn, in its order.
func (b *Builder) Draws() []Draw {
	var draws []Draw
	for _, m := range b.masks {
		d := Draw{Node: m.node, Pass: Pass(m.stream >> 8), Kind: m.kind, Network: m.scope, Layer: int(m.stream & 255), Shared: m.shared}
		if m.kind == dropout {
			d.Keep = float64(m.threshold) / levels
		}
		draws = append(draws, d)
	}
	return draws
}

// DrawsOf lists the masks and noise that n is computed from, between it and the nodes
// from, behind which it does not look; nor behind what buffers were updated to, which is
// what a later pass finds.
func (b *Builder) DrawsOf(n *Node, from ...*Node) []Draw {
	for _, u := range b.updates {
		from = append(from, u.value)
	}
	dependencies := dependencies(n, from...)
	return slices.DeleteFunc(b.Draws(), func(d Draw) bool { return !slices.Contains(dependencies, d.Node) })
}

// Numbers returns the numbers of a Constant, or of a gradient that is always zero, row
// by row; nil of any other node.
func (b *Builder) Numbers(n *Node) []float64 {
	for _, in := range b.inputs {
		switch {
		case in.node != n:
		case in.fixed != nil:
			return in.fixed
		case in.zero:
			return make([]float64, in.size)
		}
	}
	return nil
}
