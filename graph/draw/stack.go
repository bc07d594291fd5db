package draw

import (
	"cmp"
	"math"
	"slices"
)

// maxLayoutWork bounds the time for one layout: the number of orders tried for its
// clusters and for the whole, times the vertices and segments that one try looks at. Pictures
// that a person can take in are far below; larger ones get fewer tries and take about a second.
const maxLayoutWork = 1_500_000

// stackBlocks sets the tops of blocks so that blocks in the same column do not overlap, and segments,
// the parts of edges between neighbouring columns, are short and cross little. It searches for a good
// order of the blocks from top to bottom and tries at most about maxTries orders.
func stackBlocks(blocks []*block, maxTries int) {
	if len(blocks) < 2 {
		return
	}
	s := &stackSearch{
		stacking:  newStacking(blocks),
		best:      slices.Clone(blocks),
		bestCost:  math.Inf(1),
		triesLeft: maxTries,
	}
	s.sortByPreference()
	s.moveSingleBlocks()
	s.setTops(s.best)
}

// stackSearch is the search for the order of blocks with the lowest cost.
type stackSearch struct {
	*stacking
	best      []*block // order with the lowest cost so far
	bestCost  float64  // in pixels: see stacking.cost
	triesLeft int
}

// tryOrder computes the cost of an order and keeps the order if it is the best so far. It reports
// whether it is.
func (s *stackSearch) tryOrder(order []*block) bool {
	const minImprovement = 1e-9 // below this, the difference is rounding
	s.triesLeft--
	s.setTops(order)
	cost := s.cost()
	if cost >= s.bestCost-minImprovement {
		return false
	}
	s.bestCost = cost
	copy(s.best, order)
	return true
}

// sortByPreference repeatedly sorts the blocks by where their segments pull them, and tries each
// order.
func (s *stackSearch) sortByPreference() {
	const (
		minRounds = 3  // even in a picture that gets few tries
		maxRounds = 12 // later rounds mostly repeat earlier orders
	)
	order := slices.Clone(s.blocks)
	for range max(minRounds, min(maxRounds, s.triesLeft)) {
		s.tryOrder(order)
		centers := make(map[*block]float64)
		for _, b := range s.blocks {
			centers[b] = b.preferredTop() + b.height/2
		}
		slices.SortStableFunc(order, func(a, b *block) int { return cmp.Compare(centers[a], centers[b]) })
	}
}

// moveSingleBlocks moves single blocks of the best order as long as that lowers its cost, until no
// move does, the tries are used up, or maxRounds rounds are over.
func (s *stackSearch) moveSingleBlocks() {
	const maxRounds = 6 // matters in small pictures alone, whose tries are not used up before
	for range maxRounds {
		improved := false
		for _, b := range s.blocks {
			improved = s.tryMoves(b) || improved // tries the moves in any case
		}
		if !improved || s.triesLeft <= 0 {
			return
		}
	}
}

// tryMoves tries to move a block of the best order by a few places or to an end, while there are tries
// left. It reports whether a move lowered the cost; that move then is in s.best.
func (s *stackSearch) tryMoves(b *block) bool {
	improved := false
	toEnd := len(s.blocks)
	for _, distance := range []int{-1, 1, -3, 3, -toEnd, toEnd} {
		order, moved := moveBlock(s.best, b, distance)
		if moved && s.triesLeft > 0 {
			improved = s.tryOrder(order) || improved
		}
	}
	return improved
}

// moveBlock returns the order with one block moved down by distance places, or up if distance is
// negative. It stops at the ends; moved is false if the block is there already.
func moveBlock(order []*block, b *block, distance int) (result []*block, moved bool) {
	from := slices.Index(order, b)
	to := min(max(from+distance, 0), len(order)-1)
	result = slices.Delete(slices.Clone(order), from, from+1)
	return slices.Insert(result, to, b), to != from
}

