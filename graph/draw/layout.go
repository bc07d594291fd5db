package draw

import (
	"math"
	"unicode/utf8"
)

// Distances in pixels.
const (
	columnGap   = 44
	rowGap      = 16
	clusterPad  = 12
	titleHeight = 20
	lineHeight  = 15
	labelHeight = 20 // of a line that arrives at a box
	letterWidth = 7.3
)

// box is a node, or a point that a long line goes through, with its place.
type box struct {
	node        *node // nil for a point
	cluster     *cluster
	layer       int
	x, y        float64 // of the centre
	wide, tall  float64
	block       *block
	fromTop     float64 // of the centre, within its block
	left, right []*box  // neighbours
}

// route is the way of an edge from box to box, through points.
type route struct {
	edge edge
	by   []*box
}

// block is what moves up and down as one: a cluster, or a box outside all.
type block struct {
	cluster     *cluster
	boxes       []*box
	first, last int // layers
	top, tall   float64

	pulls        []pull   // of the lines to other blocks
	above, below []*block // next to it, in any of its columns
}

// layout is a layered picture, inputs at the left. Boxes stand in columns by
// their distance from the inputs; a cluster covers consecutive columns, in which
// nothing else is between its boxes. Source of the method: Sugiyama, Tagawa and
// Toda 1981, with blocks in place of their single vertices.
type layout struct {
	boxes      map[*node]*box
	order      []*box
	routes     []route
	blocks     []*block
	wide, tall float64
}

func newLayout(nodes []*node, edges []edge) *layout {
	l := &layout{boxes: make(map[*node]*box)}
	for _, n := range nodes {
		b := &box{node: n, cluster: n.cluster}
		for _, line := range n.label {
			b.wide = math.Max(b.wide, letterWidth*float64(utf8.RuneCountInString(line))+22)
		}
		b.tall = lineHeight*float64(len(n.label)) + 14 + n.kind.lid()
		l.boxes[n], l.order = b, append(l.order, b)
	}
	labels := make(map[*box]float64)
	for _, e := range edges {
		if from, to := l.boxes[e.from], l.boxes[e.to]; from != nil && to != nil {
			l.routes = append(l.routes, route{e, []*box{from, to}})
			if e.label != "" { // room for it beside the others
				labels[to]++
				to.tall = math.Max(to.tall, labelHeight*(labels[to]+1))
			}
		}
	}
	l.layers()
	l.points()
	l.place()
	return l
}

// layers puts every box behind all that it depends on, and what depends on
// nothing right before its first use.
func (l *layout) layers() {
	for changed := true; changed; {
		changed = false
		for _, r := range l.routes {
			if from, to := r.by[0], r.by[1]; to.layer <= from.layer {
				to.layer, changed = from.layer+1, true
			}
		}
	}
	first, has := make(map[*box]int), make(map[*box]bool)
	for _, r := range l.routes {
		from, to := r.by[0], r.by[1]
		if at, ok := first[from]; !ok || to.layer < at {
			first[from] = to.layer
		}
		has[to] = true
	}
	for _, b := range l.order {
		if at, ok := first[b]; ok && !has[b] {
			b.layer = at - 1
		}
	}
}

// points cuts lines over several columns at each column.
func (l *layout) points() {
	spans := make(map[*cluster][2]int)
	for _, b := range l.order {
		if c := b.cluster; c != nil {
			span, ok := spans[c]
			if !ok {
				span = [2]int{b.layer, b.layer}
			}
			spans[c] = [2]int{min(span[0], b.layer), max(span[1], b.layer)}
		}
	}
	for i, r := range l.routes {
		from, to := r.by[0], r.by[1]
		by := []*box{from}
		for layer := from.layer + 1; layer < to.layer; layer++ {
			p := &box{layer: layer, tall: 4}
			switch {
			case from.cluster != nil && layer <= spans[from.cluster][1]:
				p.cluster = from.cluster
			case to.cluster != nil && layer >= spans[to.cluster][0]:
				p.cluster = to.cluster
			}
			l.order = append(l.order, p)
			by = append(by, p)
		}
		l.routes[i].by = append(by, to)
	}
	for _, r := range l.routes {
		for i := range r.by[1:] {
			a, b := r.by[i], r.by[i+1]
			a.right, b.left = append(a.right, b), append(b.left, a)
		}
	}
}

