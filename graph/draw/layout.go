package draw

import (
	"math"
	"unicode/utf8"
)

// Distances in pixels.
const (
	columnGap       = 44
	rowGap          = 16
	clusterPadding  = 12
	titleHeight     = 20
	lineHeight      = 15 // of a line of text in a node
	edgeLabelHeight = 20
	letterWidth     = 7.3 // average, of the largest text in a node
	nodePaddingX    = 22  // left and right of the text, together
	nodePaddingY    = 14  // above and below the text, together
	bendHeight      = 4   // of a vertex without a node
	capHeight       = 7   // of the upper end of a cylinder, where no text goes
)

// vertex is a node with its place in the picture, or a bend: a point that a long edge passes
// through in a column between its ends.
type vertex struct {
	node          *node // nil for a bend
	cluster       *cluster
	column        int     // index of the column
	x, y          float64 // of the centre
	width, height float64
	block         *block    // block that it belongs to; nil before layout.place
	offsetY       float64   // from the top of the block to the centre
	left, right   []*vertex // neighbours in the columns before and after
}

// route is the way of an edge: a vertex in each column, from its start to its end.
type route struct {
	edge     edge
	vertices []*vertex
}

// start returns the vertex where the edge begins.
func (r route) start() *vertex { return r.vertices[0] }

// end returns the vertex where the edge ends.
func (r route) end() *vertex { return r.vertices[len(r.vertices)-1] }

// block is a group of vertices that moves up and down as a whole: a cluster, or a single vertex
// outside all clusters.
type block struct {
	cluster     *cluster // nil for a single vertex
	vertices    []*vertex
	firstColumn int     // index of the leftmost column that it covers
	lastColumn  int     // index of the rightmost column that it covers
	top         float64 // y of the upper end, in pixels
	height      float64 // in pixels

	pulls []pull   // segments to other blocks
	above []*block // nearest blocks above in the same columns
	below []*block // nearest blocks below in the same columns
}

// layout places nodes in columns, by their distance from the inputs at the left. A cluster covers
// consecutive columns, and nothing else lies between its nodes. The method follows
// Sugiyama, Tagawa and Toda (Methods for visual understanding of hierarchical system structures, 1981),
// with blocks in place of their single vertices: columns first (setColumns), then a bend wherever an
// edge passes a column (addBends), then the order of the blocks from top to bottom (stackBlocks).
type layout struct {
	vertexOf map[*node]*vertex
	vertices []*vertex // vertices of nodes, then bends
	routes   []route   // ways of the edges; only start and end until addBends adds the bends between
	blocks   []*block  // all vertices, in groups
	width    float64   // in pixels
	height   float64   // in pixels
}

// newLayout places nodes and the edges between them, and makes a node with several labelled edges so
// high that their labels do not overlap. It leaves out edges to or from other nodes.
func newLayout(nodes []*node, edges []edge) *layout {
	l := &layout{vertexOf: make(map[*node]*vertex)}
	for _, n := range nodes {
		v := newVertex(n)
		l.vertexOf[n] = v
		l.vertices = append(l.vertices, v)
	}
	labelCount := make(map[*vertex]float64) // labelled edges that end at a vertex
	for _, e := range edges {
		from, to := l.vertexOf[e.from], l.vertexOf[e.to]
		if from == nil || to == nil {
			continue
		}
		l.routes = append(l.routes, route{e, []*vertex{from, to}})
		if e.label != "" {
			// Edges arrive edgeLabelHeight apart, with as much room above the first and below the last
			// as between two: see arrivalY.
			labelCount[to]++
			to.height = math.Max(to.height, edgeLabelHeight*(labelCount[to]+1))
		}
	}
	l.setColumns()
	l.addBends()
	l.place()
	return l
}

// newVertex returns the vertex of a node, with the size that its label needs.
func newVertex(n *node) *vertex {
	v := &vertex{node: n, cluster: n.cluster}
	for _, line := range n.label {
		v.width = math.Max(v.width, textWidth(line)+nodePaddingX)
	}
	v.height = lineHeight*float64(len(n.label)) + nodePaddingY + n.kind.capHeight()
	return v
}

// textWidth returns the estimated width of a text in pixels.
func textWidth(text string) float64 {
	return letterWidth * float64(utf8.RuneCountInString(text))
}