// stacking has the data that all orders of a stackSearch share. Fields marked as scratch are memory
// that each try uses again.
type stacking struct {
	blocks       []*block
	firstColumn  int
	columns      [][]*block // scratch: blocks of each column, from top to bottom
	segments     []segment  // between the blocks, by column
	columnStarts []int      // index of the first segment of each column, then len(segments)
	sorted       []segment  // scratch: segments of one column
}

// segment is the part of an edge between a vertex and its neighbour in the next column.
type segment struct {
	column       int // of start
	start, end   *vertex
	startY, endY float64 // in pixels, for the order in which the blocks are stacked now; set by cost
}

// pull is a segment that pulls a block up or down, until its vertex inside the block is level
// with its vertex outside.
type pull struct {
	weight          float64
	inside, outside *vertex
}

// newStacking returns the stacking of blocks and sets their pulls.
func newStacking(blocks []*block) *stacking {
	s := &stacking{
		blocks:      blocks,
		firstColumn: math.MaxInt,
		segments:    segmentsBetween(blocks),
	}
	lastColumn := 0
	for _, b := range blocks {
		b.setPulls()
		s.firstColumn = min(s.firstColumn, b.firstColumn)
		lastColumn = max(lastColumn, b.lastColumn)
	}
	s.columns = make([][]*block, lastColumn-s.firstColumn+1)
	for i := range s.segments {
		if i == 0 || s.segments[i].column != s.segments[i-1].column {
			s.columnStarts = append(s.columnStarts, i)
		}
	}
	s.columnStarts = append(s.columnStarts, len(s.segments))
	return s
}

// segmentsBetween returns the segments whose two vertices are in the given blocks, by column from left
// to right.
func segmentsBetween(blocks []*block) []segment {
	isMember := make(map[*block]bool, len(blocks))
	for _, b := range blocks {
		isMember[b] = true
	}
	var segments []segment
	for _, b := range blocks {
		for _, v := range b.vertices {
			for _, next := range v.right {
				if isMember[next.block] {
					segments = append(segments, segment{column: v.column, start: v, end: next})
				}
			}
		}
	}
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.column, b.column) })
	return segments
}

// setPulls sets the block's pulls from the segments to other blocks. Vertices that have no block yet do
// not pull.
func (b *block) setPulls() {
	b.pulls = b.pulls[:0]
	for _, v := range b.vertices {
		for _, other := range slices.Concat(v.left, v.right) {
			if other.block != b && other.block != nil {
				b.pulls = append(b.pulls, pull{pullWeight(v, other), v, other})
			}
		}
	}
}

// pullWeight returns the weight of the segment between two vertices. A segment between two bends weighs
// more than others, which keeps edges over several columns straight.
func pullWeight(v, w *vertex) float64 {
	const bendWeight = 4
	if v.node == nil && w.node == nil {
		return bendWeight
	}
	return 1
}

// setTops sets the tops of blocks stacked in the given order: each as near to its
// preferred top as the blocks above and below it allow. Blocks that move change the preferred tops of
// others, so that it moves all of them several times, down and up the order in turn.
func (s *stacking) setTops(order []*block) {
	s.pack(order)
	const maxRounds = 8 // bounds the time of one try; a round without a move ends the loop before
	for range maxRounds {
		moved := false
		for _, b := range order {
			moved = b.moveToPreferredTop() || moved // moves the block in any case
		}
		for _, b := range slices.Backward(order) {
			moved = b.moveToPreferredTop() || moved
		}
		if !moved {
			return
		}
	}
}

// pack puts the blocks as high as possible in the given order, without regard to their segments, and
// records the blocks directly above and below each block in its columns.
func (s *stacking) pack(order []*block) {
	for i := range s.columns {
		s.columns[i] = s.columns[i][:0]
	}
	for _, b := range order {
		b.top = 0
		b.above = b.above[:0]
		b.below = b.below[:0]
		for i := b.firstColumn - s.firstColumn; i <= b.lastColumn-s.firstColumn; i++ {
			column := s.columns[i]
			if len(column) > 0 {
				b.putBelow(column[len(column)-1])
			}
			s.columns[i] = append(column, b)
		}
	}
}

