package graph

import (
	"fmt"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/engine"
)

// Runner evaluates one graph again and again: fill the inputs, sample the
// masks, Run, read the outputs. It is used by one goroutine at a time.
type Runner struct {
	builder *Builder
	machine machine
	ready   bool // every input has been asked for
	pool    *Pool
}

// machine is what a Runner needs of an engine.
type machine interface {
	run() error
	rerun() error                  // nothing but masks has changed since the last run
	single(from, to int) []float32 // the numbers of outputs one after another
	double(from, to int) []float64 // the same of a float64 graph
	close() error
}

// NewRunner makes the outputs of a finished graph ready to run. It allocates
// inputs, which all runners of a builder share, and, for the first graph over
// them, parameters (all 0). The error is the builder's, if there is one.
func NewRunner(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, false)
}

// NewSampler is NewRunner for a graph that is evaluated many times with fresh
// masks and otherwise the same inputs and parameters: what masks do not reach
// is computed by Run and kept for later calls of Rerun.
func NewSampler(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, true)
}

func newRunner(e Engine, b *Builder, outputs Nodes, sampling bool) (r *Runner, err error) {
	if b.err != nil {
		return nil, b.err
	}
	what := fmt.Sprintf("preparing the graph for the %s engine", e)
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, Panicked(what, p)
		}
	}()
	if err := b.bind(); err != nil {
		return nil, err
	}
	if err := consistent(outputs); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	r = &Runner{builder: b}
	switch e {
	case Compiled:
		r.machine, err = newCompiled(b, outputs, sampling)
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
			if err := let(n, b.params.backing(i)); err != nil {
				return err
			}
		}
	}
	for _, in := range b.inputs {
		if err := let(in.node, in.allocate()); err != nil {
			return err
		}
	}
	for _, m := range b.masks {
		if err := let(m.node, m.allocate()); err != nil {
			return err
		}
	}
	return nil
}

// Inputs returns the names of the graph's inputs, in the order of their
// declaration. Masks are not among them.
func (r *Runner) Inputs() []string { return Inspect(r.builder).Inputs() }

// Input returns the values of the float32 input of that name, to be filled;
// nil if there is none. A run fails as long as an input has not been asked for.
func (r *Runner) Input(name string) []float32 {
	if in := r.input(name); in != nil {
		return in.single
	}
	return nil
}

// Input64 is Input for a float64 graph.
func (r *Runner) Input64(name string) []float64 {
	if in := r.input(name); in != nil {
		return in.double
	}
	return nil
}

func (r *Runner) input(name string) *buffer {
	for _, in := range r.builder.inputs {
		if in.name == name {
			in.asked = true
			return in
		}
	}
	return nil
}

// unfilled returns an error if there is an input that nobody has asked for: its
// zeros would be computed with.
func (r *Runner) unfilled() error {
	for _, in := range r.builder.inputs {
		if in.filledOutside() && !in.asked {
			return fmt.Errorf("nothing fills the input %q", in.name)
		}
	}
	r.ready = true
	return nil
}

// SampleMasks fills every mask of the graph.
func (r *Runner) SampleMasks(d MaskKey) {
	for _, m := range r.builder.masks {
		m.fill(d, r.pool)
	}
}

// Run computes the outputs from the present values of inputs, masks and
// parameters.
func (r *Runner) Run() (err error) {
	defer failed(&err)
	if !r.ready {
		if err := r.unfilled(); err != nil {
			return err
		}
	}
	return r.machine.run()
}

// Rerun computes the outputs again, after Run and with nothing changed
// since but the masks. The runner is one of NewSampler.
func (r *Runner) Rerun() (err error) {
	defer failed(&err)
	return r.machine.rerun()
}

// failed says of an error, or of a panic in someone's operation, where it
// happened.
func failed(err *error) {
	if r := recover(); r != nil {
		*err = Panicked("running the graph", r)
	} else if *err != nil {
		*err = fmt.Errorf("running the graph: %w", *err)
	}
}

// Output returns the values of float32 output i, row-major, until the next run.
func (r *Runner) Output(i int) []float32 { return r.Outputs(i, i+1) }

// Outputs returns the values of float32 outputs from, …, to−1 one after
// another, until the next run.
func (r *Runner) Outputs(from, to int) []float32 { return r.machine.single(from, to) }

// Output64 is Output for a float64 graph.
func (r *Runner) Output64(i int) []float64 { return r.machine.double(i, i+1) }

// Close releases what the engine holds.
func (r *Runner) Close() error { return r.machine.close() }

// compiled is the machine of the Compiled engine.
type compiled struct {
	*Program
	code32 *engine.Program[float32] // one of these is the program's code
	code64 *engine.Program[float64]
}

func newCompiled(b *Builder, outputs Nodes, sampling bool) (*compiled, error) {
	var masks Nodes
	for _, m := range b.masks {
		masks = append(masks, m.node)
	}
	p, err := compile(outputs, masks, sampling)
	if err != nil {
		return nil, err
	}
	c := &compiled{Program: p}
	c.code32, _ = p.code.(*engine.Program[float32])
	c.code64, _ = p.code.(*engine.Program[float64])
	return c, nil
}

func (c *compiled) run() error   { return c.code.Run() }
func (c *compiled) rerun() error { return c.code.Rerun() }
func (c *compiled) close() error { return c.Close() }

func (c *compiled) single(from, to int) []float32 {
	if c.code32 == nil {
		return nil
	}
	return c.code32.Outputs(from, to)
}

func (c *compiled) double(from, to int) []float64 {
	if c.code64 == nil {
		return nil
	}
	return c.code64.Outputs(from, to)
}
