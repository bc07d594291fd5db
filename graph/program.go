package graph

import (
	"errors"
	"fmt"

	"sml/graph/internal/engine"
	"sml/graph/internal/pool"
	"sml/internal/kernels"
)

// Program is a compiled graph: a fixed list of kernel calls over one block of memory. It computes in
// float32 or in float64, and its results are those of Gorgonia's tape machine, up to rounding. An
// operation without a kernel runs through Gorgonia's own Do: see Fallbacks.
//
// Every CPU gives the same bytes, with any kernels. The environment variable SML_KERNELS (avx512,
// avx2, neon or portable) chooses the kernels. A graph does not compile if it has values of another type,
// such as booleans, or operations that Gorgonia computes wrongly: on a vector [n] and a column
// [n 1] or a row [1 n], or on a node that Gorgonia has recycled.
type Program struct{ code code }

// code is a compiled program in float32 or in float64.
type code interface {
	Run() error
	Rerun() error
	UsePool(*pool.Pool) error
	Fallbacks() []string
	Loops() []string
	Instructions() []Instruction
	Profile(n int) ([]Instruction, error)
	Arena() (values, bytes int)
}

// Instruction is one call of a kernel in a Program, with its name, the operations that are fused into it, its
// sizes, its place in the program's memory and its duration.
type Instruction = engine.Instruction

// Instructions returns the instructions of the program in order, without durations.
func (p *Program) Instructions() []Instruction { return p.code.Instructions() }

// Profile runs the program n times and returns its instructions with their shortest durations.
func (p *Program) Profile(n int) ([]Instruction, error) { return p.code.Profile(n) }

// Arena returns the number of values that share the program's one block of memory, and the
// block's size in bytes. Inputs, masks and parameters lie elsewhere.
func (p *Program) Arena() (values, bytes int) { return p.code.Arena() }

// Fallbacks returns the names of the operations without a kernel, which run through Gorgonia's own
// Do: one name for each use.
func (p *Program) Fallbacks() []string { return p.code.Fallbacks() }

// Loops returns the names of the elementwise operations without vector kernels, which a loop in Go
// computes: one name for each use.
func (p *Program) Loops() []string { return p.code.Loops() }

// compiled is the machine of the Compiled engine.
type compiled struct {
	program *Program
	code32  *engine.Program[float32] // code of the program, nil for Float64
	code64  *engine.Program[float64] // code of the program, nil for Float32
}

// compile compiles the graph of outputs in their number type. If sampling is true, rerun computes only
// the nodes that depend on masks or noise. It returns an error if there is no output, the CPU lacks the chosen
// kernels, or the graph has values that are not numbers.
func compile(outputs, masks, noise Nodes, sampling bool) (*compiled, error) {
	if len(outputs) == 0 {
		return nil, errors.New("compiling a graph: there is no output")
	}
	if err := kernels.EnvironmentErr(); err != nil {
		return nil, err
	}
	c := new(compiled)
	var err error
	switch dtype := outputs[0].Dtype(); dtype {
	case Float32:
		c.code32, err = engine.Compile[float32](outputs, masks, noise, sampling)
		c.program = &Program{code: c.code32}
	case Float64:
		c.code64, err = engine.Compile[float64](outputs, masks, noise, sampling)
		c.program = &Program{code: c.code64}
	default:
		return nil, fmt.Errorf("compiling a graph: it computes in %v, want float32 or float64", dtype)
	}
	if err != nil {
		return nil, fmt.Errorf("compiling a graph: %w", err)
	}
	return c, nil
}

// run computes the outputs.
func (c *compiled) run() error { return c.program.code.Run() }

// rerun computes the nodes that depend on masks or noise.
func (c *compiled) rerun() error { return c.program.code.Rerun() }

// close does nothing: the memory of a program is collected.
func (c *compiled) close() error { return nil }

// float32s returns the values of the outputs from, …, to−1, nil for Float64.
func (c *compiled) float32s(from, to int) []float32 {
	if c.code32 == nil {
		return nil
	}
	return c.code32.Outputs(from, to)
}

// float64s returns the values of the outputs from, …, to−1, nil for Float32.
func (c *compiled) float64s(from, to int) []float64 {
	if c.code64 == nil {
		return nil
	}
	return c.code64.Outputs(from, to)
}