// setColumns puts every vertex into the first column after all vertices that it depends on, its operands: a
// route leads from an operand to the vertex that uses it. A vertex without operands, such as a weight, could
// be in column 0, far from the vertices that use it; it moves to the column before the first of them.
func (l *layout) setColumns() {
	l.moveBehindOperands()
	firstUse := make(map[*vertex]int) // column of the leftmost vertex that uses an operand; no entry if none does
	hasOperands := make(map[*vertex]bool)
	for _, r := range l.routes {
		operand := r.start()
		user := r.end()
		hasOperands[user] = true
		column, isUsed := firstUse[operand]
		if !isUsed || user.column < column {
			firstUse[operand] = user.column
		}
	}
	for _, v := range l.vertices {
		column, isUsed := firstUse[v]
		if isUsed && !hasOperands[v] {
			v.column = column - 1 // at least 0, since a user is behind its operands
		}
	}
}

// moveBehindOperands moves the ends of routes to the right until each is behind the start of its
// route. It ends because the drawing has no circle: no vertex moves beyond the length of the longest
// way that leads to it.
func (l *layout) moveBehindOperands() {
	changed := true
	for changed {
		changed = false
		for _, r := range l.routes {
			start := r.start()
			end := r.end()
			if end.column <= start.column {
				end.column = start.column + 1
				changed = true
			}
		}
	}
}

// columnRange is a range of columns, first and last included.
type columnRange struct{ first, last int }

// addBends adds a bend wherever an edge passes a column, and connects neighbouring vertices.
func (l *layout) addBends() {
	ranges := l.clusterColumns()
	for i, r := range l.routes {
		from := r.start()
		to := r.end()
		vertices := []*vertex{from}
		for column := from.column + 1; column < to.column; column++ {
			bend := newBend(column, from.cluster, to.cluster, ranges)
			l.vertices = append(l.vertices, bend)
			vertices = append(vertices, bend)
		}
		l.routes[i].vertices = append(vertices, to)
	}
	for _, r := range l.routes {
		for i, left := range r.vertices[:len(r.vertices)-1] {
			right := r.vertices[i+1]
			left.right = append(left.right, right)
			right.left = append(right.left, left)
		}
	}
}

// newBend returns a bend in a column, of an edge between nodes of two clusters, which may be nil. The bend
// belongs to the cluster of the edge's start as far as that reaches, or to the cluster of its end, so
// that the edge stays inside their frames; between the clusters it belongs to none. ranges are the
// columns of the clusters.
func newBend(column int, from, to *cluster, ranges map[*cluster]columnRange) *vertex {
	bend := &vertex{column: column, height: bendHeight}
	switch {
	case from != nil && column <= ranges[from].last:
		bend.cluster = from
	case to != nil && column >= ranges[to].first:
		bend.cluster = to
	}
	return bend
}

// clusterColumns returns the columns that each cluster covers.
func (l *layout) clusterColumns() map[*cluster]columnRange {
	ranges := make(map[*cluster]columnRange)
	for _, v := range l.vertices {
		if v.cluster == nil {
			continue
		}
		r, isKnown := ranges[v.cluster]
		if !isKnown {
			r = columnRange{v.column, v.column}
		}
		ranges[v.cluster] = columnRange{min(r.first, v.column), max(r.last, v.column)}
	}
	return ranges
}

// place sets the coordinates of vertices and blocks: first within each block, then of the blocks. It
// limits the number of orders that it tries, so that a large picture takes as long as a small one.
func (l *layout) place() {
	l.makeBlocks()
	workPerTry := len(l.vertices)
	for _, r := range l.routes {
		workPerTry += len(r.vertices) - 1
	}
	maxTries := maxLayoutWork / max(1, workPerTry)
	for _, b := range l.blocks {
		b.placeVertices(maxTries)
	}
	for _, b := range l.blocks {
		b.firstColumn = math.MaxInt
		b.lastColumn = 0
		for _, v := range b.vertices {
			v.block = b
			b.firstColumn = min(b.firstColumn, v.column)
			b.lastColumn = max(b.lastColumn, v.column)
		}
	}
	stackBlocks(l.blocks, maxTries)
	l.setY()
	l.setX()
}