// place finds coordinates: first within each cluster, then of clusters and
// what is outside them.
func (l *layout) place() {
	known := make(map[*cluster]*block)
	for _, b := range l.order {
		if c := known[b.cluster]; c != nil && b.cluster != nil {
			c.boxes = append(c.boxes, b)
			continue
		}
		b := &block{cluster: b.cluster, boxes: []*box{b}}
		l.blocks = append(l.blocks, b)
		known[b.cluster] = b
	}
	size := len(l.order)
	for _, r := range l.routes {
		size += len(r.by) - 1
	}
	tries := effort / max(1, size)
	for _, c := range l.blocks {
		c.arrange(tries)
	}
	for _, c := range l.blocks {
		c.first, c.last = math.MaxInt, 0
		for _, b := range c.boxes {
			b.block = c
			c.first, c.last = min(c.first, b.layer), max(c.last, b.layer)
		}
	}
	stack(l.blocks, tries)
	l.settle()
}

// arrange places the boxes of a block within it.
func (c *block) arrange(tries int) {
	var inner []*block
	for _, b := range c.boxes {
		b.fromTop = b.tall / 2
		b.block = &block{boxes: []*box{b}, first: b.layer, last: b.layer, tall: b.tall}
		inner = append(inner, b.block)
	}
	stack(inner, tries)
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, b := range inner {
		top, bottom = math.Min(top, b.top), math.Max(bottom, b.top+b.tall)
	}
	pad, title := 0.0, 0.0
	if c.cluster != nil {
		pad, title = clusterPad, titleHeight
	}
	for i, b := range c.boxes {
		b.fromTop = inner[i].top - top + b.tall/2 + pad + title
	}
	c.tall = bottom - top + 2*pad + title
}

// settle turns layers and blocks into coordinates.
func (l *layout) settle() {
	top, layers := math.Inf(1), 0
	for _, c := range l.blocks {
		top = math.Min(top, c.top)
	}
	for _, b := range l.order {
		b.y = b.block.top - top + b.fromTop
		layers = max(layers, b.layer+1)
	}
	for _, c := range l.blocks {
		c.top -= top
		l.tall = math.Max(l.tall, c.top+c.tall)
	}
	width := make([]float64, layers)
	for _, b := range l.order {
		width[b.layer] = math.Max(width[b.layer], b.wide)
	}
	for _, c := range l.blocks {
		if c.cluster == nil {
			continue
		}
		have := columnGap * float64(c.last-c.first)
		for _, w := range width[c.first : c.last+1] {
			have += w
		}
		width[c.last] += math.Max(0, c.cluster.titleWidth()-have)
	}
	left, at := make([]float64, layers), 0.0
	for layer, w := range width {
		left[layer] = at
		at += w + columnGap
	}
	for _, b := range l.order {
		w := width[b.layer]
		b.x = left[b.layer] + w/2
		if b.node == nil {
			b.wide = w
		}
	}
	l.wide = at - columnGap
}

func (c *cluster) titleWidth() float64 {
	return letterWidth * float64(utf8.RuneCountInString(c.name))
}

// frame is the rectangle of a cluster.
func (c *block) frame() (left, top, wide, tall float64) {
	left, right := math.Inf(1), math.Inf(-1)
	for _, b := range c.boxes {
		left, right = math.Min(left, b.x-b.wide/2), math.Max(right, b.x+b.wide/2)
	}
	if more := c.cluster.titleWidth() - (right - left); more > 0 {
		left, right = left-more/2, right+more/2
	}
	return left - clusterPad, c.top, right - left + 2*clusterPad, c.tall
}

// lid returns the height of a shape's upper end, which the shape's text cannot use: weights are
// drawn as cylinders.
func (k nodeKind) lid() float64 {
	if k == weights || k == sharedWeights || k == result {
		return 7
	}
	return 0
}