// putBelow moves b below another block, unless it is lower already, and records both as neighbours.
func (b *block) putBelow(above *block) {
	b.top = math.Max(b.top, above.top+above.height+rowGap)
	if n := len(b.above); n > 0 && b.above[n-1] == above {
		return // recorded in the column before
	}
	b.above = append(b.above, above)
	above.below = append(above.below, b)
}

// moveToPreferredTop moves a block as near to its preferred top as the blocks above and below it allow.
// It reports whether the top changed.
func (b *block) moveToPreferredTop() bool {
	minTop := math.Inf(-1)
	for _, above := range b.above {
		minTop = math.Max(minTop, above.top+above.height+rowGap)
	}
	maxTop := math.Inf(1)
	for _, below := range b.below {
		maxTop = math.Min(maxTop, below.top-rowGap-b.height)
	}
	before := b.top
	b.top = math.Max(minTop, math.Min(maxTop, b.preferredTop()))
	return b.top != before
}

// preferredTop returns the top at which the block's segments would be level, on average with their
// weights. A block without pulls stays where it is.
func (b *block) preferredTop() float64 {
	sum := 0.0
	totalWeight := 0.0
	for _, p := range b.pulls {
		outsideY := p.outside.block.top + p.outside.offsetY
		sum += p.weight * (outsideY - p.inside.offsetY)
		totalWeight += p.weight
	}
	if totalWeight == 0 {
		return b.top
	}
	return sum / totalWeight
}

// crossingCost is the cost of two segments that cross, in pixels of height that segments climb.
const crossingCost = 70

// cost returns the height in pixels that all segments climb where the blocks are now, plus
// crossingCost for every crossing. Only segments that begin in the same column can cross.
func (s *stacking) cost() float64 {
	total := 0.0
	for i := range s.segments {
		g := &s.segments[i]
		g.startY = g.start.block.top + g.start.offsetY
		g.endY = g.end.block.top + g.end.offsetY
		total += math.Abs(g.startY - g.endY)
	}
	for i, start := range s.columnStarts[:len(s.columnStarts)-1] {
		s.sorted = append(s.sorted[:0], s.segments[start:s.columnStarts[i+1]]...)
		total += crossingCost * float64(crossings(s.sorted))
	}
	return total
}

// crossings returns the number of pairs of segments that cross: one begins above the other and
// ends below it. It sorts the segments by where they begin, so that crossings become inversions
// of where they end.
func crossings(segments []segment) int {
	slices.SortFunc(segments, func(a, b segment) int {
		return cmp.Or(cmp.Compare(a.startY, b.startY), cmp.Compare(a.endY, b.endY))
	})
	ends := make([]float64, len(segments))
	for i, g := range segments {
		ends[i] = g.endY
	}
	return sortCountingInversions(ends, make([]float64, len(ends)))
}

// sortCountingInversions sorts values by merge sort and returns the number of pairs that were out
// of order. scratch is memory of the same length, whose contents do not matter.
func sortCountingInversions(values, scratch []float64) int {
	const insertionSortBelow = 16 // shorter lists sort faster by insertion
	if len(values) < insertionSortBelow {
		return insertionSort(values)
	}
	half := len(values) / 2
	count := sortCountingInversions(values[:half], scratch[:half])
	count += sortCountingInversions(values[half:], scratch[half:])
	left := scratch[:half]
	copy(left, values[:half])
	right := values[half:]
	for i := range values {
		switch {
		case len(left) == 0:
			return count // the rest of right is in place
		case len(right) > 0 && right[0] < left[0]: // it was behind all that is left of left
			values[i] = right[0]
			right = right[1:]
			count += len(left)
		default:
			values[i] = left[0]
			left = left[1:]
		}
	}
	return count
}

// insertionSort sorts values and returns the number of pairs that were out of order.
func insertionSort(values []float64) int {
	count := 0
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