// makeBlocks creates a block for each cluster and for each vertex outside all clusters.
func (l *layout) makeBlocks() {
	blockOf := make(map[*cluster]*block)
	for _, v := range l.vertices {
		if b := blockOf[v.cluster]; b != nil && v.cluster != nil {
			b.vertices = append(b.vertices, v)
			continue
		}
		b := &block{cluster: v.cluster, vertices: []*vertex{v}}
		l.blocks = append(l.blocks, b)
		blockOf[v.cluster] = b
	}
}

// placeVertices sets the height of a block and the places of its vertices within it. It stacks the
// vertices as blocks of their own, for which it replaces each vertex's block; layout.place sets it
// again.
func (b *block) placeVertices(maxTries int) {
	var single []*block // a block for each vertex alone
	for _, v := range b.vertices {
		v.offsetY = v.height / 2
		v.block = &block{vertices: []*vertex{v}, firstColumn: v.column, lastColumn: v.column, height: v.height}
		single = append(single, v.block)
	}
	stackBlocks(single, maxTries)
	top := math.Inf(1)
	bottom := math.Inf(-1)
	for _, s := range single {
		top = math.Min(top, s.top)
		bottom = math.Max(bottom, s.top+s.height)
	}
	padding := 0.0
	title := 0.0
	if b.cluster != nil { // a frame with a title surrounds the vertices
		padding = clusterPadding
		title = titleHeight
	}
	for i, v := range b.vertices {
		v.offsetY = single[i].top - top + v.height/2 + padding + title
	}
	b.height = bottom - top + 2*padding + title
}

// setY moves the highest block to 0, and sets the y of all vertices and the layout's height.
func (l *layout) setY() {
	top := math.Inf(1)
	for _, b := range l.blocks {
		top = math.Min(top, b.top)
	}
	for _, v := range l.vertices {
		v.y = v.block.top - top + v.offsetY
	}
	for _, b := range l.blocks {
		b.top -= top
		l.height = math.Max(l.height, b.top+b.height)
	}
}

// setX sets the x of all vertices and the layout's width. A bend is as wide as its column, so
// that the edge crosses the column level.
func (l *layout) setX() {
	widths := l.columnWidths()
	lefts := make([]float64, len(widths)) // x of the columns' left ends
	x := 0.0
	for column, width := range widths {
		lefts[column] = x
		x += width + columnGap
	}
	l.width = x - columnGap
	for _, v := range l.vertices {
		width := widths[v.column]
		v.x = lefts[v.column] + width/2
		if v.node == nil {
			v.width = width
		}
	}
}

// columnWidths returns the widths of all columns: of the widest vertex, or more where the title of
// a cluster that ends in the column would not fit.
func (l *layout) columnWidths() []float64 {
	columns := 0
	for _, v := range l.vertices {
		columns = max(columns, v.column+1)
	}
	widths := make([]float64, columns)
	for _, v := range l.vertices {
		widths[v.column] = math.Max(widths[v.column], v.width)
	}
	for _, b := range l.blocks {
		if b.cluster == nil {
			continue
		}
		available := columnGap * float64(b.lastColumn-b.firstColumn) // gaps between the cluster's columns
		for _, width := range widths[b.firstColumn : b.lastColumn+1] {
			available += width
		}
		widths[b.lastColumn] += math.Max(0, b.cluster.titleWidth()-available)
	}
	return widths
}

// titleWidth returns the width of the cluster's name.
func (c *cluster) titleWidth() float64 { return textWidth(c.name) }

// rect is a rectangle in the picture.
type rect struct{ x, y, width, height float64 }

// bounds returns the rectangle of a vertex.
func (v *vertex) bounds() rect {
	return rect{v.x - v.width/2, v.y - v.height/2, v.width, v.height}
}

// frame returns the rectangle around a cluster.
func (b *block) frame() rect {
	left, right := math.Inf(1), math.Inf(-1)
	for _, v := range b.vertices {
		left = math.Min(left, v.x-v.width/2)
		right = math.Max(right, v.x+v.width/2)
	}
	missing := b.cluster.titleWidth() - (right - left)
	if missing > 0 { // the title is wider than the vertices
		left -= missing / 2
		right += missing / 2
	}
	return rect{left - clusterPadding, b.top, right - left + 2*clusterPadding, b.height}
}

// capHeight returns the height of a shape's upper end, which the text cannot use: weights are
// drawn as cylinders.
func (k nodeKind) capHeight() float64 {
	switch k {
	case nodeWeights, nodeSharedWeights, nodeWeightsGradient:
		return capHeight
	}
	return 0
}
