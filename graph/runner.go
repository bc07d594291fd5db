package graph

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/pool"
)

// Engine names a way to evaluate a graph.
type Engine string

const (
	Compiled Engine = "compiled" // a compiled Program, the default
	Tape     Engine = "tape"     // Gorgonia's tape machine, the reference
)

// Engines returns the engines, the default first.
func Engines() []Engine { return []Engine{Compiled, Tape} }

// ParseEngine returns the engine with that name, or the default for "".
func ParseEngine(name string) (Engine, error) {
	if name == "" {
		return Engines()[0], nil
	}
	var known []string
	for _, e := range Engines() {
		if string(e) == name {
			return e, nil
		}
		known = append(known, string(e))
	}
	return "", fmt.Errorf("unknown engine %q: there is %s", name, strings.Join(known, ", "))
}

// Runner evaluates one graph again and again: fill the inputs, sample the masks, Run, read
// the outputs. Only one goroutine at a time may use it.
type Runner struct {
	builder *Builder
	machine machine
	ready   bool // every input has been asked for
	pool    *Pool
}

// machine evaluates a graph on one of the engines.
type machine interface {
	run() error
	rerun() error                    // run after changes of masks alone
	float32s(from, to int) []float32 // values of float32 outputs from, …, to−1
	float64s(from, to int) []float64 // values of float64 outputs from, …, to−1
	close() error
}

// NewRunner makes the outputs of a finished graph ready to run. It allocates the inputs,
// which all runners of a builder share, and, for the first graph over them, the parameters
// (all 0). It returns the builder's error if there is one.
func NewRunner(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, false)
}

// NewSampler is NewRunner for a graph that is evaluated many times with fresh masks and
// otherwise unchanged inputs and parameters. Run computes everything, and Rerun only the
// nodes that depend on masks.
func NewSampler(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, true)
}

// newRunner is NewRunner, or NewSampler if sampling is set.
func newRunner(e Engine, b *Builder, outputs Nodes, sampling bool) (r *Runner, err error) {
	if b.err != nil {
		return nil, b.err
	}
	what := fmt.Sprintf("preparing the graph for the %s engine", e)
	defer Recover(&err, what)
	if err := b.bind(); err != nil {
		return nil, err
	}
	if err := checkConsistent(outputs); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	r = &Runner{builder: b}
	switch e {
	case Compiled:
		r.machine, err = compile(outputs, b.drawnNodes(), sampling)
	case Tape:
		r.machine = newTape(b, outputs)
	default:
		_, err = ParseEngine(string(e))
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// drawnNodes returns the nodes of all masks and noise.
func (b *Builder) drawnNodes() Nodes {
	var nodes Nodes
	for _, m := range b.randomNodes {
		nodes = append(nodes, m.node)
	}
	return nodes
}

// bind gives inputs, masks and parameters their memory.
func (b *Builder) bind() error {
	if err := b.params.Allocate(b.dtype); err != nil {
		return err
	}
	let := func(n *Node, backing any) error {
		return gorgonia.Let(n, tensor.New(tensor.WithShape(n.Shape()...), tensor.WithBacking(backing)))
	}
	for i, p := range b.params.list {
		if n := b.nodes[p.Name]; n != nil {
			if err := let(n, b.params.tensorData(i)); err != nil {
				return err
			}
		}
	}
	for _, in := range b.inputs {
		if err := let(in.node, in.allocate()); err != nil {
			return err
		}
	}
	for _, m := range b.randomNodes {
		if err := let(m.node, m.allocate()); err != nil {
			return err
		}
	}
	return nil
}

// Inputs returns the names of the graph's inputs, in the order of their declaration. Masks
// are not among them.
func (r *Runner) Inputs() []string { return Inspect(r.builder).Inputs() }

// Input returns the values of the float32 input with that name, to be filled, or nil if
// there is none. Run fails until each input has been asked for.
func (r *Runner) Input(name string) []float32 {
	if in := r.input(name); in != nil {
		return in.float32s
	}
	return nil
}

// Input64 is Input for a float64 graph.
func (r *Runner) Input64(name string) []float64 {
	if in := r.input(name); in != nil {
		return in.float64s
	}
	return nil
}

// input returns the buffer of an input and marks it as asked for.
func (r *Runner) input(name string) *inputNode {
	for _, in := range r.builder.inputs {
		if in.name == name {
			in.requested = true
			return in
		}
	}
	return nil
}

// checkFilled returns an error if nobody has asked for an input: the run would compute with
// its zeros.
func (r *Runner) checkFilled() error {
	for _, in := range r.builder.inputs {
		if in.needsValues() && !in.requested {
			return fmt.Errorf("nothing fills the input %q", in.name)
		}
	}
	r.ready = true
	return nil
}

// SampleMasks draws the numbers of every mask and all noise of the graph.
func (r *Runner) SampleMasks(d MaskKey) {
	for _, m := range r.builder.randomNodes {
		m.sample(d, r.pool)
	}
}

// Run computes the outputs from the present values of inputs, masks and parameters.
func (r *Runner) Run() (err error) {
	defer Recover(&err, runErrorPrefix)
	if !r.ready {
		if err := r.checkFilled(); err != nil {
			return wrapRunError(err)
		}
	}
	return wrapRunError(r.machine.run())
}

// Rerun computes the outputs again, after a Run since which only masks have changed. The
// runner must come from NewSampler.
func (r *Runner) Rerun() (err error) {
	defer Recover(&err, runErrorPrefix)
	return wrapRunError(r.machine.rerun())
}

// runErrorPrefix is the beginning of the errors of a run.
const runErrorPrefix = "running the graph"

// wrapRunError adds to an error that it happened in a run.
func wrapRunError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", runErrorPrefix, err)
}

// Output returns the values of float32 output i, row by row. The next run overwrites them.
func (r *Runner) Output(i int) []float32 { return r.Outputs(i, i+1) }

// Outputs returns the values of the float32 outputs from, …, to−1, one after another. The
// next run overwrites them.
func (r *Runner) Outputs(from, to int) []float32 { return r.machine.float32s(from, to) }

// Output64 is Output for a float64 graph.
func (r *Runner) Output64(i int) []float64 { return r.machine.float64s(i, i+1) }

// Close releases the engine's memory.
func (r *Runner) Close() error { return r.machine.close() }

// Share lets a pool do parts of large steps in Run and SampleMasks. The Tape engine uses
// no pools.
func (r *Runner) Share(p *Pool) error {
	r.pool = p
	if c, ok := r.machine.(*compiled); ok {
		return c.program.code.Share(p)
	}
	return nil
}

// Pool is a number of goroutines that do parts of large steps: see Runner.Share. Results do
// not depend on it, to the bit. Only one goroutine at a time may use a pool, and it has to
// be closed. A nil Pool does all work on the caller's goroutine.
type Pool = pool.Pool

// NewPool returns a pool of that many goroutines, including the caller's, or nil for fewer
// than two.
func NewPool(threads int) *Pool { return pool.New(threads) }

// Program returns the compiled program of the graph, or nil for the Tape engine.
func (r *Runner) Program() *Program {
	if c, ok := r.machine.(*compiled); ok {
		return c.program
	}
	return nil
}

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

func (t *tape) float32s(from, to int) []float32 { return concatenate[float32](t.values[from:to]) }

func (t *tape) float64s(from, to int) []float64 { return concatenate[float64](t.values[from:to]) }

// collect returns the numbers of values, one after another.
func concatenate[T float32 | float64](values []*gorgonia.Value) []T {
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
