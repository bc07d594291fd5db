package engine

import (
	"fmt"
	"strings"

	"gorgonia.org/gorgonia"

	"sml/graph/internal/pool"
)

// Program is a compiled graph that computes in T.
type Program[T float] struct {
	order        []*value
	outputs      []*value
	inputs       []*value
	from         int // position in order of what masks reach, when sampling
	arena        []T
	bound        map[*value]gorgonia.Value // what the inputs' memory is taken from
	memory       map[*value][]T            // of inputs and constants
	copied       []*value                  // inputs whose memory is a copy of what is bound
	steps        []step
	firstDynamic int    // the step that from became
	passes       []step // the steps as they are run: elementwise ones in chains
	dynamic      []step // those of passes that masks reach
	fallback     []string
	err          error
	pool         *pool.Pool
	sizes        *partSizes
}

// Compile compiles what the outputs need. Nodes listed as masks count as
// dynamic: with sampling, what does not depend on them can be left out of later
// runs (Rerun).
func Compile[T float](outputs gorgonia.Nodes, masks gorgonia.Nodes, sampling bool) (*Program[T], error) {
	_, isSingle := any(T(0)).(float32)
	r := reader{values: newValues(isSingle), masks: make(map[int64]bool), done: make(map[int64]*value)}
	for _, m := range masks {
		r.masks[m.ID()] = true
	}
	wanted := make([]*value, len(outputs))
	for i, n := range outputs {
		var err error
		if wanted[i], err = r.read(n); err != nil {
			return nil, err
		}
	}
	p := &Program[T]{bound: make(map[*value]gorgonia.Value), memory: make(map[*value][]T), sizes: &defaultPartSizes}
	p.outputs = separate(fuse(wanted, sampling))
	p.order, p.from = schedule(p.outputs, sampling)
	for _, v := range needed(p.outputs) {
		switch v.kind {
		case input:
			p.inputs = append(p.inputs, v)
		case constant:
			p.memory[v] = []T{T(v.number)}
		case fallback:
			p.fallback = append(p.fallback, v.node.Op().String())
		}
	}
	p.arena = aligned[T](plan(p.order, p.from, p.outputs))
	return p, p.bind()
}

// bind takes the memory of inputs from their nodes' present values and makes
// the steps over it.
func (p *Program[T]) bind() error {
	p.copied = nil
	for _, v := range p.inputs {
		given := v.node.Value()
		if given == nil {
			return fmt.Errorf("input %q has no value: bind one with Let", v.node.Name())
		}
		data, err := dataOf[T](given)
		if err != nil {
			return fmt.Errorf("input %q: %w", v.node.Name(), err)
		}
		if len(data) != v.size() {
			return fmt.Errorf("input %q has %d numbers, want %d", v.node.Name(), len(data), v.size())
		}
		p.bound[v], p.memory[v] = given, data
		if isCopied(given) {
			p.copied = append(p.copied, v)
		}
	}
	e := emitter[T]{pool: p.pool, sizes: p.sizes, memory: p.memoryOf, fail: func(err error) {
		if p.err == nil {
			p.err = err
		}
	}}
	switch b := any(&e.backend).(type) {
	case *backend[float32]:
		*b = single{}
	case *backend[float64]:
		*b = double{}
	}
	p.steps = p.steps[:0]
	var computed []*value
	first := len(p.order)
	for i, v := range p.order {
		if i == p.from {
			first = len(p.steps)
		}
		if v.kind != masked { // its product writes it
			p.steps = append(p.steps, e.emit(v))
			computed = append(computed, v)
		}
	}
	p.firstDynamic = min(first, len(p.steps))
	p.dynamic = e.chains(p.steps[p.firstDynamic:], computed[p.firstDynamic:])
	p.passes = append(e.chains(p.steps[:p.firstDynamic], computed[:p.firstDynamic]), p.dynamic...)
	return nil
}

// Share lets the pool do together what is worth it. Every number stays the same.
func (p *Program[T]) Share(with *pool.Pool) error {
	p.pool = with
	return p.bind()
}

func (p *Program[T]) memoryOf(v *value) []T {
	s := v.stored()
	if m, ok := p.memory[s]; ok {
		return m
	}
	return p.arena[s.offset:][:s.size():s.size()]
}

// Run computes all outputs.
func (p *Program[T]) Run() error {
	for _, v := range p.inputs {
		if v.node.Value() != p.bound[v] {
			if err := p.bind(); err != nil {
				return err
			}
			break
		}
	}
	for _, v := range p.copied {
		data, err := dataOf[T](p.bound[v])
		if err != nil {
			return err
		}
		copy(p.memory[v], data)
	}
	return p.run(p.passes)
}

// Rerun computes the outputs again after nothing but masks has changed. The
// program was compiled for sampling.
func (p *Program[T]) Rerun() error { return p.run(p.dynamic) }

func (p *Program[T]) run(steps []step) error {
	for i := range steps {
		steps[i].run()
	}
	err := p.err
	p.err = nil
	return err
}

// Output returns the memory of output i.
func (p *Program[T]) Output(i int) []T { return p.memoryOf(p.outputs[i]) }

// Outputs returns the memory of outputs from, …, to−1, which lie one after
// another.
func (p *Program[T]) Outputs(from, to int) []T {
	if from == to {
		return nil
	}
	end := p.outputs[to-1]
	return p.arena[p.outputs[from].stored().offset : end.stored().offset+end.size()]
}

// Fallbacks names the operations that run through Gorgonia, one for each
// time they occur.
func (p *Program[T]) Fallbacks() []string { return p.fallback }

// String lists the steps.
func (p *Program[T]) String() string {
	var text strings.Builder
	for _, s := range p.steps {
		fmt.Fprintln(&text, s.name)
	}
	return text.String()
}
