package graph

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"sml/graph/internal/pool"
	"sml/internal/ops"
)

// Engine names a way to evaluate a graph.
type Engine string

const (
	Compiled Engine = "compiled" // this project's compiler, the default: see Program
	Tape     Engine = "tape"     // Gorgonia's tape machine, slower, a reference for tests
)

// Engines returns the engines, the default first.
func Engines() []Engine { return []Engine{Compiled, Tape} }

// ParseEngine returns the engine with the given name, or the default engine for "". The error for an
// unknown name lists the engines.
func ParseEngine(name string) (Engine, error) {
	if name == "" {
		return Engines()[0], nil
	}
	var names []string
	for _, e := range Engines() {
		if string(e) == name {
			return e, nil
		}
		names = append(names, string(e))
	}
	return "", fmt.Errorf("unknown engine %q; want one of %s", name, strings.Join(names, ", "))
}

// Runner evaluates one graph again and again. The caller fills the inputs (Input), draws the masks
// and noise if the graph has any (SampleMasks), calls Run, and reads the outputs (Output). Only one
// goroutine at a time may use a Runner, and only one Runner of a Builder at a time may run, since
// they share the inputs.
type Runner struct {
	builder       *Builder
	machine       machine
	inputsChecked bool  // whether checkInputs has succeeded
	pool          *Pool // nil if the goroutine that calls Run does all work
}

// machine evaluates a graph on one of the engines.
type machine interface {
	run() error
	rerun() error                    // like run, if only masks and noise have changed
	float32s(from, to int) []float32 // values of the outputs from, …, to−1, nil for float64
	float64s(from, to int) []float64 // values of the outputs from, …, to−1, nil for float32
	close() error
}

// NewRunner returns a runner that computes the outputs of a finished graph. It allocates the inputs,
// which all runners of a builder share, and the parameters, all 0, unless a graph over the same
// Params has done so. It returns the builder's error if there is one, or an error if Gorgonia
// would compute an output wrongly.
func NewRunner(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, false)
}

// NewSampler is NewRunner for a graph that is evaluated many times with new masks and noise but the
// same inputs and parameters. Run computes all nodes, and Rerun only those that depend on masks or
// noise.
func NewSampler(e Engine, b *Builder, outputs ...*Node) (*Runner, error) {
	return newRunner(e, b, outputs, true)
}

