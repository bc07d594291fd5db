package engine

import "slices"

// align is what the memory of a value begins at a multiple of, in numbers: a
// cache line of float32.
const align = 16

// arena plans the memory of values: outputs first, one after another; behind
// them the rest, in which places are used again once nothing needs their value.
type arena struct {
	size int
	free []span // by offset, no two adjacent
}

type span struct{ offset, size int }

// plan gives every value of the order its offset and returns the arena's
// size. Static values (those before from) that later ones need keep their place.
func plan(order []*value, from int, outputs []*value) int {
	a := new(arena)
	for _, v := range outputs {
		s := v.stored()
		for w := s; w != nil; w = w.accumulate { // what it starts from is computed in its place
			w.offset, w.output = a.size, true
		}
		a.size += s.size()
	}
	a.size = up(a.size)

	last := lastUses(order, from)
	for i, v := range order {
		if !v.output && v.kind != masked {
			v.offset = a.place(v, i, last)
		}
		if w := v.tail.twice; w != nil && !w.output {
			w.offset = a.take(up(w.size()))
		}
		for _, s := range storedOperands(v) {
			if last[s] == i && a.owns(s) && s.offset != v.offset {
				a.give(span{s.offset, up(s.size())})
			}
		}
		if last[v] < i && !v.output { // nobody needs it
			a.give(span{v.offset, up(v.size())})
		}
	}
	return a.size
}

// lastUses tells the position of each value's last user.
func lastUses(order []*value, from int) map[*value]int {
	last := make(map[*value]int)
	for _, v := range order {
		last[v] = -1
	}
	for i, v := range order {
		for _, s := range storedOperands(v) {
			last[s] = i
			if !s.dynamic && i >= from && from > 0 {
				last[s] = len(order) // needed again by the next draw
			}
		}
	}
	return last
}

// storedOperands lists the values whose memory v reads, each once.
func storedOperands(v *value) []*value {
	var list []*value
	for _, a := range v.operands() {
		if s := a.stored(); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// owns tells whether a value's memory is in the part that is used again.
func (a *arena) owns(v *value) bool { return v.kind != input && v.kind != constant && !v.output }

// place finds room for the value computed at position i: that of an operand
// that ends here, where the kernel allows it, or new one.
func (a *arena) place(v *value, i int, last map[*value]int) int {
	if v.accumulate != nil {
		return v.accumulate.offset
	}
	switch v.kind {
	case unary, binary, each:
		for _, operand := range v.args {
			s := operand.stored()
			if operand.kind != broadcast && last[s] == i && s.size() == v.size() && a.owns(s) {
				return s.offset
			}
		}
	}
	return a.take(up(v.size()))
}

// take finds the smallest free span that fits, or makes the arena larger.
func (a *arena) take(size int) int {
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

// give returns a span, joined with its free neighbours.
func (a *arena) give(s span) {
	i, _ := slices.BinarySearchFunc(a.free, s, func(x, y span) int { return x.offset - y.offset })
	a.free = slices.Insert(a.free, i, s)
	if i+1 < len(a.free) && s.offset+s.size == a.free[i+1].offset {
		a.free[i].size += a.free[i+1].size
		a.free = slices.Delete(a.free, i+1, i+2)
	}
	if i > 0 && a.free[i-1].offset+a.free[i-1].size == a.free[i].offset {
		a.free[i-1].size += a.free[i].size
		a.free = slices.Delete(a.free, i, i+1)
	}
}

func up(n int) int { return (n + align - 1) / align * align }
