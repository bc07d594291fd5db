package graph

import (
	"errors"
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/engine"
	"sml/graph/internal/kernels"
	"sml/graph/internal/pool"
)

// Program is a compiled graph: a fixed list of kernel calls over one block of
// memory. It takes a graph of Gorgonia that computes in float32 or in float64, one
// of the two throughout, and gives the numbers that Gorgonia's tape machine gives,
// up to rounding; see docs/performance.md for what it does to be faster. An
// operation that is not known runs through Gorgonia's own Do (see Fallbacks). Refused
// are graphs that Gorgonia builds and computes otherwise than meant, in which a
// vector [n] meets a column [n 1] or a row, or a recycled node is used, and those
// with values of another type, such as booleans. It implements gorgonia.VM.
//
// Every CPU gives the same bytes, whichever kernels it runs. The environment
// variable SML_KERNELS (avx512, avx2, portable) forces some.
type Program struct {
	code    code
	outputs []boundOutput
}

var _ gorgonia.VM = (*Program)(nil)

// code is a program of either number type.
type code interface {
	Run() error
	Rerun() error
	Share(*pool.Pool) error
	Fallbacks() []string
	String() string
	profiler
}

// boundOutput is an output node and the value that a run binds it to.
type boundOutput struct {
	node  *Node
	value gorgonia.Value
	read  func() float64 // what a scalar's value is to be
}

// Kernels names the kernels that programs run: avx512, avx2 or portable.
func Kernels() string { return kernels.Path() }

// Compile compiles what the outputs need. After RunAll, n.Value() of an output
// n is its value, overwritten by the next run. Inputs are read from the values
// that their nodes are bound to when a run starts. Gradients are outputs like
// others: the nodes that gorgonia.Grad returns.
func Compile(outputs ...*Node) (*Program, error) {
	if err := consistent(outputs); err != nil {
		return nil, fmt.Errorf("compiling a graph: %w", err)
	}
	return compile(outputs, nil, false)
}

func compile(outputs, masks Nodes, sampling bool) (*Program, error) {
	if len(outputs) == 0 {
		return nil, errors.New("compiling a graph: there is no output")
	}
	if err := kernels.Err(); err != nil {
		return nil, err
	}
	switch dtype := outputs[0].Dtype(); dtype {
	case Float32:
		return compileTo[float32](outputs, masks, sampling)
	case Float64:
		return compileTo[float64](outputs, masks, sampling)
	default:
		return nil, fmt.Errorf("compiling a graph: it computes in %v, want float32 or float64", dtype)
	}
}

func compileTo[T float32 | float64](outputs, masks Nodes, sampling bool) (*Program, error) {
	c, err := engine.Compile[T](outputs, masks, sampling)
	if err != nil {
		return nil, fmt.Errorf("compiling a graph: %w", err)
	}
	p := &Program{code: c}
	for i, n := range outputs {
		if n.Op() == nil {
			continue // an input keeps the value it has
		}
		memory := c.Output(i)
		out := boundOutput{node: n}
		switch {
		case !n.IsScalar():
			out.value = tensor.New(tensor.WithShape(n.Shape()...), tensor.WithBacking(memory))
		case n.Dtype() == Float32:
			out.value = gorgonia.NewF32(0)
		default:
			out.value = gorgonia.NewF64(0)
		}
		out.read = func() float64 { return float64(memory[0]) }
		p.outputs = append(p.outputs, out)
	}
	return p, nil
}

// RunAll computes all outputs.
func (p *Program) RunAll() error {
	if err := p.code.Run(); err != nil {
		return err
	}
	for _, out := range p.outputs {
		switch s := out.value.(type) {
		case *gorgonia.F32:
			*s = gorgonia.F32(out.read())
		case *gorgonia.F64:
			*s = gorgonia.F64(out.read())
		}
		if out.node.Value() == out.value {
			continue
		}
		// The first run, or another program has bound the node since.
		if err := gorgonia.UnsafeLet(out.node, out.value); err != nil {
			return err
		}
	}
	return nil
}

// Reset does nothing: a program is ready to run at any time.
func (p *Program) Reset() {}

// Close does nothing.
func (p *Program) Close() error { return nil }

// Fallbacks names the operations that are not known and run through
// Gorgonia's own Do, one for each time they occur.
func (p *Program) Fallbacks() []string { return p.code.Fallbacks() }

// String lists the program's steps, a line each.
func (p *Program) String() string { return p.code.String() }
