package graph

import (
	"strings"

	"sml/graph/internal/ops"
)

// Role says what a node of a Builder's graph stands for.
type Role uint8

const (
	Operation Role = iota
	Constant       // a number, or the zero gradient of a parameter
	Parameter
	Input
	Mask
	Stop // a StopGradient
)

// Role returns what n stands for, and its name where it is a parameter, an
// input, or a mask ("sub-network 0, layer 1").
func (b *Builder) Role(n *Node) (role Role, name string) {
	for _, p := range b.params.list {
		if b.nodes[p.Name] == n {
			return Parameter, p.Name
		}
	}
	for _, in := range b.inputs {
		switch {
		case in.node != n:
		case in.zero:
			return Constant, in.name
		default:
			return Input, in.name
		}
	}
	for _, m := range b.masks {
		if m.node == n && m.kind != dropout {
			return Input, m.name
		} else if m.node == n {
			return Mask, strings.TrimPrefix(m.name, "mask of ")
		}
	}
	switch ops.Of(n).Kind {
	case ops.None:
		return Input, n.Name() // of plain Gorgonia
	case ops.Stopped:
		return Stop, ""
	case ops.Scalar:
		return Constant, ""
	}
	return Operation, ""
}
