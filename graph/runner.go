package graph

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Engine names what evaluates a graph.
type Engine string

// Tape is Gorgonia's tape machine, the reference.
const Tape Engine = "tape"

// Engines lists what Open knows, the default first.
func Engines() []Engine { return []Engine{Tape} }

// ParseEngine returns the engine of that name, the default for "".
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

// Runner evaluates one graph again and again: fill the inputs, Draw the
// masks, Run, read the outputs. It is used by one goroutine at a time.
type Runner struct {
	vm      gorgonia.VM
	builder *Builder
	outputs []output
}

// output is where a run leaves one of the requested values.
type output struct {
	value *gorgonia.Value
	size  int
	one   [1]float32 // where a scalar is handed out from
	one64 [1]float64
}

// Open makes the outputs of a finished graph ready to run. It allocates
// inputs and, for the first graph over them, parameters (all 0). The error is
// the builder's, if there is one.
func Open(engine Engine, b *Builder, outputs ...*Node) (r *Runner, err error) {
	if b.err != nil {
		return nil, b.err
	}
	if err := b.bind(); err != nil {
		return nil, err
	}
	r = &Runner{builder: b, outputs: make([]output, len(outputs))}
	building.Lock()
	defer building.Unlock()
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("preparing the graph for the %s engine: %v", engine, p)
		}
	}()
	for i, n := range outputs {
		r.outputs[i].size = max(1, n.Shape().TotalSize())
		r.outputs[i].value = new(gorgonia.Value)
	}
	switch engine {
	case Tape:
		for i, n := range outputs {
			if n.Op() == nil {
				*r.outputs[i].value = n.Value()
				continue
			}
			gorgonia.Read(n, r.outputs[i].value)
		}
		r.vm = gorgonia.NewTapeMachine(b.graph)
	default:
		_, err := ParseEngine(string(engine))
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

// Input returns the values of the float32 input of that name, to be filled;
// nil if there is none.
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
			return in
		}
	}
	return nil
}

// Inputs returns the names of the graph's inputs, in the order of their
// declaration. Masks are not among them.
func (r *Runner) Inputs() []string {
	var names []string
	for _, in := range r.builder.inputs {
		if !in.zero {
			names = append(names, in.name)
		}
	}
	return names
}

// Draw fills every mask of the graph.
func (r *Runner) Draw(d Draw) {
	for _, m := range r.builder.masks {
		m.fill(d)
	}
}

// Run computes the outputs from the present values of inputs, masks and
// parameters.
func (r *Runner) Run() error {
	defer r.vm.Reset()
	if err := r.vm.RunAll(); err != nil {
		return fmt.Errorf("running the graph: %w", err)
	}
	return nil
}

// Output returns the values of float32 output i, row-major, until the next run.
func (r *Runner) Output(i int) []float32 {
	out := &r.outputs[i]
	switch v := (*out.value).Data().(type) {
	case []float32:
		return v
	case float32:
		out.one[0] = v
	}
	return out.one[:]
}

// Output64 is Output for a float64 graph.
func (r *Runner) Output64(i int) []float64 {
	out := &r.outputs[i]
	switch v := (*out.value).Data().(type) {
	case []float64:
		return v
	case float64:
		out.one64[0] = v
	}
	return out.one64[:]
}

// Close releases what the engine holds.
func (r *Runner) Close() error { return r.vm.Close() }
