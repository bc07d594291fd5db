package draw

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// maxEdges is the maximum number of edges in a picture. A larger picture takes long to lay out,
// and nobody can read it.
const maxEdges = 5000

// Distances in pixels.
const (
	margin          = 16
	titleLineHeight = 22 // of the title of the picture
	arrowLength     = 12 // an edge ends with an upright line of this length
	textBaseline    = 11 // from the top of a line of text to its baseline
	legendRowHeight = 20
	legendBoxWidth  = 26
	legendBoxHeight = 14
)

// svg returns the drawing in SVG. It returns an error if there are more than maxEdges edges.
func (d *drawing) svg() (string, error) {
	if len(d.edges) > maxEdges {
		return "", fmt.Errorf("the picture has %d lines and SVG allows %d: use DOT with Graphviz", len(d.edges), maxEdges)
	}
	l := newLayout(d)
	legend := d.legend()
	width := l.width
	for _, look := range legend {
		width = max(width, legendBoxWidth+textWidth("  "+look.name))
	}
	title := wrap(d.title, width)
	top := titleLineHeight*float64(len(title)) + margin
	height := top + l.height + legendRowHeight*float64(len(legend)+1) + 2*margin
	width += 2 * margin

	p := new(painter)
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" style="max-width:100%%;height:auto">`+"\n", width, height, width, height)
	p.writeStyle()
	for kind := range edgeLooks {
		p.printf(`<marker id="arrow%d" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="edge%d head" d="M0 0L10 5L0 10z"/></marker>`+"\n", kind, kind)
	}
	p.printf(`<g class="ground"><rect width="100%%" height="100%%"/>` + "\n")
	for i, line := range title {
		p.writeText(margin, margin+titleLineHeight*float64(i+1)-5, "title", line)
	}
	p.printf(`</g><g transform="translate(%d %.0f)">`+"\n", margin, margin+top)
	for _, b := range l.blocks {
		if b.cluster != nil {
			p.writeBox("frame", l.frame(b))
			p.printf("</g>\n")
		}
	}
	for _, r := range l.routes {
		p.writeRoute(l, r)
	}
	for _, b := range l.blocks {
		if b.cluster != nil {
			p.writeFrameTitle(l.frame(b), b.cluster.name)
		}
	}
	for _, v := range l.vertices {
		if v.node != nil {
			p.writeNode(v.node, l.bounds(v))
		}
	}
	for i, look := range legend {
		p.writeLegend(look, l.height+legendRowHeight*float64(i+1))
	}
	p.printf("</g>\n</svg>\n")
	return p.String(), nil
}