// newRunner returns a runner, which supports Rerun if sampling is true.
func newRunner(e Engine, b *Builder, outputs Nodes, sampling bool) (r *Runner, err error) {
	if b.err != nil {
		return nil, b.err
	}
	what := fmt.Sprintf("preparing the graph for the %s engine", e)
	defer Recover(&err, what)
	if err := b.setAllValues(); err != nil {
		return nil, err
	}
	if err := checkConsistent(outputs); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	r = &Runner{builder: b}
	switch e {
	case Compiled:
		masks, noise := b.randomNumbers()
		r.machine, err = compile(outputs, masks, noise, sampling)
	case Tape:
		r.machine = newTape(b, outputs)
	default:
		_, err = ParseEngine(string(e)) // the error that lists the engines
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// randomNumbers returns the nodes of all masks and of all noise.
func (b *Builder) randomNumbers() (masks, noise Nodes) {
	for _, random := range b.randomNodes {
		if random.kind == dropout {
			masks = append(masks, random.node)
		} else {
			noise = append(noise, random.node)
		}
	}
	return masks, noise
}

// setAllValues allocates the memory of inputs, masks and parameters unless another runner has done
// so, and makes it the values of their nodes: Gorgonia reads them there.
func (b *Builder) setAllValues() error {
	if err := b.params.Allocate(b.dtype); err != nil {
		return err
	}
	for i, p := range b.params.list {
		n := b.nodes[p.Name]
		if n == nil { // only other graphs have the parameter
			continue
		}
		if err := setValues(n, b.params.tensorData(i)); err != nil {
			return err
		}
	}
	for _, in := range b.inputs {
		if err := setValues(in.node, in.allocate()); err != nil {
			return err
		}
	}
	for _, random := range b.randomNodes {
		if err := setValues(random.node, random.allocate()); err != nil {
			return err
		}
	}
	return nil
}

// setValues makes numbers, a []float32 or []float64 and not a copy, the values of n.
func setValues(n *Node, numbers any) error {
	return gorgonia.Let(n, tensor.New(tensor.WithShape(n.Shape()...), tensor.WithBacking(numbers)))
}

// Inputs returns the names of the graph's inputs, in the order of their declaration. Masks and noise
// are not among them.
func (r *Runner) Inputs() []string { return Inspect(r.builder).Inputs() }

// Input returns the numbers of the input with the given name, row by row, for the caller to fill. It
// returns nil if the graph has no such input or computes in float64. Run fails until Input has been
// called for every input.
func (r *Runner) Input(name string) []float32 {
	in := r.requestInput(name)
	if in == nil {
		return nil
	}
	return in.float32s
}

// Input64 is Input for a graph that computes in float64.
func (r *Runner) Input64(name string) []float64 {
	in := r.requestInput(name)
	if in == nil {
		return nil
	}
	return in.float64s
}

// requestInput returns the input with the given name, or nil, and marks it as requested.
func (r *Runner) requestInput(name string) *inputNode {
	for _, in := range r.builder.inputs {
		if in.name == name {
			in.requested = true
			return in
		}
	}
	return nil
}

// checkInputs returns an error if an input was never requested: the run would compute with its
// zeros.
func (r *Runner) checkInputs() error {
	for _, in := range r.builder.inputs {
		if in.needsValues() && !in.requested {
			return fmt.Errorf("nothing fills the input %q", in.name)
		}
	}
	r.inputsChecked = true
	return nil
}

// SampleMasks draws all dropout masks and noise of the graph. The same key gives the same numbers.
func (r *Runner) SampleMasks(key MaskKey) {
	for _, random := range r.builder.randomNodes {
		random.sample(key, r.pool)
	}
}

// Run computes the outputs from the present values of inputs, masks, noise and parameters. It
// returns an error if an input was never requested, an operation fails or a function of Elementwise
// panics.
func (r *Runner) Run() (err error) {
	defer Recover(&err, runErrorPrefix)
	if !r.inputsChecked {
		if err := r.checkInputs(); err != nil {
			return wrapRunError(err)
		}
	}
	return wrapRunError(r.machine.run())
}

// Rerun computes the outputs again if only masks and noise have changed since the last Run. The
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

// Output returns the values of output i of NewRunner, row by row. The next run overwrites them. It
// returns nil for a graph that computes in float64.
func (r *Runner) Output(i int) []float32 { return r.Outputs(i, i+1) }

// Outputs returns the values of the outputs from, …, to−1, one output after another. The next run
// overwrites them. It returns nil for a graph that computes in float64.
func (r *Runner) Outputs(from, to int) []float32 { return r.machine.float32s(from, to) }

// Output64 is Output for a graph that computes in float64.
func (r *Runner) Output64(i int) []float64 { return r.machine.float64s(i, i+1) }

// Close releases the engine's memory.
func (r *Runner) Close() error { return r.machine.close() }

// UsePool lets the goroutines of a pool do parts of large calculations in Run and SampleMasks. Results
// do not depend on the pool. The Tape engine uses no pool in Run.
func (r *Runner) UsePool(p *Pool) error {
	r.pool = p
	if c, ok := r.machine.(*compiled); ok {
		return c.program.code.UsePool(p)
	}
	return nil
}

// Pool is a number of goroutines that share large calculations: see Runner.UsePool. Results do not
// depend on it, to the bit. Only one goroutine at a time may use a pool, and its user has to close
// it. A nil Pool does all work on the caller's goroutine.
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
	values []*gorgonia.Value // values of the outputs, which the machine sets in each run
}

// newTape returns a machine that computes the outputs.
func newTape(b *Builder, outputs Nodes) *tape {
	t := new(tape)
	for _, n := range outputs {
		value := new(gorgonia.Value)
		if n.Op() == nil { // an input or a parameter, which the machine does not compute
			*value = n.Value()
		} else {
			gorgonia.Read(n, value) // the machine sets value at each run
		}
		t.values = append(t.values, value)
	}
	keepViews(b.graph)
	t.vm = gorgonia.NewTapeMachine(b.graph)
	return t
}

// keepViews keeps the tape machine from writing over memory that two nodes share. The machine writes
// the result of an operation over an operand that no later operation reads, and does not know that a
// view, such as a repeated row in another shape, still needs that memory. A node that is read at the
// end of a run is never written over.
func keepViews(g *gorgonia.ExprGraph) {
	for _, n := range g.AllNodes() {
		if !ops.MayBeView(n) {
			continue
		}
		gorgonia.Read(n, new(gorgonia.Value))
		if x := Operands(n)[0]; x.Op() != nil { // the machine never writes over inputs
			gorgonia.Read(x, new(gorgonia.Value))
		}
	}
}

// run computes the outputs, and then resets the machine for the next run.
func (t *tape) run() error {
	defer t.vm.Reset()
	return t.vm.RunAll()
}

// rerun computes all nodes, also those that do not depend on masks.
func (t *tape) rerun() error { return t.run() }

// float32s returns the values of float32 outputs.
func (t *tape) float32s(from, to int) []float32 { return concatenate[float32](t.values[from:to]) }

// float64s returns the values of float64 outputs.
func (t *tape) float64s(from, to int) []float64 { return concatenate[float64](t.values[from:to]) }

// concatenate returns the numbers of values, one value after another.
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

// close releases the memory of the tape machine.
func (t *tape) close() error { return t.vm.Close() }
