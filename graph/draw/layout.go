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
	letterWidth    = 7.2 // of a letter, on average
	nodePaddingX   = 16  // left and right of the text, together
	nodePaddingY   = 12  // above and below the text, together
	clusterPadding = 10
	titleHeight    = 18 // of the title of a cluster
)

// vertex is a node with its place in the picture, or a bend: a point that a long edge passes through in a
// row between its ends.
type vertex struct {
	node          *node  // nil for a bend
	cluster       string // "" outside all clusters
	row           int
	width, height float64
	block         *block
	offset        float64   // x of the centre, from the left end of the block
	neighbours    []*vertex // along edges, in the rows above and below
}

// x returns the centre of the vertex.
func (v *vertex) x() float64 { return v.block.left + v.offset }

// block is a group of vertices that moves sideways as a whole: a cluster, or a single vertex.
type block struct {
	title       string // of a cluster; "" for a single vertex
	container   string // cluster whose inside the block is moved in; "" for the picture
	vertices    []*vertex
	first, last int // rows that it covers
	left, width float64
	wantedLeft  float64 // left end that the block moves to if there is room
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
		v := &vertex{node: n, cluster: n.cluster, height: lineHeight*float64(len(n.label)) + nodePaddingY}
		for _, line := range n.label {
			v.width = max(v.width, textWidth(line)+nodePaddingX)
		}
		vertexOf[n] = v
		l.vertices = append(l.vertices, v)
	}
	for _, e := range d.edges {
		l.routes = append(l.routes, route{e, []*vertex{vertexOf[e.from], vertexOf[e.to]}})
	}
	l.setRows()
	for i := range l.routes {
		l.addBends(&l.routes[i])
	}
	l.makeBlocks(d.clusters)
	l.setY()
	return l
}

// textWidth returns the estimated width of a text in pixels.
func textWidth(text string) float64 { return letterWidth * float64(utf8.RuneCountInString(text)) }

// setRows puts every vertex into the first row below all vertices that it depends on. A vertex that depends
// on none, such as weights, moves down to the row above its first user.
func (l *layout) setRows() {
	for _, r := range l.routes { // in a drawing, the edges into a node precede the edges out of it
		from, to := r.vertices[0], r.vertices[1]
		to.row = max(to.row, from.row+1)
	}
	firstUse := make(map[*vertex]int) // row of the first user of a vertex that depends on none
	for _, r := range l.routes {
		from, to := r.vertices[0], r.vertices[1]
		row, isUsed := firstUse[from]
		if from.row == 0 && (!isUsed || to.row < row) {
			firstUse[from] = to.row
		}
	}
	for v, row := range firstUse {
		v.row = row - 1
	}
}

// addBends adds a bend to a route in each row that its edge passes, and connects neighbouring vertices. A bend is in the
// cluster of the route's ends, if these are in the same one.
func (l *layout) addBends(r *route) {
	from, to := r.vertices[0], r.vertices[1]
	r.vertices = []*vertex{from}
	for row := from.row + 1; row < to.row; row++ {
		bend := &vertex{row: row}
		if from.cluster == to.cluster {
			bend.cluster = from.cluster
		}
		r.vertices = append(r.vertices, bend)
		l.vertices = append(l.vertices, bend)
	}
	r.vertices = append(r.vertices, to)
	for i, lower := range r.vertices[1:] {
		upper := r.vertices[i]
		upper.neighbours = append(upper.neighbours, lower)
		lower.neighbours = append(lower.neighbours, upper)
	}
}

// makeBlocks arranges the vertices in each cluster, and then the clusters and the vertices outside them.
func (l *layout) makeBlocks(clusters []string) {
	inside := make(map[string][]*block) // a block for each vertex, by its cluster
	for _, v := range l.vertices {
		v.block = &block{container: v.cluster, vertices: []*vertex{v}, first: v.row, last: v.row, width: v.width}
		v.offset = v.width / 2
		inside[v.cluster] = append(inside[v.cluster], v.block)
	}
	l.blocks = inside[""]
	for _, title := range clusters {
		arrange(inside[title])
		l.blocks = append(l.blocks, newClusterBlock(title, inside[title]))
	}
	arrange(l.blocks)
	for _, b := range l.blocks {
		l.width = max(l.width, b.left+b.width)
	}
}

