package draw

import (
	"cmp"
	"math"
	"slices"
)

// effort bounds how much is tried for one layout: the arrangements tried of each
// of its parts, times what one takes, in boxes and lines. Pictures that a person
// can take in get all the tries there are; larger ones get fewer, and take a second.
const effort = 1_500_000

// stack finds an order of blocks from top to bottom, and their tops, such
// that blocks which share a column do not overlap, and lines are short and cross
// little. It gives up after so many tries.
func stack(blocks []*block, tries int) {
	if len(blocks) < 2 {
		return
	}
	s := newStacking(blocks)
	order := slices.Clone(blocks)
	best, least := slices.Clone(order), math.Inf(1)
	keep := func() bool {
		tries--
		s.settle(order)
		if c := s.cost(); c < least-1e-9 {
			least = c
			copy(best, order)
			return true
		}
		return false
	}
	for range max(3, min(12, tries)) {
		keep()
		wish := make(map[*block]float64)
		for _, b := range blocks {
			wish[b] = b.wish() + b.tall/2
		}
		slices.SortStableFunc(order, func(a, b *block) int { return cmp.Compare(wish[a], wish[b]) })
	}
	// Move single blocks, as long as that helps.
	for range 6 {
		better := false
		for _, b := range blocks {
			for _, by := range []int{-1, 1, -3, 3, -len(blocks), len(blocks)} {
				copy(order, best)
				from := slices.Index(order, b)
				to := min(max(from+by, 0), len(order)-1)
				if to == from {
					continue
				}
				if tries <= 0 {
					s.settle(best)
					return
				}
				order = slices.Insert(slices.Delete(order, from, from+1), to, b)
				better = keep() || better
			}
		}
		if !better {
			break
		}
	}
	s.settle(best)
}

// stacking is what stays the same while blocks are stacked.
type stacking struct {
	blocks []*block
	first  int        // column
	column [][]*block // by column: the blocks of the order so far
	lines  []line     // between the blocks, by layer
	layers []int      // where the lines of each layer begin
	right  []line
}

// line leads from a box to its neighbour at the right.
type line struct {
	layer      int
	start, end *box
	from, to   float64
}

// pull is a line as it draws a block: towards level with a box of another.
type pull struct {
	weight     float64
	inner, box *box
}

func newStacking(blocks []*block) *stacking {
	s := &stacking{blocks: blocks, first: math.MaxInt}
	last := 0
	inside := make(map[*block]bool, len(blocks))
	for _, b := range blocks {
		inside[b] = true
		s.first, last = min(s.first, b.first), max(last, b.last)
	}
	s.column = make([][]*block, last-s.first+1)
	for _, c := range blocks {
		c.pulls = c.pulls[:0]
		for _, b := range c.boxes {
			for _, to := range b.right {
				if inside[to.block] {
					s.lines = append(s.lines, line{layer: b.layer, start: b, end: to})
				}
			}
			for _, side := range [][]*box{b.left, b.right} {
				for _, other := range side {
					if other.block == c || other.block == nil {
						continue
					}
					weight := 1.0
					if b.node == nil && other.node == nil {
						weight = 4
					}
					c.pulls = append(c.pulls, pull{weight, b, other})
				}
			}
		}
	}
	slices.SortStableFunc(s.lines, func(a, b line) int { return cmp.Compare(a.layer, b.layer) })
	for i := range s.lines {
		if i == 0 || s.lines[i].layer != s.lines[i-1].layer {
			s.layers = append(s.layers, i)
		}
	}
	s.layers = append(s.layers, len(s.lines))
	return s
}

// settle gives blocks of that order their tops: each as near to its
// neighbours as those above and below let it. Within a column only the next one
// above and below are in the way.
func (s *stacking) settle(order []*block) {
	for i := range s.column {
		s.column[i] = s.column[i][:0]
	}
	for _, b := range order {
		b.top = 0
		b.above, b.below = b.above[:0], b.below[:0]
		for c := b.first; c <= b.last; c++ {
			stacked := s.column[c-s.first]
			if n := len(stacked); n > 0 {
				above := stacked[n-1]
				b.top = math.Max(b.top, above.top+above.tall+rowGap)
				if k := len(b.above); k == 0 || b.above[k-1] != above {
					b.above, above.below = append(b.above, above), append(above.below, b)
				}
			}
			s.column[c-s.first] = append(stacked, b)
		}
	}
	for range 8 {
		moved := false
		for pass := range 2 {
			for i := range order {
				if pass == 1 {
					i = len(order) - 1 - i
				}
				b := order[i]
				low, high := math.Inf(-1), math.Inf(1)
				for _, above := range b.above {
					low = math.Max(low, above.top+above.tall+rowGap)
				}
				for _, below := range b.below {
					high = math.Min(high, below.top-rowGap-b.tall)
				}
				top := math.Max(low, math.Min(high, b.wish()))
				moved = moved || top != b.top
				b.top = top
			}
		}
		if !moved {
			break
		}
	}
}

// wish is the top at which a block's lines would be level, on average.
func (b *block) wish() float64 {
	sum, weight := 0.0, 0.0
	for _, p := range b.pulls {
		sum += p.weight * (p.box.block.top + p.box.fromTop - p.inner.fromTop)
		weight += p.weight
	}
	if weight == 0 {
		return b.top
	}
	return sum / weight
}

// cost is the height that lines climb, and what a crossing is worth.
func (s *stacking) cost() float64 {
	const crossing = 70
	total := 0.0
	for i := range s.lines {
		l := &s.lines[i]
		l.from, l.to = l.start.block.top+l.start.fromTop, l.end.block.top+l.end.fromTop
		total += math.Abs(l.from - l.to)
	}
	for i, from := range s.layers[:len(s.layers)-1] {
		s.right = append(s.right[:0], s.lines[from:s.layers[i+1]]...)
		total += crossing * float64(crossings(s.right))
	}
	return total
}

// crossings counts the pairs of lines that cross: one begins above the other
// and ends below it. It changes the order of the lines.
func crossings(lines []line) int {
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	ends := make([]float64, len(lines))
	for i, l := range lines {
		ends[i] = l.to
	}
	return inversions(ends, make([]float64, len(ends)))
}

// inversions counts the pairs that are out of order, and sorts. The second
// slice is as long as the first, for its use.
func inversions(values, spare []float64) int {
	count := 0
	if len(values) < 16 {
		for i, v := range values {
			j := i
			for ; j > 0 && values[j-1] > v; j-- {
				values[j] = values[j-1]
			}
			values[j] = v
			count += i - j
		}
		return count
	}
	half := len(values) / 2
	count = inversions(values[:half], spare[:half]) + inversions(values[half:], spare[half:])
	left, right := spare[:half], values[half:]
	copy(left, values[:half])
	for i := range values {
		switch {
		case len(left) == 0:
			return count
		case len(right) > 0 && right[0] < left[0]:
			values[i], right = right[0], right[1:]
			count += len(left)
		default:
			values[i], left = left[0], left[1:]
		}
	}
	return count
}
