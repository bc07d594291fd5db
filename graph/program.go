package graph

import (
	"errors"
	"fmt"

	"sml/graph/internal/engine"
	"sml/graph/internal/pool"
	"sml/internal/kernels"
)

// Program is a compiled graph: a fixed list of kernel calls over one block of memory. It
// computes in float32 or in float64 and gives the numbers of Gorgonia's tape machine, up to
// rounding; docs/explanation/performance.md says how it is faster. An operation without a kernel runs
// through Gorgonia's own Do (see Fallbacks). Graphs are refused if they contain values of
// another type, such as booleans, or operations that Gorgonia computes otherwise than
// meant: on a vector [n] and a column [n 1] or a row, or on a recycled node.
//
// Every CPU gives the same bytes, with any kernels. The environment variable SML_KERNELS
// (avx512, avx2, portable) chooses the kernels.
type Program struct{ code code }

// code is a compiled program in one of the number types.
type code interface {
	Run() error
	Rerun() error
	Share(*pool.Pool) error
	Fallbacks() []string
	Instructions() []Step
	Profile(n int) ([]Step, error)
	Arena() (values, bytes int)
}

// Step is one call of a kernel in a Program: its name and the operations that are fused
// into it, sizes, its place in the program's memory, and its duration.
type Step = engine.Instruction

// Steps returns the steps of the program in order, without durations.
func (p *Program) Steps() []Step { return p.code.Instructions() }

// Profile runs the program n times and returns the steps with their shortest durations.
func (p *Program) Profile(n int) ([]Step, error) { return p.code.Profile(n) }

// Arena returns the number of values that share the program's one block of memory, and the
// block's size in bytes. Inputs, masks and parameters lie elsewhere.
func (p *Program) Arena() (values, bytes int) { return p.code.Arena() }

// Fallbacks returns the names of the operations that have no kernel and run through
// Gorgonia's own Do, one for each use.
func (p *Program) Fallbacks() []string { return p.code.Fallbacks() }

// compiled is the machine of the Compiled engine.
type compiled struct {
	program *Program
	code32  *engine.Program[float32] // the program's code, nil for Float64
	code64  *engine.Program[float64] // the program's code, nil for Float32
}

// compile compiles the outputs in their number type. If sampling is set, Rerun computes
// only the nodes that depend on masks.
func compile(outputs, masks Nodes, sampling bool) (*compiled, error) {
	if len(outputs) == 0 {
		return nil, errors.New("compiling a graph: there is no output")
	}
	if err := kernels.Err(); err != nil {
		return nil, err
	}
	c := new(compiled)
	var err error
	switch dtype := outputs[0].Dtype(); dtype {
	case Float32:
		c.code32, err = engine.Compile[float32](outputs, masks, sampling)
		c.program = &Program{c.code32}
	case Float64:
		c.code64, err = engine.Compile[float64](outputs, masks, sampling)
		c.program = &Program{c.code64}
	default:
		return nil, fmt.Errorf("compiling a graph: it computes in %v, want float32 or float64", dtype)
	}
	if err != nil {
		return nil, fmt.Errorf("compiling a graph: %w", err)
	}
	return c, nil
}

func (c *compiled) run() error   { return c.program.code.Run() }
func (c *compiled) rerun() error { return c.program.code.Rerun() }
func (c *compiled) close() error { return nil }

func (c *compiled) float32s(from, to int) []float32 {
	if c.code32 == nil {
		return nil
	}
	return c.code32.Outputs(from, to)
}

func (c *compiled) float64s(from, to int) []float64 {
	if c.code64 == nil {
		return nil
	}
	return c.code64.Outputs(from, to)
}
