package graph

import (
	"sml/graph/internal/engine"
)

// Step is one call of a kernel in a Program: its name with what is fused into
// it, sizes, its place in the program's memory, and the time that it took.
type Step = engine.Step

// profiler is what tells about a program.
type profiler interface {
	Steps() []Step
	Profile(n int) ([]Step, error)
	Arena() (values, bytes int)
}

// Steps lists what the program runs, in order, without times.
func (p *Program) Steps() []Step { return p.code.Steps() }

// Profile runs the program n times and returns the steps with the shortest
// time of each.
func (p *Program) Profile(n int) ([]Step, error) { return p.code.Profile(n) }

// Arena returns the number of values that share the program's one block of
// memory, and its size in bytes. Inputs, masks and parameters lie elsewhere.
func (p *Program) Arena() (values, bytes int) { return p.code.Arena() }

// Program returns what the Compiled engine made of the graph, nil for the
// Tape engine.
func (r *Runner) Program() *Program {
	if c, ok := r.machine.(*compiled); ok {
		return c.Program
	}
	return nil
}
