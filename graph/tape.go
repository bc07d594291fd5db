package graph

import (
	"gorgonia.org/gorgonia"
)

// tape is the machine of the Tape engine.
type tape struct {
	vm     gorgonia.VM
	values []*gorgonia.Value
}

func newTape(b *Builder, outputs Nodes) *tape {
	t := new(tape)
	for _, n := range outputs {
		value := new(gorgonia.Value)
		if n.Op() == nil {
			*value = n.Value()
		} else {
			gorgonia.Read(n, value)
		}
		t.values = append(t.values, value)
	}
	t.vm = gorgonia.NewTapeMachine(b.graph)
	return t
}

func (t *tape) run() error {
	defer t.vm.Reset()
	return t.vm.RunAll()
}

func (t *tape) rerun() error { return t.run() }

func (t *tape) single(from, to int) []float32 { return collect[float32](t.values[from:to]) }
func (t *tape) double(from, to int) []float64 { return collect[float64](t.values[from:to]) }

// collect puts the numbers of values one after another.
func collect[T float32 | float64](values []*gorgonia.Value) []T {
	var all []T
	for _, v := range values {
		switch data := (*v).Data().(type) {
		case T:
			all = append(all, data)
		case []T:
			all = append(all, data...)
		}
	}
	return all
}

func (t *tape) close() error { return t.vm.Close() }
