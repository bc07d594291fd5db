package draw

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// look is how a kind of node is painted.
type look struct {
	name         string // in the legend
	fill, stroke string
	text         string
	dashed       bool
	shape        string // of Graphviz
}

var looks = map[nodeKind]look{
	data:          {"input", "#dbeafe", "#2563eb", "#111827", false, "parallelogram"},
	weights:       {"weights", "#fdf3e1", "#c2740a", "#111827", false, "cylinder"},
	sharedWeights: {"weights shared by passes", "#f9cf8f", "#c2740a", "#111827", false, "cylinder"},
	operation:     {"operation", "#ffffff", "#5b6770", "#111827", false, "box"},
	dropout:       {"dropout mask, drawn anew at every step", "#ede4fb", "#7c3aed", "#111827", true, "box"},
	stop:          {"stop gradient: no gradient passes it", "#fde2e1", "#c81e1e", "#8f1414", false, "octagon"},
	loss:          {"loss", "#1f2937", "#1f2937", "#ffffff", false, "box"},
	gradient:      {"gradient", "#fff6f6", "#c26a70", "#111827", false, "box"},
	result:        {"gradient of weights", "#fdebcf", "#c26a70", "#111827", false, "cylinder"},
}

// kinds in the legend's order.
var kinds = []nodeKind{data, weights, sharedWeights, operation, dropout, stop, loss, gradient, result}

var edgeLooks = map[edgeKind]struct {
	stroke string
	dash   string
}{
	plain:     {"#5b6770", ""},
	ofWeights: {"#c2740a", ""},
	stopped:   {"#c81e1e", "5 4"},
	backward:  {"#c26a70", ""},
}

// Margins of the picture.
const (
	margin       = 28
	legendHeight = 40
)

// maxLines is the maximum number of lines in a picture. A larger picture takes long to lay out,
// and nobody can read it.
const maxLines = 5000

// svg lays the drawing out and writes it.
func (d *drawing) svg() (string, error) {
	if len(d.edges) > maxLines {
		return "", fmt.Errorf("the picture has %d lines, and is laid out up to %d: take DOT, for which there is Graphviz", len(d.edges), maxLines)
	}
	var forward, back []*node
	for _, n := range d.nodes {
		if n.kind == gradient || n.kind == result {
			back = append(back, n)
		} else {
			forward = append(forward, n)
		}
	}
	p := &painter{}
	above := newLayout(forward, d.edges)
	p.wide = above.wide
	var below *layout
	if len(back) > 0 {
		below = newLayout(back, d.edges)
		p.wide = math.Max(p.wide, below.wide)
	}
	legend := p.legend(d.kinds)
	p.wide = math.Max(p.wide, legend)
	top := float64(margin + titleHeight + 12)
	p.text(margin, margin+6, "start", 17, "#111827", "bold", d.title)
	p.paint(above, margin, top, false)
	bottom := top + above.tall
	if below != nil {
		shift := margin + p.wide - below.wide
		p.paint(below, shift, bottom+3*rowGap, true)
		for _, e := range d.edges {
			if from, to := above.boxes[e.from], below.boxes[e.to]; from != nil && to != nil {
				p.drop(from, to)
			}
		}
		bottom += 3*rowGap + below.tall
	}
	p.wide += 2 * margin
	tall := bottom + margin + legendHeight
	var page strings.Builder
	fmt.Fprintf(&page, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">`+"\n", p.wide, tall, p.wide, tall)
	page.WriteString(darkStyle() + "<defs>\n")
	for _, kind := range []edgeKind{plain, ofWeights, stopped, backward} {
		fmt.Fprintf(&page, `<marker id="arrow%d" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="%s"/></marker>`+"\n", kind, edgeLooks[kind].stroke)
	}
	page.WriteString("</defs>\n")
	page.WriteString(`<rect id="ground" width="100%" height="100%" fill="#ffffff"/>` + "\n")
	page.WriteString(p.frames.String() + p.lines.String() + p.boxes.String())
	fmt.Fprintf(&page, `<g transform="translate(%d %.1f)">`+"\n", margin, bottom+margin)
	page.WriteString(p.key.String() + "</g>\n</svg>\n")
	return page.String(), nil
}

// painter collects the layers of a page.
type painter struct {
	wide                      float64
	frames, lines, boxes, key strings.Builder
}

func (p *painter) text(x, y float64, anchor string, height int, colour, weight, text string) {
	writeText(&p.boxes, x, y, anchor, height, colour, weight, text)
}

func writeText(to *strings.Builder, x, y float64, anchor string, height int, colour, weight, text string) {
	fmt.Fprintf(to, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="%s" font-weight="%s">%s</text>`+"\n",
		x, y, anchor, height, colour, weight, html.EscapeString(text))
}

// paint draws a layout at a place, mirrored for what runs from right to left.
func (p *painter) paint(l *layout, left, top float64, mirrored bool) {
	for _, b := range l.order {
		b.y += top
		if mirrored {
			b.x = l.wide - b.x
		}
		b.x += left
	}
	for _, c := range l.blocks {
		c.top += top
		if c.cluster == nil {
			continue
		}
		fill, stroke := "#f1f8f1", "#7fae86"
		switch {
		case c.cluster.pass:
			fill, stroke = "#f3f6fa", "#94a3b8"
		case mirrored:
			fill, stroke = "#fffafa", "#e3b5b8"
		}
		x, y, w, h := c.frame()
		fmt.Fprintf(&p.frames, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="10" fill="%s" stroke="%s"/>`+"\n", x, y, w, h, fill, stroke)
		writeText(&p.frames, x+clusterPad, y+titleHeight-3, "start", 13, "#374151", "bold", c.cluster.name)
	}
	for _, r := range l.routes {
		p.line(r, mirrored)
	}
	for _, b := range l.order {
		if b.node != nil {
			p.box(b)
		}
	}
}

