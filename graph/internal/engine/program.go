package engine

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/pool"
	"sml/internal/ops"
)

// Program is a compiled graph that computes in T. It is not safe for concurrent use.
type Program[T float] struct {
	order        []*value // values to compute, operands first
	outputs      []*value
	inputs       []*value
	firstDynamic int // index in order of the first value that depends on random numbers; 0 without sampling
	fallbacks    []string
	loops        []string

	arena        []T                       // memory of all computed values, which share it over time
	memory       map[*value][]T            // memory of inputs and constants
	boundValues  map[*value]gorgonia.Value // value of each input's node when its memory was taken
	copiedInputs []*value                  // inputs whose memory is a copy of their value's numbers

	instructions            []instruction // one for each value of order
	firstDynamicInstruction int           // index of the first instruction that depends on random numbers; 0 without sampling
	runInstructions         []instruction // what Run executes: instructions, combined into chains and shared
	rerunInstructions       []instruction // what Rerun executes: the part of runInstructions that depends on random numbers

	err   error      // first error of the current run
	pool  *pool.Pool // nil for one goroutine
	sizes PartSizes
}

// Compile compiles the part of a graph that the outputs need. masks are the graph's dropout
// masks, which have no negative number, and noise its other random numbers. With sampling, Rerun
// computes only the values that depend on either. Compile returns an error if the graph is
// inconsistent, contains values of another type than T, or has an input without a value.
func Compile[T float](outputs, masks, noise gorgonia.Nodes, sampling bool) (*Program[T], error) {
	values, err := readOutputs[T](outputs, masks, noise)
	if err != nil {
		return nil, err
	}
	p := &Program[T]{
		boundValues: make(map[*value]gorgonia.Value),
		memory:      make(map[*value][]T),
		sizes:       Parts,
	}
	p.outputs = giveOutputsMemory(fuse(values, sampling))
	p.order, p.firstDynamic = schedule(p.outputs, sampling)
	for _, v := range withOperands(p.outputs) {
		switch v.kind {
		case kindInput:
			p.inputs = append(p.inputs, v)
		case kindConstant:
			p.memory[v] = []T{T(v.number)}
		case kindFallback:
			p.fallbacks = append(p.fallbacks, v.node.Op().String())
		case kindFunction:
			p.loops = append(p.loops, v.function.Name)
		case kindUnary:
			if !v.unaryOp.Vector() {
				p.loops = append(p.loops, ops.EntryOfUnaryKernel(v.unaryOp).Name)
			}
		case kindBinary:
			if !v.binaryOp.Vector() {
				p.loops = append(p.loops, ops.EntryOfBinaryKernel(v.binaryOp).Name)
			}
		}
	}
	p.arena = makeAligned[T](planMemory(p.order, p.firstDynamic, p.outputs))
	return p, p.bindInputs()
}

