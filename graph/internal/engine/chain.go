package engine

import "slices"

// chains joins neighbouring steps of elementwise work over large values into
// one pass over memory, block by block, and shares what is worth it. values are those
// that the steps compute. Bits do not change: each number goes through the same
// operations.
func (e emitter[T]) chains(steps []step, values []*value) []step {
	var passes []step
	for i := 0; i < len(steps); {
		n := e.chainLength(values[i:])
		switch {
		case n > 1:
			passes = append(passes, e.pass("chain of "+steps[i].name, values[i:i+n]))
		case n == 1 && values[i].size() > e.sizes.block && e.pool.Worth(cost(values[i])):
			passes = append(passes, e.pass(steps[i].name, values[i:i+1]))
		default:
			passes = append(passes, e.share(steps[i], values[i]))
		}
		i += max(1, n)
	}
	return passes
}

// pass makes one pass over memory that computes a chain, which the pool does together
// where that is worth it.
func (e emitter[T]) pass(name string, chain []*value) step {
	var work []func()
	var failures []error // of each block
	shared := e.pool.Worth(cost(chain...))
	for from := 0; from < chain[0].size(); from += e.sizes.block {
		to := min(from+e.sizes.block, chain[0].size())
		block := e
		if at := from / e.sizes.block; shared {
			failures = append(failures, nil)
			block.fail = func(err error) {
				if failures[at] == nil {
					failures[at] = err
				}
			}
		}
		for _, v := range chain {
			work = append(work, block.elementwise(v, from, to))
		}
	}
	if !shared {
		return step{name, func() {
			for _, run := range work {
				run()
			}
		}}
	}
	p, n := e.pool, len(chain)
	share := func(_, from, to int) {
		for _, run := range work[from*n : to*n] {
			run()
		}
	}
	mayFail := slices.ContainsFunc(chain, func(v *value) bool { return v.kind == each })
	return step{name, func() {
		p.Do(len(work)/n, share)
		if mayFail {
			for i, err := range failures { // the first, whoever came first to its block
				if err != nil {
					e.fail(err)
				}
				failures[i] = nil
			}
		}
	}}
}

// chainLength tells how many of the values, from the first on, can be
// computed block by block.
func (e emitter[T]) chainLength(values []*value) int {
	n := values[0].size()
	if n <= e.sizes.block {
		return 1
	}
	for i, v := range values {
		if v.size() != n || e.elementwise(v, 0, 1) == nil {
			return i
		}
		for _, earlier := range values[:i] {
			if clash(v, earlier) {
				return i
			}
			for _, read := range storedOperands(earlier) {
				if clash(v, read) {
					return i
				}
			}
		}
		for _, read := range storedOperands(v) {
			for _, earlier := range values[:i] {
				if clash(earlier, read) {
					return i
				}
			}
		}
	}
	return len(values)
}

// clash tells whether two places in the arena overlap without being one: a
// block of the one is then another block of the other.
func clash(written, other *value) bool {
	if other.kind == input || other.kind == constant || written.offset == other.offset && written.size() == other.size() {
		return false
	}
	return written.offset < other.offset+other.size() && other.offset < written.offset+written.size()
}

// elementwise returns the work on elements from, …, to−1 of a value, nil if the
// value is not made element by element.
func (e emitter[T]) elementwise(v *value, from, to int) func() {
	part := func(a *value) []T { return e.memory(a)[from:to] }
	switch {
	case v.kind == unary && v.args[0].kind != broadcast:
		return e.unary(v.unaryOp, part(v), part(v.args[0]))
	case v.kind == each && v.args[0].kind != broadcast:
		return e.each(v.function, part(v), part(v.args[0]))
	case v.kind == binary:
		x, y := v.args[0], v.args[1]
		switch {
		case x.kind != broadcast && y.kind != broadcast:
			return e.binary(v.binaryOp, part(v), part(x), part(y))
		case x.kind != broadcast && y.args[0].size() == 1:
			return e.withScalar(v.binaryOp, part(v), part(x), e.memory(y))
		case y.kind != broadcast && x.args[0].size() == 1:
			return e.scalarWith(v.binaryOp, part(v), e.memory(x), part(y))
		}
	}
	return nil
}
