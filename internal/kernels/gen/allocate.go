package main

import (
	"fmt"
	"slices"
)

// newVector returns a new virtual vector register. It must be written before it is read, in the order of
// the text.
func (a *assembler) newVector() vec {
	a.next++
	return a.next - 1
}

// constantScope marks the place, before a loop, where the constants of the instructions up to the next
// mark are loaded, as far as there are registers. The others are loaded before each use.
func (a *assembler) constantScope() {
	a.scope = len(a.text)
	a.found = map[int]vec{}
	a.text = append(a.text, instruction{isScope: true, d: noVector, n: noVector, m: noVector})
}

// loadConstant loads a constant to a register.
func (a *assembler) loadConstant(c vectorConstant, d vec) {
	index := a.constantIndex(c)
	a.usesPool = true
	a.text = append(a.text, a.constantLoad(index, d))
}

// constantLoad returns the instruction that loads a constant of the pool.
func (a *assembler) constantLoad(index int, d vec) instruction {
	text := fmt.Sprintf("FMOVQ %s, F{d}", armMemory{constantsRegister, 16 * index}.Asm())
	return instruction{text: text, d: d, n: noVector, m: noVector, writes: true}
}

// constantVector returns a register with a constant, which must not be written to.
func (a *assembler) constantVector(c vectorConstant) vec {
	index := a.constantIndex(c)
	v, ok := a.found[index]
	if !ok {
		v = a.newVector()
		a.found[index] = v
		a.usesPool = true
		a.scope++
		load := a.constantLoad(index, v)
		load.isEarly = true
		a.text = slices.Insert(a.text, a.scope, load)
	}
	return v
}

// allocate returns the instructions with numbers in place of virtual registers. Constants that do not
// fit are loaded before each use instead of before the loop. It returns an error if even then 32
// registers are not enough.
func allocate(text []instruction) ([]instruction, error) {
	for {
		numbers, failed := chooseRegisters(text)
		if failed < 0 {
			return number(text, numbers), nil
		}
		c := leastUsedConstant(text, failed)
		if c < 0 {
			return nil, fmt.Errorf("instruction %d (%s) needs more than %d vector registers", failed, text[failed].text, vectorCount)
		}
		text = reload(text, c)
	}
}

// number replaces virtual registers by their numbers, and leaves out copies of a register to itself.
func number(text []instruction, numbers map[vec]vec) []instruction {
	replace := func(v vec) vec {
		if v >= firstVirtual {
			return numbers[v]
		}
		return v
	}
	var numbered []instruction
	for _, i := range text {
		i.d, i.n, i.m = replace(i.d), replace(i.n), replace(i.m)
		if i.isCopy && i.d == i.n {
			continue
		}
		numbered = append(numbered, i)
	}
	return numbered
}

// interval is the part of a text in which a virtual register has a value that is needed, in positions: see
// readPosition.
type interval struct{ first, last int }

// readPosition returns the position at which instruction i reads its operands. It writes its result one position
// later, so that the result can have the number of an operand that no later instruction reads.
func readPosition(i int) int { return 2 * i }

// writePosition returns the position at which instruction i writes its result.
func writePosition(i int) int { return readPosition(i) + 1 }

// intervals returns the interval of each virtual register. A register that has a value when a loop
// begins, and is used in it, keeps its number up to the jump back.
func intervals(text []instruction) map[vec]interval {
	all := map[vec]interval{}
	touch := func(v vec, position int) {
		if v < firstVirtual {
			return
		}
		i, ok := all[v]
		if !ok {
			i.first = position
		}
		i.last = max(i.last, position)
		all[v] = i
	}
	for i, in := range text {
		touch(in.n, readPosition(i))
		touch(in.m, readPosition(i))
		if in.reads {
			touch(in.d, readPosition(i))
		}
		if in.writes {
			touch(in.d, writePosition(i))
		}
	}
	for extendOverLoops(text, all) {
	}
	return all
}

