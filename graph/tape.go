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

func (t *tape) redraw() error { return t.run() }

func (t *tape) outputs(from, to int) any {
	var single []float32
	var double []float64
	for _, v := range t.values[from:to] {
		switch data := (*v).Data().(type) {
		case float32:
			single = append(single, data)
		case []float32:
			single = append(single, data...)
		case float64:
			double = append(double, data)
		case []float64:
			double = append(double, data...)
		}
	}
	if len(double) > 0 {
		return double
	}
	return single
}

func (t *tape) close() error { return t.vm.Close() }
