package engine

import (
	"fmt"
	"testing"

	"sml/internal/expect"
)

// checkPlan simulates a run of a program, and two reruns if it samples. It records for every number in
// the arena the value that it belongs to. It returns an error if a value is overwritten before its
// last use, or if a kernel would overwrite its own operands.
func checkPlan[T float](p *Program[T]) error {
	owner := make([]*value, len(p.arena))
	inArena := func(v *value) bool { return v.kind != kindInput && v.kind != kindConstant }
	take := func(v *value) error {
		if v.offset < 0 || v.offset+v.size() > len(owner) {
			return fmt.Errorf("value of kind %d lies at %d to %d of %d", v.kind, v.offset, v.offset+v.size(), len(owner))
		}
		for i := range v.size() {
			owner[v.offset+i] = v
		}
		return nil
	}
	holds := func(v *value) bool {
		if !inArena(v) {
			return true
		}
		for i := range v.size() {
			if owner[v.offset+i] != v {
				return false
			}
		}
		return true
	}
	overlap := func(a, b *value) bool {
		return inArena(a) && inArena(b) && a.offset < b.offset+b.size() && b.offset < a.offset+a.size()
	}
	run := func(order []*value) error {
		for _, v := range order {
			for _, operand := range v.operands() {
				s := operand.memoryOwner()
				if !holds(s) {
					return fmt.Errorf("an operand of kind %d is gone when the value of kind %d and shape %v reads it", s.kind, v.kind, v.shape)
				}
				if v.kind == kindMaskedResult || operand == v.accumulate {
					continue
				}
				elementwise := v.kind == kindUnary || v.kind == kindBinary || v.kind == kindFunction
				inPlace := elementwise && operand.kind != kindBroadcast && s.offset == v.offset && s.size() == v.size()
				if overlap(s, v) && !inPlace || v.epilogue.maskedResult != nil && overlap(s, v.epilogue.maskedResult) {
					return fmt.Errorf("the value of kind %d and shape %v is written over its operand of kind %d", v.kind, v.shape, s.kind)
				}
			}
			if v.kind == kindMaskedResult { // its product wrote it
				if !holds(v) {
					return fmt.Errorf("a masked value of shape %v is gone before its turn", v.shape)
				}
				continue
			}
			if v.accumulate != nil && v.accumulate.offset != v.offset {
				return fmt.Errorf("a sum of shape %v does not lie where it starts from", v.shape)
			}
			if err := take(v); err != nil {
				return err
			}
			if w := v.epilogue.maskedResult; w != nil {
				if overlap(v, w) {
					return fmt.Errorf("a product of shape %v has both results in one place", v.shape)
				}
				if err := take(w); err != nil {
					return err
				}
			}
		}
		at := 0
		for i, v := range p.outputs {
			s := v.memoryOwner()
			if s.offset != at {
				return fmt.Errorf("output %d lies at %d, and the one before ends at %d", i, s.offset, at)
			}
			if !holds(s) {
				return fmt.Errorf("output %d is overwritten before the end", i)
			}
			at += s.size()
		}
		return nil
	}
	if err := run(p.order); err != nil {
		return err
	}
	if p.firstDynamic == 0 {
		return nil
	}
	for range 2 {
		if err := run(p.order[p.firstDynamic:]); err != nil {
			return fmt.Errorf("rerun: %w", err)
		}
	}
	return nil
}

// Plans of random graphs with gradients, with masks known and not, and of
// samplers.
func TestPlansKeepLiveValues(t *testing.T) {
	check := func(g *randomGraph, p *Program[float32], err error) {
		if err == nil {
			err = checkPlan(p)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%v", g.seed, err, p)
		}
	}
	for seed := range seeds() / 2 {
		g := newRandomGraph(seed, dtypeOf[float32]())
		g.bind()
		p, err := Compile[float32](g.outputs, nil, nil, false)
		check(g, p, err)
		p, err = Compile[float32](g.outputs, g.masks, nil, false)
		check(g, p, err)
		p, err = Compile[float32](g.forward, g.masks, nil, true)
		check(g, p, err)
		p, err = Compile[float32](g.outputs, g.masks, nil, true)
		check(g, p, err)
	}
}

// checkPlan returns errors for wrong plans.
func TestCheckPlanNotices(t *testing.T) {
	a := &value{kind: kindUnary, shape: []int{1, 20}, rows: 1, cols: 20}
	b := &value{kind: kindUnary, shape: []int{1, 20}, rows: 1, cols: 20, args: []*value{a}, offset: 32}
	c := &value{kind: kindBinary, shape: []int{1, 20}, rows: 1, cols: 20, args: []*value{b, a}, offset: 64}
	p := &Program[float32]{order: []*value{a, b, c}, arena: make([]float32, 100)}
	expect.NoError(t, checkPlan(p))
	for name, wrong := range map[string]func(){
		"overwritten while needed": func() { b.offset = 10 },
		"outside the arena":        func() { c.offset = 90 },
		"half over an operand":     func() { c.offset = 40 },
	} {
		b.offset, c.offset = 32, 64
		if wrong(); checkPlan(p) == nil {
			t.Errorf("a value %s was not noticed", name)
		}
	}
}
