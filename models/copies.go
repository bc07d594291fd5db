package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// CopyCount returns the number of networks in the network: Copies, or 1 if the network has no copies.
func (a Architecture) CopyCount() int { return max(1, a.Copies) }

// OutputColumns returns the number of columns of the outputs of Spec.Forward: the outputs of all copies,
// side by side.
func (a Architecture) OutputColumns() int { return a.CopyCount() * a.Outputs }

// chooseCopies returns the number of copies that the user chose, or the network's default for 0. A network without
// copies is its single copy: chooseCopies returns 0 for it, and an error if more than one copy is chosen.
func (n Network) chooseCopies(chosen int) (int, error) {
	switch {
	case chosen == 0 || chosen == 1 && n.Copies == 0:
		return n.Copies, nil
	case n.Copies == 0:
		return 0, fmt.Errorf("network %s has no copies: want 1 copy instead of %d, or a network that has copies, such as tabm", n.Name, chosen)
	}
	return chosen, nil
}

// CopyOutputs returns the outputs of a copy, counted from 0, among the outputs o of all copies of a network.
func (a Architecture) CopyOutputs(o NetworkOutputs, index int) NetworkOutputs {
	if a.CopyCount() == 1 {
		return o
	}
	own := o
	own.Full = columnsOfCopy(a, o.Full, index)
	own.Mean = columnsOfCopy(a, o.Mean, index)
	own.Std = columnsOfCopy(a, o.Std, index)
	own.Draws = nil
	for _, draw := range o.Draws {
		own.Draws = append(own.Draws, columnsOfCopy(a, draw, index))
	}
	return own
}

// columnsOfCopy returns the columns of a copy, [rows, a.Outputs], among values [rows, a.OutputColumns()] of all
// copies.
func columnsOfCopy[F float32 | float64](a Architecture, values []F, index int) []F {
	var columns []F
	for start := index * a.Outputs; start < len(values); start += a.OutputColumns() {
		columns = append(columns, values[start:start+a.Outputs]...)
	}
	return columns
}

// rowForEachCopy returns x [rows, columns] with each row n times in succession, [n·rows, columns]. It returns x for
// n = 1.
func rowForEachCopy(b *graph.Builder, x *graph.Node, n int) *graph.Node {
	if n == 1 || b.Err() != nil {
		return x
	}
	rows, columns := x.Shape()[0], x.Shape()[1]
	sideBySide := b.Concat(slices.Repeat([]*graph.Node{x}, n)...)
	return b.Reshape(sideBySide, n*rows, columns)
}

// outputRows returns the passes of a network with the outputs of each copy in a row of their own: [rows, outputs]
// in place of [rows/copies, copies·outputs].
func (t *Task) outputRows(rows int, network Forward) Forward {
	if t.spec.Architecture.CopyCount() == 1 {
		return network
	}
	return func(pass graph.Pass) *graph.Node {
		return t.b.Reshape(network(pass), rows, t.spec.Architecture.Outputs)
	}
}
