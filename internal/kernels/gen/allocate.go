package main

import (
	"fmt"
	"slices"
)

// This file chooses vector registers of the CPU for virtual ones, by a linear scan (Poletto and Sarkar 1999): in
// the order of the code, each new virtual register gets a register of the CPU whose last user is no longer read.
// A virtual register needs its place from its first write to its last read; the code order is enough to know
// both, except that a loop reads at its end what its next turn needs.

// newVector returns a new virtual vector register. In the order of the code, it must be written before it is read.
func (a *assembler) newVector() vec {
	a.nextVirtual++
	return a.nextVirtual - 1
}

// markConstants marks the place, before a loop, where the constants of the code up to the next mark are loaded:
// once, and not in every turn of the loop. Constants without a register are loaded before each use: see allocate.
func (a *assembler) markConstants() {
	a.lastConstantLoad = len(a.code)
	a.loadedConstants = map[int]vec{}
	mark := withoutVectors("")
	mark.isConstantMark = true
	a.emit(mark)
}

// loadConstant loads a constant to a register.
func (a *assembler) loadConstant(c vectorConstant, d vec) {
	a.usesConstants = true
	a.emit(constantLoad(a.constantIndex(c), d))
}

// constantLoad returns the instruction that loads the constant with an index in the file's constants.
func constantLoad(index int, d vec) instruction {
	from := armMemory{constantsRegister, vectorBytes * index}
	return vectorLoad(fmt.Sprintf("FMOVQ %s, F{d}", from.Asm()), d)
}

// constantVector returns a register with a constant, which the last mark loads. No instruction may write to the
// register.
func (a *assembler) constantVector(c vectorConstant) vec {
	index := a.constantIndex(c)
	if v, isLoaded := a.loadedConstants[index]; isLoaded {
		return v
	}
	v := a.newVector()
	a.loadedConstants[index] = v
	a.usesConstants = true
	load := constantLoad(index, v)
	load.isConstantLoad = true
	a.lastConstantLoad++
	a.code = slices.Insert(a.code, a.lastConstantLoad, load)
	return v
}

// allocate returns the code with registers of the CPU in place of virtual registers. While these do not suffice, it
// loads one more constant before each use instead of at its mark. It returns an error if no such constant is left.
func allocate(code []instruction) ([]instruction, error) {
	for {
		s := newScan(code)
		failed := s.assignAll(code)
		if failed < 0 {
			return s.rename(code), nil
		}
		c := leastUsedConstant(code, failed)
		if c < 0 {
			return nil, fmt.Errorf("instruction %d (%s) needs more than %d vector registers", failed, code[failed].text, vectorCount)
		}
		code = loadBeforeUses(code, c)
	}
}

// lifetime is the part of the code from the first write to the last read of a virtual register, in positions: see
// readPosition.
type lifetime struct{ first, last int }

// readPosition returns the position at which instruction i reads its operands. It writes its result one position
// later, so that the result can have the register of an operand that no later instruction reads.
func readPosition(i int) int { return 2 * i }

// writePosition returns the position at which instruction i writes its result.
func writePosition(i int) int { return readPosition(i) + 1 }

// findLifetimes returns the lifetime of each virtual register.
func findLifetimes(code []instruction) map[vec]lifetime {
	lifetimes := map[vec]lifetime{}
	extend := func(v vec, position int) {
		if !v.isVirtual() {
			return
		}
		l, ok := lifetimes[v]
		if !ok {
			l.first = position
		}
		l.last = max(l.last, position)
		lifetimes[v] = l
	}
	for i, in := range code {
		extend(in.n, readPosition(i))
		extend(in.m, readPosition(i))
		if in.readsD {
			extend(in.d, readPosition(i))
		}
		if in.writesD {
			extend(in.d, writePosition(i))
		}
	}
	for extendOverLoops(code, lifetimes) {
	}
	return lifetimes
}

// extendOverLoops extends lifetimes to the ends of loops: a register that has a value when a loop begins, and is
// read in the loop, needs the value up to the jump back, for the next turn. It reports whether a lifetime changed;
// then an outer loop may change further ones.
func extendOverLoops(code []instruction, lifetimes map[vec]lifetime) bool {
	labels := map[string]int{} // index in code of each label so far
	changed := false
	for i, in := range code {
		if in.label != "" {
			labels[in.label] = i
		}
		begin, isJumpBack := labels[in.target]
		if in.target == "" || !isJumpBack {
			continue
		}
		for v, l := range lifetimes {
			isLiveAtBegin := l.first < readPosition(begin) && l.last >= readPosition(begin)
			if isLiveAtBegin && l.last < readPosition(i) {
				l.last = readPosition(i)
				lifetimes[v] = l
				changed = true
			}
		}
	}
	return changed
}

