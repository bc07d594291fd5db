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

// Program is a compiled graph: a fixed list of kernel calls over one block of memory. It
// computes in float32 or in float64 and gives the numbers of Gorgonia's tape machine, up to
// rounding; docs/performance.md says how it is faster. An operation without a kernel runs
// through Gorgonia's own Do (see Fallbacks). Graphs are refused if they contain values of
// another type, such as booleans, or operations that Gorgonia computes otherwise than
// meant: on a vector [n] and a column [n 1] or a row, or on a recycled node.
//
// Every CPU gives the same bytes, with any kernels. The environment variable SML_KERNELS
// (avx512, avx2, portable) chooses the kernels.
type Program struct {
	code    code
	outputs []boundOutput
}

var _ gorgonia.VM = (*Program)(nil)

// code is a compiled program in one of the number types.
type code interface {
	Run() error
	Rerun() error
	Share(*pool.Pool) error
	Fallbacks() []string
	String() string
	profiler
}

// boundOutput is an output node and the value that a run binds to it.
type boundOutput struct {
	node  *Node
	value gorgonia.Value
	read  func() float64 // returns the value of a scalar
}

// Kernels returns the name of the kernels that programs run: avx512, avx2 or portable.
func Kernels() string { return kernels.Path() }

// Compile compiles the operations behind outputs. After RunAll, n.Value() of an output n is
// its value, which the next run overwrites. Inputs are read from the values that are bound
// to their nodes when a run starts.
func Compile(outputs ...*Node) (*Program, error) {
	if err := checkConsistent(outputs); err != nil {
		return nil, fmt.Errorf("compiling a graph: %w", err)
	}
	return compile(outputs, nil, false)
}

// compile compiles outputs in their number type. If sampling is set, masks are the nodes
// whose changes Rerun follows.
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

// compileTo is compile for the number type T.
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
		// This is the first run, or another program has bound the node since.
		if err := gorgonia.UnsafeLet(out.node, out.value); err != nil {
			return err
		}
	}
	return nil
}

// Reset does nothing: a program is always ready to run.
func (p *Program) Reset() {}

// Close does nothing.
func (p *Program) Close() error { return nil }

// Fallbacks returns the names of the operations that have no kernel and run through
// Gorgonia's own Do, one for each use.
func (p *Program) Fallbacks() []string { return p.code.Fallbacks() }

// String returns the program's steps, one per line.
func (p *Program) String() string { return p.code.String() }

// Step is one call of a kernel in a Program: its name and the operations that are fused
// into it, sizes, its place in the program's memory, and its duration.
type Step = engine.Step

// profiler tells about a program.
type profiler interface {
	Steps() []Step
	Profile(n int) ([]Step, error)
	Arena() (values, bytes int)
}

// Steps returns the steps of the program in order, without durations.
func (p *Program) Steps() []Step { return p.code.Steps() }

// Profile runs the program n times and returns the steps with their shortest durations.
func (p *Program) Profile(n int) ([]Step, error) { return p.code.Profile(n) }

// Arena returns the number of values that share the program's one block of memory, and the
// block's size in bytes. Inputs, masks and parameters lie elsewhere.
func (p *Program) Arena() (values, bytes int) { return p.code.Arena() }