// newClusterBlock joins the arranged blocks of a cluster's vertices to one block.
func newClusterBlock(title string, inside []*block) *block {
	joined := &block{title: title, first: math.MaxInt, width: textWidth(title) + 2*clusterPadding}
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

// arrange places blocks so that those in the same row do not overlap and the edges between them are short. In each round,
// every block chooses where its edges pull it, the blocks are sorted by these places, which also makes edges cross less,
// and then put side by side. Afterwards the leftmost block is at 0.
func arrange(blocks []*block) {
	const (
		rounds     = 60 // later rounds change little
		sortRounds = 12 // rounds that change the order; the others make edges upright in it
	)
	order := slices.Clone(blocks)
	for round := range rounds {
		for _, b := range order {
			b.setWanted()
		}
		if round < sortRounds {
			slices.SortStableFunc(order, func(a, b *block) int {
				return cmp.Compare(a.wantedLeft+a.width/2, b.wantedLeft+b.width/2) // the middles
			})
		}
		place(order)
	}
	left := math.Inf(1)
	for _, b := range blocks {
		left = min(left, b.left)
	}
	for _, b := range blocks {
		b.left -= left
	}
}

// setWanted sets b.wantedLeft half-way to where the block's edges to other blocks that are arranged with it would be
// upright on average. Only half-way, since the other blocks move as well, and all would swing. A block without such edges
// stays where it is.
func (b *block) setWanted() {
	sum, count := 0.0, 0.0
	for _, v := range b.vertices {
		for _, other := range v.neighbours {
			if other.block != b && other.block.container == b.container {
				sum += other.x() - v.offset
				count++
			}
		}
	}
	b.wantedLeft = b.left
	if count > 0 {
		b.wantedLeft = (b.left + sum/count) / 2
	}
}

// place puts the blocks side by side in their rows, in the given order and near b.wantedLeft. Blocks that would
// overlap move to the right in one placement and to the left in another; the middle of the two is
// a placement without overlaps, too.
func place(order []*block) {
	toRight := push(order, func(b *block) float64 { return b.wantedLeft })
	mirrored := slices.Clone(order) // the placement to the left is one to the right in a mirror
	slices.Reverse(mirrored)
	toLeft := push(mirrored, func(b *block) float64 { return -b.wantedLeft - b.width })
	for i, b := range order {
		b.left = (toRight[i] - toLeft[len(order)-1-i] - b.width) / 2
	}
}

// push returns the left ends of blocks that move from their wanted left ends to the right until they no longer overlap the
// blocks before them.
func push(order []*block, wanted func(*block) float64) []float64 {
	ends := make(map[int]float64) // right end of each row's last block
	lefts := make([]float64, len(order))
	for i, b := range order {
		lefts[i] = wanted(b)
		for row := b.first; row <= b.last; row++ {
			if end, isUsed := ends[row]; isUsed {
				lefts[i] = max(lefts[i], end+columnGap)
			}
		}
		for row := b.first; row <= b.last; row++ {
			ends[row] = lefts[i] + b.width
		}
	}
	return lefts
}

// setY sets the tops and heights of the rows, and the height of the picture. A row is as high as its highest vertex. Above a
// row where clusters begin there is room for their titles.
func (l *layout) setY() {
	rows := 0
	for _, v := range l.vertices {
		rows = max(rows, v.row+1)
	}
	l.heights = make([]float64, rows)
	for _, v := range l.vertices {
		l.heights[v.row] = max(l.heights[v.row], v.height)
	}
	titles := make([]float64, rows) // height of the titles above each row
	for _, b := range l.blocks {
		if b.title != "" {
			titles[b.first] = titleHeight
		}
	}
	l.tops = make([]float64, rows)
	bottom := float64(clusterPadding - rowGap) // of the row above; the first row has no gap above it
	for row := range l.tops {
		l.tops[row] = bottom + rowGap + titles[row]
		bottom = l.tops[row] + l.heights[row]
	}
	l.height = bottom + clusterPadding
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