// scan is a linear scan, which assigns registers of the CPU to virtual registers.
type scan struct {
	lifetimes  map[vec]lifetime
	assigned   map[vec]vec       // register of the CPU for each virtual register so far
	users      [vectorCount]vec  // last virtual register that each register of the CPU was assigned to, or noVector
	isReserved [vectorCount]bool // whether the code names the register of the CPU itself
}

// newScan returns the state before the first instruction.
func newScan(code []instruction) *scan {
	s := &scan{lifetimes: findLifetimes(code), assigned: map[vec]vec{}}
	for r := range s.users {
		s.users[r] = noVector
	}
	for _, i := range code {
		for _, v := range []vec{i.d, i.n, i.m} {
			if v != noVector && !v.isVirtual() {
				s.isReserved[v] = true
			}
		}
	}
	return s
}

// assignAll assigns a register of the CPU to each virtual register. It returns the index of the first instruction
// for whose result no register is left, or −1 if all are assigned.
func (s *scan) assignAll(code []instruction) (failed int) {
	for i, in := range code {
		isFirstWrite := in.d.isVirtual() && s.lifetimes[in.d].first == writePosition(i)
		if !isFirstWrite {
			continue
		}
		r := s.choose(in, writePosition(i))
		if r == noVector {
			return i
		}
		s.assigned[in.d] = r
		s.users[r] = in.d
	}
	return -1
}

// choose returns a register of the CPU for the result of an instruction at a position, or noVector if none is free.
// A copy gets the register of its source, if no later instruction reads the source: rename then leaves out the copy.
func (s *scan) choose(in instruction, position int) vec {
	if in.isCopy && in.n.isVirtual() {
		if r := s.assigned[in.n]; s.isFree(r, position) {
			return r
		}
	}
	for r := range vec(vectorCount) {
		if s.isFree(r, position) {
			return r
		}
	}
	return noVector
}

// isFree reports whether a register of the CPU has, at a position, no value for a later instruction.
func (s *scan) isFree(r vec, position int) bool {
	user := s.users[r]
	return !s.isReserved[r] && (user == noVector || s.lifetimes[user].last < position)
}

// rename returns the code with the assigned registers in place of virtual ones, and without copies of a register to
// itself.
func (s *scan) rename(code []instruction) []instruction {
	physical := func(v vec) vec {
		if v.isVirtual() {
			return s.assigned[v]
		}
		return v
	}
	var renamed []instruction
	for _, i := range code {
		i.d, i.n, i.m = physical(i.d), physical(i.n), physical(i.m)
		if i.isCopy && i.d == i.n {
			continue
		}
		renamed = append(renamed, i)
	}
	return renamed
}

// leastUsedConstant returns the index of the load with the fewest uses, among the loads at the last mark before the
// instruction failed. It returns −1 if the mark has no loads.
func leastUsedConstant(code []instruction, failed int) int {
	mark := -1
	for i := range failed {
		if code[i].isConstantMark {
			mark = i
		}
	}
	if mark < 0 {
		return -1
	}
	best, fewest := -1, 0
	for i := mark + 1; i < len(code) && code[i].isConstantLoad; i++ {
		uses := countUses(code[i+1:], code[i].d)
		if best < 0 || uses < fewest {
			best, fewest = i, uses
		}
	}
	return best
}

// countUses returns the number of instructions with the operand v.
func countUses(code []instruction, v vec) int {
	uses := 0
	for _, in := range code {
		if in.n == v || in.m == v {
			uses++
		}
	}
	return uses
}

// loadBeforeUses returns the code without the instruction c, which loads a constant. Before each use of the constant,
// the code loads it to a new register instead.
func loadBeforeUses(code []instruction, c int) []instruction {
	constant := code[c].d
	next := firstVirtual
	for _, in := range code {
		next = max(next, in.d+1)
	}
	var changed []instruction
	for i, in := range code {
		if i == c {
			continue
		}
		if in.n == constant || in.m == constant {
			load := code[c]
			load.isConstantLoad = false
			load.d = next
			changed = append(changed, load)
			in.replaceOperand(constant, next)
			next++
		}
		changed = append(changed, in)
	}
	return changed
}

// replaceOperand replaces the operand old by another register.
func (i *instruction) replaceOperand(old, other vec) {
	if i.n == old {
		i.n = other
	}
	if i.m == old {
		i.m = other
	}
}
