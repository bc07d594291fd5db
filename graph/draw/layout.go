package draw

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"
)

// Distances in pixels.
const (
	rowGap         = 36  // between rows, where edges run across
	columnGap      = 14  // between boxes of a row
	lineHeight     = 15  // of a line of text in a node
	letterWidth    = 7.8 // of a bold letter, on average
	nodePaddingX   = 16  // left and right of the text, together
	nodePaddingY   = 12  // above and below the text, together
	bendWidth      = 8   // of a vertex without a node
	clusterPadding = 10
	titleHeight    = 18 // of the title of a cluster
	arrivalGap     = 44 // between the ends of labelled edges
)

// vertex is a node with its place in the picture, or a bend: a point that a long edge passes through in a
// row between its ends.
type vertex struct {
	node          *node // nil for a bend
	cluster       *cluster
	row           int
	width, height float64
	block         *block
	offset        float64   // x of the centre, from the left end of the block
	above, below  []*vertex // neighbours along edges, in the rows above and below
}

// x returns the centre of the vertex.
func (v *vertex) x() float64 { return v.block.left + v.offset }

// block is a group of vertices that moves sideways as a whole: a cluster, or a vertex outside all clusters.
type block struct {
	cluster     *cluster // nil for a single vertex
	vertices    []*vertex
	first, last int // rows that it covers
	left, width float64
	pulls       []pull
	neighbours  []*block // blocks beside it in its rows, from left to right: those before it, then those after it
	before      int      // number of neighbours before it
}

// pull is a part of an edge that pulls a block sideways, until its vertex in the block is straight above or
// below the other vertex.
type pull struct {
	inside, outside *vertex
	weight          float64
}

// route is the way of an edge: a vertex in each row from its start to its end.
type route struct {
	edge     edge
	vertices []*vertex
}

// layout is a picture's nodes in rows, from the inputs at the top to the loss at the bottom, which fits a
// page and a phone. A row has the nodes with the same longest path from an input (Sugiyama, Tagawa and Toda,
// Methods for visual understanding of hierarchical system structures, 1981).
type layout struct {
	vertices []*vertex // vertices of nodes, then bends
	routes   []route
	blocks   []*block
	tops     []float64 // y of the upper end of each row
	heights  []float64 // of each row
	width    float64
	height   float64
}

// newLayout places the nodes and edges of a drawing.
func newLayout(d *drawing) *layout {
	l := new(layout)
	vertexOf := make(map[*node]*vertex)
	for _, n := range d.nodes {
		v := newVertex(n)
		vertexOf[n] = v
		l.vertices = append(l.vertices, v)
	}
	labels := make(map[*vertex]float64) // number of labelled edges that end at a vertex
	for _, e := range d.edges {
		to := vertexOf[e.to]
		l.routes = append(l.routes, route{e, []*vertex{vertexOf[e.from], to}})
		if e.label != "" {
			labels[to]++
			to.width = max(to.width, arrivalGap*(labels[to]+1))
		}
	}
	l.setRows()
	l.addBends()
	l.makeBlocks()
	l.setY()
	return l
}

// newVertex returns the vertex of a node, with the size that its label needs.
func newVertex(n *node) *vertex {
	v := &vertex{node: n, cluster: n.cluster, height: lineHeight*float64(len(n.label)) + nodePaddingY}
	for _, line := range n.label {
		v.width = max(v.width, textWidth(line)+nodePaddingX)
	}
	return v
}

// textWidth returns the estimated width of a text in pixels.
func textWidth(text string) float64 { return letterWidth * float64(utf8.RuneCountInString(text)) }

// setRows puts every vertex into the first row below all vertices that it depends on. A vertex that depends
// on none, such as weights, moves down to the row above its first user.
func (l *layout) setRows() {
	hasOperands := make(map[*vertex]bool)
	for changed := true; changed; { // ends, because the graph has no circle
		changed = false
		for _, r := range l.routes {
			from, to := r.vertices[0], r.vertices[1]
			hasOperands[to] = true
			if to.row <= from.row {
				to.row = from.row + 1
				changed = true
			}
		}
	}
	firstUse := make(map[*vertex]int) // row of the first user
	for _, r := range l.routes {
		from, to := r.vertices[0], r.vertices[1]
		row, isUsed := firstUse[from]
		if !isUsed || to.row < row {
			firstUse[from] = to.row
		}
	}
	for v, row := range firstUse {
		if !hasOperands[v] {
			v.row = row - 1
		}
	}
}

