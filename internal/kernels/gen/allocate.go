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
		numbers, failed := assign(text)
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

// interval is the part of a text in which a virtual register has a value that is needed. An instruction
// reads at twice its index and writes afterwards.
type interval struct{ first, last int }

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
		touch(in.n, 2*i)
		touch(in.m, 2*i)
		if in.reads {
			touch(in.d, 2*i)
		}
		if in.writes {
			touch(in.d, 2*i+1)
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
			if live.first < 2*begin && live.last >= 2*begin && live.last < 2*i {
				live.last = 2 * i
				all[v] = live
				changed = true
			}
		}
	}
	return changed
}

// assign returns a number for each virtual register, by a linear scan. It returns the index of the first
// instruction for which no register is left, or −1.
func assign(text []instruction) (numbers map[vec]vec, failed int) {
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
		if in.d < firstVirtual || live[in.d].first != 2*i+1 {
			continue
		}
		r := freeNumber(owner[:], isFixed[:], live, 2*i+1, in, numbers)
		if r < 0 {
			return nil, i
		}
		numbers[in.d] = vec(r)
		owner[r] = in.d
	}
	return numbers, -1
}

// freeNumber returns a free number for the register that an instruction writes first, or −1. A copy of a
// register that is no longer needed gets the same number.
func freeNumber(owner []vec, isFixed []bool, live map[vec]interval, position int, in instruction, numbers map[vec]vec) int {
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