// line draws an edge, level where it leaves and arrives.
func (p *painter) line(r route, mirrored bool) {
	side := 1.0
	if mirrored {
		side = -1
	}
	var path strings.Builder
	last := r.by[len(r.by)-1]
	endY := last.port(r.by[len(r.by)-2])
	var x, y, endX float64
	for i, b := range r.by[:len(r.by)-1] {
		next := r.by[i+1]
		x, y = b.x+side*b.wide/2, b.y
		if i == 0 {
			fmt.Fprintf(&path, "M%.1f %.1f", x, y)
		} else {
			fmt.Fprintf(&path, "L%.1f %.1f", x, y)
		}
		toX, toY := next.x-side*next.wide/2, next.y
		if next == last {
			toY, endX = endY, toX
		}
		bend := (toX - x) / 2
		fmt.Fprintf(&path, "C%.1f %.1f %.1f %.1f %.1f %.1f", x+bend, y, toX-bend, toY, toX, toY)
	}
	look := edgeLooks[r.edge.kind]
	dash := ""
	if look.dash != "" {
		dash = fmt.Sprintf(` stroke-dasharray="%s"`, look.dash)
	}
	fmt.Fprintf(&p.lines, `<path d="%s" fill="none" stroke="%s" stroke-width="1.4"%s marker-end="url(#arrow%d)"/>`+"\n", path.String(), look.stroke, dash, r.edge.kind)
	if r.edge.label != "" {
		writeText(&p.boxes, endX-side*9, endY-5, map[bool]string{false: "end", true: "start"}[mirrored], 12, look.stroke, "bold", r.edge.label)
	}
}

// port is the height at which the line from a neighbour arrives: lines that
// meet at a box are a little apart, in the order in which they come.
func (b *box) port(from *box) float64 {
	coming := slices.Clone(b.left)
	slices.SortStableFunc(coming, func(p, q *box) int {
		if p.y < q.y {
			return -1
		}
		if p.y > q.y {
			return 1
		}
		return 0
	})
	between := math.Min(labelHeight, b.tall/float64(len(coming)+1))
	return b.y + between*(float64(slices.Index(coming, from))-float64(len(coming)-1)/2)
}

// drop draws the line from a value to the gradient that starts there.
func (p *painter) drop(from, to *box) {
	x, y, endX, endY := from.x, from.y+from.tall/2, to.x, to.y-to.tall/2
	bend := (endY - y) / 2
	fmt.Fprintf(&p.lines, `<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="1.2" stroke-dasharray="2 4" marker-end="url(#arrow%d)"/>`+"\n",
		x, y, x, y+bend, endX, endY-bend, endX, endY, edgeLooks[backward].stroke, backward)
}

func (p *painter) box(b *box) {
	shape(&p.boxes, b.node.kind, b.x-b.wide/2, b.y-b.tall/2, b.wide, b.tall)
	look := looks[b.node.kind]
	at := b.y - lineHeight*float64(len(b.node.label)-1)/2 + 4.5 + b.node.kind.lid()/2
	for i, line := range b.node.label {
		height, weight := 13, "bold"
		if i > 0 {
			height, weight = 11, "normal"
		}
		p.text(b.x, at, "middle", height, look.text, weight, line)
		at += lineHeight
	}
}

// shape draws the outline of a kind of node.
func shape(to *strings.Builder, kind nodeKind, x, y, w, h float64) {
	look := looks[kind]
	style := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.4"`, look.fill, look.stroke)
	if look.dashed {
		style += ` stroke-dasharray="4 3"`
	}
	polygon := func(points ...float64) {
		var list []string
		for i := 0; i < len(points); i += 2 {
			list = append(list, fmt.Sprintf("%.1f,%.1f", points[i], points[i+1]))
		}
		fmt.Fprintf(to, `<polygon points="%s" %s/>`+"\n", strings.Join(list, " "), style)
	}
	c := math.Min(9, h/3)
	switch kind {
	case stop:
		polygon(x+c, y, x+w-c, y, x+w, y+c, x+w, y+h-c, x+w-c, y+h, x+c, y+h, x, y+h-c, x, y+c)
	case data:
		polygon(x+7, y, x+w, y, x+w-7, y+h, x, y+h)
	case weights, sharedWeights, result:
		fmt.Fprintf(to, `<path d="M%.1f %.1fa%.1f 5 0 0 1 %.1f 0v%.1fa%.1f 5 0 0 1 %.1f 0z" %s/>`+"\n", x, y+4, w/2, w, h-8, w/2, -w, style)
		fmt.Fprintf(to, `<path d="M%.1f %.1fa%.1f 5 0 0 0 %.1f 0" %s/>`+"\n", x, y+4, w/2, w, style)
	default:
		fmt.Fprintf(to, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="5" %s/>`+"\n", x, y, w, h, style)
	}
}

// legend explains the shapes that there are and returns its width.
func (p *painter) legend(present map[nodeKind]bool) float64 {
	x := 0.0
	for _, kind := range kinds {
		if !present[kind] {
			continue
		}
		shape(&p.key, kind, x, 0, 30, 20)
		name := looks[kind].name
		writeText(&p.key, x+37, 14, "start", 12, "#374151", "normal", name)
		x += 37 + 6.9*float64(utf8.RuneCountInString(name)) + 20
	}
	return x
}