// addBends adds a bend wherever an edge passes a row, and connects neighbouring vertices. A bend belongs to
// the cluster of the edge's start or end as far as that reaches, so that the edge stays inside their frames.
func (l *layout) addBends() {
	rows := make(map[*cluster][2]int) // first and last row
	for _, v := range l.vertices {
		r, isKnown := rows[v.cluster]
		if !isKnown {
			r = [2]int{v.row, v.row}
		}
		rows[v.cluster] = [2]int{min(r[0], v.row), max(r[1], v.row)}
	}
	for i, r := range l.routes {
		from, to := r.vertices[0], r.vertices[1]
		vertices := []*vertex{from}
		for row := from.row + 1; row < to.row; row++ {
			bend := &vertex{row: row, width: bendWidth}
			switch {
			case row <= rows[from.cluster][1]:
				bend.cluster = from.cluster
			case row >= rows[to.cluster][0]:
				bend.cluster = to.cluster
			}
			vertices = append(vertices, bend)
			l.vertices = append(l.vertices, bend)
		}
		l.routes[i].vertices = append(vertices, to)
	}
	for _, r := range l.routes {
		for i, lower := range r.vertices[1:] {
			upper := r.vertices[i]
			upper.below = append(upper.below, lower)
			lower.above = append(lower.above, upper)
		}
	}
}

// makeBlocks arranges the vertices in each cluster, and then the clusters and the other vertices.
func (l *layout) makeBlocks() {
	inside := make(map[*cluster][]*block) // a block for each vertex
	var clusters []*cluster
	for _, v := range l.vertices {
		v.block = &block{vertices: []*vertex{v}, first: v.row, last: v.row, width: v.width}
		v.offset = v.width / 2
		if inside[v.cluster] == nil && v.cluster != nil {
			clusters = append(clusters, v.cluster)
		}
		inside[v.cluster] = append(inside[v.cluster], v.block)
	}
	l.blocks = inside[nil]
	for _, c := range clusters {
		arrange(inside[c])
		l.blocks = append(l.blocks, newClusterBlock(c, inside[c]))
	}
	arrange(l.blocks)
	for _, b := range l.blocks {
		l.width = max(l.width, b.left+b.width)
	}
}

// newClusterBlock joins the arranged blocks of a cluster's vertices to one block.
func newClusterBlock(c *cluster, inside []*block) *block {
	joined := &block{cluster: c, first: math.MaxInt, width: textWidth(c.name) + 2*clusterPadding}
	for _, b := range inside {
		joined.vertices = append(joined.vertices, b.vertices...)
		joined.first = min(joined.first, b.first)
		joined.last = max(joined.last, b.last)
		joined.width = max(joined.width, b.left+b.width+2*clusterPadding)
	}
	for _, v := range joined.vertices {
		v.offset += v.block.left + clusterPadding
		v.block = joined
	}
	return joined
}

// arrange places blocks so that those in the same row do not overlap and the edges between them are short. It
// sorts the blocks several times by where their edges pull them, which also makes edges cross less, and keeps
// the order with the shortest edges. Afterwards the leftmost block is at 0.
func arrange(blocks []*block) {
	const rounds = 16 // later rounds mostly repeat earlier orders
	isMember := make(map[*block]bool)
	for _, b := range blocks {
		isMember[b] = true
	}
	for _, b := range blocks {
		b.setPulls(isMember)
	}
	order := slices.Clone(blocks)
	best := slices.Clone(blocks)
	shortest := math.Inf(1)
	for range rounds {
		place(order)
		length := edgeLength(order)
		if length < shortest {
			shortest = length
			copy(best, order)
		}
		wishes := make(map[*block]float64)
		for _, b := range order {
			wishes[b] = b.wish() + b.width/2
		}
		slices.SortStableFunc(order, func(a, b *block) int { return cmp.Compare(wishes[a], wishes[b]) })
	}
	place(best)
	left := math.Inf(1)
	for _, b := range blocks {
		left = min(left, b.left)
	}
	for _, b := range blocks {
		b.left -= left
	}
}

