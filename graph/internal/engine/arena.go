package engine

import "slices"

// alignment is the multiple of numbers at which the memory of a value begins: a cache line of 64
// bytes in float32, two of them in float64.
const alignment = 16

// arena plans the memory of values. The outputs lie at its start, one after another. The rest
// is reused: a value's memory is free after the value's last use.
type arena struct {
	size int    // size so far, in numbers
	free []span // ranges that no value needs any more, by offset, no two adjacent
}

// span is a range of numbers in the arena.
type span struct{ offset, size int }

// planMemory sets the offset of every value and returns the size of the arena. order lists the
// values as they are computed. Values before firstDynamic are computed once for many draws:
// they keep their memory if a value from firstDynamic on reads them. The plan follows the order:
// it allocates the memory of each result, then releases the operands that no later value reads.
func planMemory(order []*value, firstDynamic int, outputs []*value) int {
	a := new(arena)
	a.placeOutputs(outputs)
	lastUse := lastUses(order, firstDynamic)
	for i, v := range order {
		if !v.isOutput && v.kind != kindMaskedResult {
			v.offset = a.offsetFor(v, i, lastUse)
		}
		if w := v.epilogue.maskedResult; w != nil && !w.isOutput { // a product that stores two results
			w.offset = a.allocate(alignUp(w.size()))
		}
		for _, s := range storedOperands(v) {
			tookMemory := s.offset == v.offset // v lies in the operand's memory
			if lastUse[s] == i && isReusable(s) && !tookMemory {
				a.release(span{s.offset, alignUp(s.size())})
			}
		}
		isUnused := lastUse[v] < i // no value reads v: the index is −1
		if isUnused && !v.isOutput {
			a.release(span{v.offset, alignUp(v.size())})
		}
	}
	return a.size
}

// placeOutputs puts the outputs one after another. A value that an output accumulates onto
// lies in the output's memory.
func (a *arena) placeOutputs(outputs []*value) {
	for _, v := range outputs {
		s := v.memoryOwner()
		for w := s; w != nil; w = w.accumulate {
			w.offset = a.size
			w.isOutput = true
		}
		a.size += s.size()
	}
	a.size = alignUp(a.size)
}

// lastUses returns for each value the index in order of the last value that reads it: −1 if
// none does, and len(order) if every draw reads it again.
func lastUses(order []*value, firstDynamic int) map[*value]int {
	lastUse := make(map[*value]int)
	for _, v := range order {
		lastUse[v] = -1
	}
	for i, v := range order {
		inDraw := firstDynamic > 0 && i >= firstDynamic
		for _, s := range storedOperands(v) {
			lastUse[s] = i
			if inDraw && !s.dynamic {
				lastUse[s] = len(order)
			}
		}
	}
	return lastUse
}

// storedOperands returns the values whose memory v reads, each once.
func storedOperands(v *value) []*value {
	var stored []*value
	for _, a := range v.operands() {
		if s := a.memoryOwner(); !slices.Contains(stored, s) {
			stored = append(stored, s)
		}
	}
	return stored
}

// isReusable reports whether v lies in the part of the arena that is reused.
func isReusable(v *value) bool {
	return v.kind != kindInput && v.kind != kindConstant && !v.isOutput
}

// offsetFor returns an offset for v, the value at index i of the order: the memory of an operand
// that v is the last to read if the kernel may write over it, or else free memory.
func (a *arena) offsetFor(v *value, i int, lastUse map[*value]int) int {
	if v.accumulate != nil { // the kernel adds to the numbers that are there
		return v.accumulate.offset
	}
	switch v.kind {
	case kindUnary, kindBinary, kindFunction: // each element is read before it is written
		for _, operand := range v.args {
			s := operand.memoryOwner()
			if operand.kind != kindBroadcast && lastUse[s] == i && s.size() == v.size() && isReusable(s) {
				return s.offset
			}
		}
	}
	return a.allocate(alignUp(v.size()))
}

// allocate returns the offset of the smallest free span that fits, or makes the arena larger.
func (a *arena) allocate(size int) int {
	best := -1
	for i, s := range a.free {
		if s.size >= size && (best < 0 || s.size < a.free[best].size) {
			best = i
		}
	}
	if best < 0 {
		offset := a.size
		a.size += size
		return offset
	}
	s := &a.free[best]
	offset := s.offset
	s.offset += size
	s.size -= size
	if s.size == 0 {
		a.free = slices.Delete(a.free, best, best+1)
	}
	return offset
}

// release adds a span to the free spans, which stay in the order of their offsets, and joins it
// with the free spans beside it.
func (a *arena) release(s span) {
	i, _ := slices.BinarySearchFunc(a.free, s, func(x, y span) int { return x.offset - y.offset })
	a.free = slices.Insert(a.free, i, s)
	if i+1 < len(a.free) { // the next span first: joining the previous one would move index i
		a.joinNext(i)
	}
	if i > 0 {
		a.joinNext(i - 1)
	}
}

// joinNext joins free span i with the next one if they are adjacent.
func (a *arena) joinNext(i int) {
	s := &a.free[i]
	next := a.free[i+1]
	if s.offset+s.size == next.offset {
		s.size += next.size
		a.free = slices.Delete(a.free, i+1, i+2)
	}
}

// alignUp rounds a number up to a multiple of alignment.
func alignUp(n int) int { return (n + alignment - 1) / alignment * alignment }
