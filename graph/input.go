package graph

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorgonia.org/gorgonia"
)

// buffer is a node whose values come from outside: an input, a constant or a mask.
type buffer struct {
	name   string
	node   *Node
	size   int
	zero   bool      // stays 0: the gradient of a parameter that receives none
	fixed  []float64 // what it stays: a Constant
	asked  bool      // for its values, by whoever fills it
	single []float32
	double []float64
}

func (b *Builder) newBuffer(name string, rows, columns int) (*buffer, error) {
	if name == "" {
		return nil, errors.New("an input needs a name")
	}
	if rows < 1 || columns < 1 {
		return nil, fmt.Errorf("%q cannot be [%d %d]", name, rows, columns)
	}
	n := gorgonia.NewMatrix(b.graph, b.dtype, gorgonia.WithShape(rows, columns), gorgonia.WithName(name))
	return &buffer{name: name, node: n, size: rows * columns}, nil
}

// allocate makes the buffer's values, all 0, if it has none: whoever has asked
// for them fills them, whatever else is opened in the same graph.
func (f *buffer) allocate() any {
	switch {
	case f.node.Dtype() != Float64:
		if f.single == nil {
			f.single = make([]float32, f.size)
			for i, v := range f.fixed {
				f.single[i] = float32(v)
			}
		}
		return f.single
	case f.double == nil:
		f.double = make([]float64, f.size)
		copy(f.double, f.fixed)
	}
	return f.double
}

// filledOutside tells whether somebody has to fill it.
func (f *buffer) filledOutside() bool { return !f.zero && f.fixed == nil }

// Input returns a [rows, columns] matrix that is filled from outside before
// each run (Runner.Input). Names are unique in a graph.
func (b *Builder) Input(name string, rows, columns int) *Node {
	return b.apply("Input", nil, func() (*Node, error) {
		if b.filler != "" && !slices.Contains(b.filled, name) {
			return nil, fmt.Errorf("%s fills %s, and nothing fills %q: take numbers that stay from Const or Constant, numbers to learn from Param, random ones from Dropout's masks, Normal and Uniform",
				b.filler, strings.Join(b.filled, " and "), name)
		}
		return b.input(name, rows, columns)
	})
}

func (b *Builder) input(name string, rows, columns int) (*Node, error) {
	for _, have := range b.inputs {
		if have.name == name {
			return nil, fmt.Errorf("there is an input %q already", name)
		}
	}
	if b.nodes[name] != nil {
		return nil, fmt.Errorf("there is a parameter %q already", name)
	}
	in, err := b.newBuffer(name, rows, columns)
	if err != nil {
		return nil, err
	}
	b.inputs = append(b.inputs, in)
	return in.node, nil
}