// setPulls sets the pulls of the block from the edges to other blocks that are arranged with it.
func (b *block) setPulls(isMember map[*block]bool) {
	const bendWeight = 4 // keeps edges over many rows straight
	b.pulls = nil
	for _, v := range b.vertices {
		for _, other := range slices.Concat(v.above, v.below) {
			if other.block == b || !isMember[other.block] {
				continue
			}
			weight := 1.0
			if v.node == nil && other.node == nil {
				weight = bendWeight
			}
			b.pulls = append(b.pulls, pull{v, other, weight})
		}
	}
}

// place puts the blocks side by side in their rows, in the given order, and then moves each as near to its
// wish as its neighbours allow.
func place(order []*block) {
	lastInRow := make(map[int]*block)
	for _, b := range order {
		b.left = 0
		b.neighbours = nil
		for row := b.first; row <= b.last; row++ {
			if left := lastInRow[row]; left != nil {
				b.left = max(b.left, left.left+left.width+columnGap)
				b.neighbours = append(b.neighbours, left)
			}
			lastInRow[row] = b
		}
		b.before = len(b.neighbours)
	}
	for _, b := range order {
		for _, left := range b.neighbours[:b.before] {
			left.neighbours = append(left.neighbours, b)
		}
	}
	const rounds = 8 // the wishes of blocks depend on each other
	for range rounds {
		for _, b := range order {
			b.moveToWish()
		}
		for _, b := range slices.Backward(order) {
			b.moveToWish()
		}
	}
}

// moveToWish moves the block as near to its wish as the neighbours allow.
func (b *block) moveToWish() {
	wish := b.wish()
	for _, right := range b.neighbours[b.before:] {
		wish = min(wish, right.left-columnGap-b.width)
	}
	for _, left := range b.neighbours[:b.before] {
		wish = max(wish, left.left+left.width+columnGap)
	}
	b.left = wish
}

// wish returns the left end at which the edges of the block would be upright on average. A block without
// pulls stays where it is.
func (b *block) wish() float64 {
	sum, weights := 0.0, 0.0
	for _, p := range b.pulls {
		sum += p.weight * (p.outside.x() - p.inside.offset)
		weights += p.weight
	}
	if weights == 0 {
		return b.left
	}
	return sum / weights
}

// edgeLength returns how far the edges between the blocks run sideways, in total. Each edge counts for both
// of its ends.
func edgeLength(blocks []*block) float64 {
	length := 0.0
	for _, b := range blocks {
		for _, p := range b.pulls {
			length += math.Abs(p.outside.x() - p.inside.x())
		}
	}
	return length
}

// setY sets the tops and heights of the rows. Above a row where clusters begin there is room for their titles.
func (l *layout) setY() {
	rows := 0
	for _, v := range l.vertices {
		rows = max(rows, v.row+1)
	}
	l.heights = make([]float64, rows)
	l.tops = make([]float64, rows)
	for _, v := range l.vertices {
		l.heights[v.row] = max(l.heights[v.row], v.height)
	}
	extra := make([]float64, rows) // room above a row
	for _, b := range l.blocks {
		if b.cluster != nil {
			extra[b.first] = titleHeight
		}
	}
	for row := range l.tops {
		l.height += extra[row]
		l.tops[row] = l.height + clusterPadding
		l.height += l.heights[row] + rowGap
	}
	l.height += 2*clusterPadding - rowGap
}

// rect is a rectangle in the picture.
type rect struct{ x, y, width, height float64 }

// bounds returns the rectangle of a vertex, in the middle of its row.
func (l *layout) bounds(v *vertex) rect {
	y := l.tops[v.row] + (l.heights[v.row]-v.height)/2
	return rect{v.x() - v.width/2, y, v.width, v.height}
}

// frame returns the rectangle around a cluster with its title.
func (l *layout) frame(b *block) rect {
	top := l.tops[b.first] - clusterPadding - titleHeight
	bottom := l.tops[b.last] + l.heights[b.last] + clusterPadding
	return rect{b.left, top, b.width, bottom - top}
}
