package engine

import "slices"

// combineChains combines adjacent elementwise instructions over large values into chains: one
// pass over memory, block by block. It divides large instructions and chains among the workers
// of the pool. values are the results of the instructions. No bit of a result changes: each
// number goes through the same operations.
func (e emitter[T]) combineChains(instructions []instruction, values []*value) []instruction {
	var combined []instruction
	for i := 0; i < len(instructions); {
		n := e.chainLength(values[i:])
		isShared := e.pool.ShouldShare(cost(values[i]))
		switch {
		case n > 1:
			combined = append(combined, e.chain("chain of "+instructions[i].name, values[i:i+n]))
		case n == 1 && values[i].size() > e.sizes.Block && isShared:
			// A single elementwise instruction gains nothing from blocks, except as units of work.
			combined = append(combined, e.chain(instructions[i].name, values[i:i+1]))
		default:
			combined = append(combined, e.divideAmongWorkers(instructions[i], values[i]))
		}
		i += max(1, n) // 0 means that values[i] is not elementwise; it was handled by itself
	}
	return combined
}

// chain returns an instruction that computes elementwise values block by block, in parallel if
// they are large enough.
func (e emitter[T]) chain(name string, values []*value) instruction {
	if e.pool.ShouldShare(cost(values...)) {
		return e.sharedChain(name, values)
	}
	var calls []func()
	for block := range e.blocks(values[0]) {
		calls = append(calls, e.blockCalls(values, block)...)
	}
	return instruction{name, func() { callAll(calls) }}
}

// sharedChain returns an instruction that computes elementwise values block by block, with
// the blocks divided among the workers of the pool. If functions fail in several blocks, the
// error of the first block is reported.
func (e emitter[T]) sharedChain(name string, values []*value) instruction {
	blocks := e.blocks(values[0])
	failures := make([]error, blocks)
	var calls []func() // len(values) calls for each block
	for block := range blocks {
		blockEmitter := e // a copy whose errors go to the block's own place, since blocks run at the same time
		blockEmitter.fail = func(err error) {
			if failures[block] == nil {
				failures[block] = err
			}
		}
		calls = append(calls, blockEmitter.blockCalls(values, block)...)
	}
	callsPerBlock := len(values)
	runBlocks := func(_, from, to int) { callAll(calls[from*callsPerBlock : to*callsPerBlock]) }
	p := e.pool
	if !slices.ContainsFunc(values, mayFail) {
		return instruction{name, func() { p.Do(blocks, runBlocks) }}
	}
	return instruction{name, func() {
		p.Do(blocks, runBlocks)
		for block, err := range failures {
			if err != nil {
				e.fail(err)
			}
			failures[block] = nil // for the next run
		}
	}}
}

// mayFail reports whether computing an elementwise value can return an error.
func mayFail(v *value) bool { return v.kind == kindFunction }

// blocks returns the number of blocks of a value.
func (e emitter[T]) blocks(v *value) int {
	return (v.size() + e.sizes.Block - 1) / e.sizes.Block
}

// blockCalls returns a kernel call for each of the elementwise values, over one block.
func (e emitter[T]) blockCalls(values []*value, block int) []func() {
	var calls []func()
	from := block * e.sizes.Block
	to := min(from+e.sizes.Block, values[0].size())
	for _, v := range values {
		calls = append(calls, e.elementwiseCall(v, from, to))
	}
	return calls
}

// chainLength returns how many of the values, from the first on, can be computed together block by
// block: 0 if the first is larger than a block and not elementwise. For a first value of at most one
// block it is 1, whatever the operation: such a value is never chained.
func (e emitter[T]) chainLength(values []*value) int {
	n := values[0].size()
	if n <= e.sizes.Block {
		return 1
	}
	for i, v := range values {
		isElementwise := e.elementwiseCall(v, 0, 1) != nil
		if v.size() != n || !isElementwise || overlapsChain(v, values[:i]) {
			return i
		}
	}
	return len(values)
}

// overlapsChain reports whether a value cannot follow a chain. A chain computes the first block of
// all its values before the second block of any. Where values lie in the same place, blocks meet only
// themselves. Where they overlap otherwise, a block would overwrite another one before its last use.
func overlapsChain(v *value, chain []*value) bool {
	for _, earlier := range chain { // v must not overwrite what the chain computes or reads
		if partlyOverlaps(v, earlier) {
			return true
		}
		for _, operand := range storedOperands(earlier) {
			if partlyOverlaps(v, operand) {
				return true
			}
		}
	}
	for _, operand := range storedOperands(v) { // nor the chain what v reads
		for _, earlier := range chain {
			if partlyOverlaps(earlier, operand) {
				return true
			}
		}
	}
	return false
}

// partlyOverlaps reports whether two values share memory in the arena without lying in the
// same place: a block of one is then part of a different block of the other.
func partlyOverlaps(written, other *value) bool {
	if other.kind == kindInput || other.kind == kindConstant { // not in the arena
		return false
	}
	if written.offset == other.offset && written.size() == other.size() {
		return false
	}
	return written.offset < other.offset+other.size() && other.offset < written.offset+written.size()
}

// elementwiseCall returns the kernel call that computes elements from, …, to−1 of a value, nil
// if the value is not elementwise or an operand repeats a row or column: such a value is not
// computed element by element from neighbouring numbers.
func (e emitter[T]) elementwiseCall(v *value, from, to int) func() {
	elements := func(a *value) []T { return e.memory(a)[from:to] }
	switch {
	case v.kind == kindUnary && v.args[0].kind != kindBroadcast:
		return e.unaryCall(v.unaryOp, elements(v), elements(v.args[0]))
	case v.kind == kindFunction && v.args[0].kind != kindBroadcast:
		return e.functionCall(v.function, elements(v), elements(v.args[0]))
	case v.kind == kindBinary:
		return e.elementwiseBinaryCall(v, from, to)
	}
	return nil
}

// elementwiseBinaryCall is elementwiseCall for an operation on two operands, of which one may repeat a
// scalar: the scalar's memory has one number, whatever the range.
func (e emitter[T]) elementwiseBinaryCall(v *value, from, to int) func() {
	elements := func(a *value) []T { return e.memory(a)[from:to] }
	a, b := v.args[0], v.args[1]
	switch {
	case a.kind != kindBroadcast && b.kind != kindBroadcast:
		return e.binaryCall(v.binaryOp, elements(v), elements(a), elements(b))
	case a.kind != kindBroadcast && isScalarBroadcast(b):
		return e.arrayScalarCall(v.binaryOp, elements(v), elements(a), e.memory(b))
	case b.kind != kindBroadcast && isScalarBroadcast(a):
		return e.scalarArrayCall(v.binaryOp, elements(v), e.memory(a), elements(b))
	}
	return nil
}