// readOutputs converts the outputs, and the nodes they depend on, to values. It returns an error if a
// node is inconsistent or has no value of the graph's number type.
func readOutputs[T float](outputs, masks, noise gorgonia.Nodes) ([]*value, error) {
	_, isFloat32 := any(T(0)).(float32)
	r := nodeReader{
		valueTable: newValueTable(isFloat32),
		masks:      make(map[int64]bool),
		noise:      make(map[int64]bool),
		values:     make(map[int64]*value),
	}
	for _, mask := range masks {
		r.masks[mask.ID()] = true
	}
	for _, n := range noise {
		r.noise[n.ID()] = true
	}
	values := make([]*value, len(outputs))
	for i, output := range outputs {
		v, err := r.read(output)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// bindInputs takes the memory of the inputs from the values that their nodes have now, and creates
// the instructions over this memory.
func (p *Program[T]) bindInputs() error {
	p.copiedInputs = nil
	for _, v := range p.inputs {
		if err := p.bindInput(v); err != nil {
			return err
		}
	}
	p.createInstructions()
	return nil
}

// bindInput makes the memory of an input the numbers of the value that its node has now, and records the
// input in copiedInputs if they had to be copied. It returns an error if the node has no value, or
// one of another number type or size.
func (p *Program[T]) bindInput(v *value) error {
	name := v.node.Name()
	bound := v.node.Value()
	if bound == nil {
		return fmt.Errorf("input %q has no value: bind one with Let", name)
	}
	data, err := rowMajorData[T](bound)
	if err != nil {
		return fmt.Errorf("input %q: %w", name, err)
	}
	if len(data) != v.size() {
		return fmt.Errorf("input %q has %d numbers, want %d", name, len(data), v.size())
	}
	p.boundValues[v] = bound
	p.memory[v] = data
	if needsCopy(bound) {
		p.copiedInputs = append(p.copiedInputs, v)
	}
	return nil
}

// createInstructions creates the instructions that compute the values of the program's order, and
// the combined ones that Run and Rerun execute. A masked result has no instruction, so that an index
// in order can be larger than the index of the value's instruction.
func (p *Program[T]) createInstructions() {
	e := p.newEmitter()
	p.instructions = p.instructions[:0]
	p.firstDynamicInstruction = -1 // not found yet
	var computed []*value          // results of the instructions
	for i, v := range p.order {
		if i == p.firstDynamic {
			p.firstDynamicInstruction = len(p.instructions)
		}
		if v.kind != kindMaskedResult {
			p.instructions = append(p.instructions, e.emit(v))
			computed = append(computed, v)
		}
	}
	if p.firstDynamicInstruction < 0 { // no value depends on random numbers
		p.firstDynamicInstruction = len(p.instructions)
	}
	// No chain spans both parts, so that Rerun can execute the second one alone.
	first := p.firstDynamicInstruction
	p.rerunInstructions = e.combineChains(p.instructions[first:], computed[first:])
	static := e.combineChains(p.instructions[:first], computed[:first])
	p.runInstructions = append(static, p.rerunInstructions...)
}

// newEmitter returns an emitter with the kernels for T.
func (p *Program[T]) newEmitter() emitter[T] {
	e := emitter[T]{
		pool:   p.pool,
		sizes:  p.sizes,
		memory: p.memoryOf,
		fail:   p.fail,
	}
	// Go has no switch over a type parameter, but one over a pointer to a field of that type.
	switch b := any(&e.backend).(type) {
	case *backend[float32]:
		*b = float32Backend{}
	case *backend[float64]:
		*b = float64Backend{}
	}
	return e
}

// fail records an error of a running instruction. Run and Rerun return the first one.
func (p *Program[T]) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// UsePool divides large instructions among the goroutines of a pool, from the next run on. A nil
// pool stands for one goroutine. Every number stays the same. UsePool returns an error if an
// input has no value of the right type and size.
func (p *Program[T]) UsePool(workers *pool.Pool) error {
	p.pool = workers
	return p.bindInputs()
}

// memoryOf returns the numbers of a value; of a broadcast, the numbers that it repeats.
func (p *Program[T]) memoryOf(v *value) []T {
	s := v.memoryOwner()
	if m, ok := p.memory[s]; ok {
		return m
	}
	return p.arena[s.offset:][:s.size():s.size()] // the capacity keeps kernels out of other values
}

// Run computes all outputs from the values that the inputs have now. It returns an error if an
// input's value has the wrong type or size, or if an operation fails.
func (p *Program[T]) Run() error {
	if err := p.updateInputs(); err != nil {
		return err
	}
	return p.execute(p.runInstructions)
}

// updateInputs makes the program read the numbers that the inputs have now. The instructions hold the
// memory of the inputs, so a node with another value than before needs new instructions. Numbers
// that changed in place are seen without work, except in inputs that kernels read from a copy.
func (p *Program[T]) updateInputs() error {
	hasNewValue := func(v *value) bool { return v.node.Value() != p.boundValues[v] }
	if slices.ContainsFunc(p.inputs, hasNewValue) {
		if err := p.bindInputs(); err != nil {
			return err
		}
	}
	for _, v := range p.copiedInputs {
		data, err := rowMajorData[T](p.boundValues[v])
		if err != nil {
			return err
		}
		copy(p.memory[v], data)
	}
	return nil
}

// Rerun computes the outputs again after only masks and noise have changed, in a program that was
// compiled for sampling. It returns an error if an operation fails.
func (p *Program[T]) Rerun() error { return p.execute(p.rerunInstructions) }

// execute runs instructions and returns the first error of an operation.
func (p *Program[T]) execute(instructions []instruction) error {
	for i := range instructions {
		instructions[i].run()
	}
	err := p.err
	p.err = nil
	return err
}

// Output returns the numbers of output i, in the program's memory: the next run overwrites them.
func (p *Program[T]) Output(i int) []T { return p.memoryOf(p.outputs[i]) }

// Outputs returns the numbers of outputs from, …, to−1, one output after another, in the
// program's memory: the next run overwrites them. No copy is needed, because the arena begins
// with the outputs in their order, without gaps.
func (p *Program[T]) Outputs(from, to int) []T {
	if from == to {
		return nil
	}
	last := p.outputs[to-1]
	start := p.outputs[from].memoryOwner().offset
	end := last.memoryOwner().offset + last.size()
	return p.arena[start:end]
}

// Fallbacks returns the names of the operations that run through Gorgonia, one for each use.
func (p *Program[T]) Fallbacks() []string { return p.fallbacks }

// Loops returns the names of the elementwise operations without vector kernels, which a loop in Go
// computes, one for each use.
func (p *Program[T]) Loops() []string { return p.loops }