// extendOverLoops extends intervals to the ends of loops, and reports whether one changed.
func extendOverLoops(text []instruction, all map[vec]interval) bool {
	labels := map[string]int{}
	changed := false
	for i, in := range text {
		if in.label != "" {
			labels[in.label] = i
		}
		begin, isBack := labels[in.target]
		if in.target == "" || !isBack {
			continue
		}
		for v, live := range all {
			isLiveAtBegin := live.first < readPosition(begin) && live.last >= readPosition(begin)
			if isLiveAtBegin && live.last < readPosition(i) {
				live.last = readPosition(i)
				all[v] = live
				changed = true
			}
		}
	}
	return changed
}

// chooseRegisters returns the number of a physical register for each virtual register, by a linear scan: in the
// order of the text, each register that an instruction writes for the first time gets a number whose earlier
// register is no longer read. It returns the index of the first instruction for which no number is left, or −1.
func chooseRegisters(text []instruction) (numbers map[vec]vec, failed int) {
	live := intervals(text)
	numbers = map[vec]vec{}
	var owner [vectorCount]vec // virtual register that has a number at the moment, or noVector
	var isFixed [vectorCount]bool
	for r := range owner {
		owner[r] = noVector
	}
	for _, i := range text {
		for _, v := range []vec{i.d, i.n, i.m} {
			if v >= 0 && v < firstVirtual {
				isFixed[v] = true
			}
		}
	}
	for i, in := range text {
		if in.d < firstVirtual || live[in.d].first != writePosition(i) {
			continue
		}
		r := chooseNumber(owner[:], isFixed[:], live, writePosition(i), in, numbers)
		if r < 0 {
			return nil, i
		}
		numbers[in.d] = vec(r)
		owner[r] = in.d
	}
	return numbers, -1
}

// chooseNumber returns a number for the register that an instruction writes first, or −1 if none is free at the
// position: every number is fixed by the text, or its register is read later. A copy of a register that is not read
// later gets the same number, so that the copy can be left out.
func chooseNumber(owner []vec, isFixed []bool, live map[vec]interval, position int, in instruction, numbers map[vec]vec) int {
	isFree := func(r int) bool {
		return !isFixed[r] && (owner[r] == noVector || live[owner[r]].last < position)
	}
	if in.isCopy && in.n >= firstVirtual {
		if r := int(numbers[in.n]); isFree(r) {
			return r
		}
	}
	for r := range owner {
		if isFree(r) {
			return r
		}
	}
	return -1
}

// leastUsedConstant returns the index of the instruction that loads a constant at the mark before the
// instruction failed, of those with the fewest uses, or −1 if there is none.
func leastUsedConstant(text []instruction, failed int) int {
	mark := -1
	for i := range failed {
		if text[i].isScope {
			mark = i
		}
	}
	if mark < 0 {
		return -1
	}
	best, fewest := -1, 0
	for i := mark + 1; i < len(text) && text[i].isEarly; i++ {
		uses := 0
		for _, in := range text[i+1:] {
			if in.n == text[i].d || in.m == text[i].d {
				uses++
			}
		}
		if best < 0 || uses < fewest {
			best, fewest = i, uses
		}
	}
	return best
}

// reload removes the instruction c, which loads a constant, and loads the constant before each use instead.
func reload(text []instruction, c int) []instruction {
	load := text[c]
	next := firstVirtual
	for _, in := range text {
		next = max(next, in.d+1)
	}
	var changed []instruction
	for i, in := range text {
		if i == c {
			continue
		}
		if in.n == load.d || in.m == load.d {
			again := load
			again.isEarly = false
			again.d = next
			next++
			changed = append(changed, again)
			if in.n == load.d {
				in.n = again.d
			}
			if in.m == load.d {
				in.m = again.d
			}
		}
		changed = append(changed, in)
	}
	return changed
}