// wrap divides a text into lines of about the given width, for the size of titles.
func wrap(text string, width float64) []string {
	const titleScale = 1.3 // width of the letters of titles over textWidth
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && titleScale*textWidth(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// legend returns the looks of the nodes in the drawing.
func (d *drawing) legend() []nodeLook {
	var looks []nodeLook
	for _, look := range nodeLooks {
		if slices.ContainsFunc(d.nodes, func(n *node) bool { return n.kind == look.kind }) {
			looks = append(looks, look)
		}
	}
	return looks
}

// painter writes the elements of an SVG page. A later element covers an earlier one.
type painter struct{ strings.Builder }

// printf appends to the page.
func (p *painter) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

// writeStyle writes the style element: the colours of all classes, in the dark on a dark screen.
func (p *painter) writeStyle() {
	p.printf("<style>\ntext{font:11px Helvetica,Arial,'DejaVu Sans',sans-serif;text-anchor:middle}\n" +
		".name,.frame text,.label{font-weight:bold;font-size:12px}.start,.frame text,.title{text-anchor:start}.title{font-size:16px;font-weight:bold}\n" +
		"rect,path{stroke-width:1.4}.halo{paint-order:stroke;stroke-width:5}\n")
	p.writeBoxStyle("ground", lightGround)
	p.writeBoxStyle("frame", lightFrame)
	for _, look := range nodeLooks {
		p.writeBoxStyle(look.class(), look.light)
		if look.dashed {
			p.printf(".%s rect{stroke-dasharray:5 4}\n", look.class())
		}
	}
	for kind, look := range edgeLooks {
		p.printf(".edge%d{fill:%s;stroke:%s}", kind, look.light, look.light)
		if look.dashed {
			p.printf(".edge%d{stroke-dasharray:5 4}", kind)
		}
	}
	p.printf("\n@media screen and (prefers-color-scheme:dark){\n")
	p.writeBoxStyle("ground", darkGround)
	p.writeBoxStyle("frame", darkFrame)
	for _, look := range nodeLooks {
		p.writeBoxStyle(look.class(), look.dark)
	}
	for kind, look := range edgeLooks {
		p.printf(".edge%d{fill:%s;stroke:%s}", kind, look.dark, look.dark)
	}
	p.printf("}\n.line{fill:none}.head,.label{stroke:none}text:not(.halo){stroke:none}\n</style>\n")
}

// writeBoxStyle writes the colours of a class of boxes and their texts.
func (p *painter) writeBoxStyle(class string, colours palette) {
	p.printf(".%s rect{fill:%s;stroke:%s}.%s text{fill:%s;stroke:%s}\n", class, colours.fill, colours.stroke, class, colours.text, colours.fill)
}

// class returns the class of nodes with the look.
func (n nodeLook) class() string { return fmt.Sprintf("node%d", n.kind) }

// writeText writes a text whose baseline is at a point.
func (p *painter) writeText(x, y float64, class, text string) {
	p.printf(`<text class="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, x, y, html.EscapeString(text))
}

// writeBox begins a group of a class with a rectangle.
func (p *painter) writeBox(class string, r rect) {
	p.printf(`<g class="%s"><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6"/>`+"\n", class, r.x, r.y, r.width, r.height)
}

// writeFrameTitle writes the name of a cluster into its frame.
func (p *painter) writeFrameTitle(r rect, name string) {
	p.printf(`<g class="frame">`)
	p.writeText(r.x+clusterPadding, r.y+titleHeight-2, "halo", name)
	p.printf("</g>\n")
}

// writeNode writes a node with the lines of its label, the first of them bold.
func (p *painter) writeNode(n *node, r rect) {
	p.writeBox(lookOf(n.kind).class(), r)
	class := "name"
	for i, line := range n.label {
		p.writeText(r.x+r.width/2, r.y+nodePaddingY/2+textBaseline+lineHeight*float64(i), class, line)
		class = "detail"
	}
	p.printf("</g>\n")
}

// writeLegend writes an entry of the legend.
func (p *painter) writeLegend(look nodeLook, top float64) {
	p.writeBox(look.class(), rect{0, top, legendBoxWidth, legendBoxHeight})
	p.printf(`</g><g class="ground">`)
	p.writeText(legendBoxWidth+letterWidth, top+textBaseline, "start", look.name)
	p.printf("</g>\n")
}

// writeRoute writes an edge with its arrow and its label: upright lines through the rows, and straight lines
// between them.
func (p *painter) writeRoute(l *layout, r route) {
	start := r.vertices[0]
	end := r.vertices[len(r.vertices)-1]
	bounds := l.bounds(start)
	p.printf(`<path class="edge%d line" marker-end="url(#arrow%d)" d="M%.1f %.1f`, r.edge.kind, r.edge.kind, start.x(), bounds.y+bounds.height)
	x := start.x()
	for i, v := range r.vertices {
		if i > 0 {
			x = v.x()
			if v == end {
				x = v.arrivalX(r.vertices[i-1])
			}
			p.printf("L%.1f %.1f", x, l.tops[v.row]-arrowLength)
		}
		if v != end {
			p.printf("L%.1f %.1f", x, l.tops[v.row]+l.heights[v.row])
		}
	}
	top := l.bounds(end).y
	p.printf("V%.1f\"/>\n", top)
	if r.edge.label != "" {
		p.writeText(x+5, top-2, fmt.Sprintf("edge%d label start", r.edge.kind), r.edge.label)
	}
}

// arrivalX returns the x at which the edge from a neighbour arrives. Edges that arrive at the same vertex are
// spread over its width, in the order of their neighbours.
func (v *vertex) arrivalX(from *vertex) float64 {
	neighbours := slices.Clone(v.above)
	slices.SortStableFunc(neighbours, func(a, b *vertex) int { return cmp.Compare(a.x(), b.x()) })
	distance := min(arrivalGap, v.width/float64(len(neighbours)+1))
	middle := float64(len(neighbours)-1) / 2
	return v.x() + distance*(float64(slices.Index(neighbours, from))-middle)
}
