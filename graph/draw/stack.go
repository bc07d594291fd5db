package draw

import (
	"cmp"
	"math"
	"slices"
)

// stack finds an order of blocks from top to bottom, and their tops, such
// that blocks which share a column do not overlap, and lines are short and cross
// little.
func stack(blocks []*block) {
	if len(blocks) < 2 {
		return
	}
	order := slices.Clone(blocks)
	best, least := slices.Clone(order), math.Inf(1)
	keep := func() bool {
		settle(order)
		if c := cost(blocks); c < least-1e-9 {
			least = c
			best = slices.Clone(order)
			return true
		}
		return false
	}
	for range 12 {
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
				order = slices.Clone(best)
				from := slices.Index(order, b)
				to := min(max(from+by, 0), len(order)-1)
				if to == from {
					continue
				}
				order = slices.Insert(slices.Delete(order, from, from+1), to, b)
				better = keep() || better
			}
		}
		if !better {
			break
		}
	}
	settle(best)
}

// settle gives blocks of that order their tops: each as near to its
// neighbours as those above and below let it.
func settle(order []*block) {
	for i, b := range order {
		b.top = 0
		for _, above := range order[:i] {
			if b.meets(above) {
				b.top = math.Max(b.top, above.top+above.tall+rowGap)
			}
		}
	}
	for range 8 {
		for pass := range 2 {
			for i := range order {
				if pass == 1 {
					i = len(order) - 1 - i
				}
				b := order[i]
				low, high := math.Inf(-1), math.Inf(1)
				for j, other := range order {
					switch {
					case j == i || !b.meets(other):
					case j < i:
						low = math.Max(low, other.top+other.tall+rowGap)
					default:
						high = math.Min(high, other.top-rowGap-b.tall)
					}
				}
				b.top = math.Max(low, math.Min(high, b.wish()))
			}
		}
	}
}

// meets tells whether two blocks share a column.
func (b *block) meets(other *block) bool { return b.first <= other.last && other.first <= b.last }

// wish is the top at which a block's lines would be level, on average.
func (b *block) wish() float64 {
	sum, weight := 0.0, 0.0
	for _, inner := range b.boxes {
		for _, side := range [][]*box{inner.left, inner.right} {
			for _, other := range side {
				if other.block == b || other.block == nil {
					continue
				}
				w := 1.0
				if inner.node == nil && other.node == nil {
					w = 4
				}
				sum += w * (other.block.top + other.fromTop - inner.fromTop)
				weight += w
			}
		}
	}
	if weight == 0 {
		return b.top
	}
	return sum / weight
}

// cost is the height that lines climb, and what a crossing is worth.
func cost(blocks []*block) float64 {
	type line struct {
		layer      int
		from, to   float64
		start, end *box
	}
	const crossing = 70
	var lines []line
	total := 0.0
	inside := make(map[*block]bool, len(blocks))
	for _, b := range blocks {
		inside[b] = true
	}
	for _, block := range blocks {
		for _, b := range block.boxes {
			for _, to := range b.right {
				if !inside[to.block] {
					continue
				}
				l := line{b.layer, block.top + b.fromTop, to.block.top + to.fromTop, b, to}
				total += math.Abs(l.from - l.to)
				for _, other := range lines {
					if other.layer == l.layer && other.start != l.start && other.end != l.end && (other.from < l.from) != (other.to < l.to) {
						total += crossing
					}
				}
				lines = append(lines, l)
			}
		}
	}
	return total
}
