package draw

import (
	"fmt"
	"html"
	"slices"
)

// maxEdges is the maximum number of edges in a picture. A larger picture takes long to lay out,
// and nobody can read it.
const maxEdges = 5000

// Distances in pixels.
const (
	margin          = 16
	textBaseline    = 11 // from the top of a line of text to its baseline
	arrowLength     = 8
	legendRowHeight = 20
	legendBoxWidth  = 26
	legendBoxHeight = 14
)

// svgStyle is the style sheet. Dark mode inverts brightness and keeps hues. Texts outside boxes have a border
// that covers the edges behind them.
const svgStyle = `<style>
text{font:11px Liberation Sans,Arial,Helvetica,sans-serif}
.bold{font-weight:bold;font-size:12px}.middle{text-anchor:middle}.free{paint-order:stroke;stroke:#ffffff;stroke-width:4}
rect,path{stroke-width:1.4}.dashed{stroke-dasharray:5 4}
@media screen and (prefers-color-scheme:dark){svg{filter:invert(.92) hue-rotate(180deg)}}
</style>
<rect width="100%" height="100%" fill="#ffffff"/>
`

// svg returns the drawing in SVG: the title, the layout and a legend below it. It returns an error if there are more than
// maxEdges edges.
func (d *drawing) svg() (string, error) {
	if len(d.edges) > maxEdges {
		return "", fmt.Errorf("the picture has %d lines and SVG allows %d: use DOT with Graphviz", len(d.edges), maxEdges)
	}
	l := newLayout(d)
	legend := d.legend()
	width := max(l.width, textWidth(d.title))
	for _, look := range legend {
		width = max(width, legendBoxWidth+textWidth(look.name))
	}
	const titleRow = 2 * margin
	width += 2 * margin
	height := titleRow + l.height + legendRowHeight*float64(len(legend)+1) + margin

	w := new(writer) // a later element covers an earlier one
	// The origin of the coordinates is the layout's upper left corner.
	w.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="%d %d %.0f %.0f" style="max-width:100%%;height:auto">`+"\n",
		width, height, -margin, -titleRow, width, height)
	w.WriteString(svgStyle)
	w.writeText(0, textBaseline-margin, "bold", frameLook.text, d.title)
	w.writeLayout(l)
	for i, look := range legend {
		top := l.height + legendRowHeight*float64(i+1)
		w.writeBox(rect{0, top, legendBoxWidth, legendBoxHeight}, look)
		w.writeText(legendBoxWidth+letterWidth, top+textBaseline, "", frameLook.text, look.name)
	}
	w.printf("</svg>\n")
	return w.String(), nil
}

// legend returns the looks of the nodes in the drawing.
func (d *drawing) legend() []nodeLook {
	var looks []nodeLook
	for kind, look := range nodeLooks {
		if slices.ContainsFunc(d.nodes, func(n *node) bool { return n.kind == nodeKind(kind) }) {
			looks = append(looks, look)
		}
	}
	return looks
}

// writeLayout writes the frames of the clusters, the edges, and the nodes.
func (w *writer) writeLayout(l *layout) {
	for _, b := range l.blocks {
		if b.title != "" {
			w.writeBox(l.frame(b), frameLook)
		}
	}
	for _, r := range l.routes {
		w.writeRoute(l, r)
	}
	for _, b := range l.blocks {
		if b.title != "" {
			frame := l.frame(b)
			w.writeText(frame.x+clusterPadding, frame.y+titleHeight-2, "bold free", frameLook.text, b.title)
		}
	}
	for _, v := range l.vertices {
		if v.node != nil {
			w.writeNode(v.node, l.bounds(v))
		}
	}
}

// writeText writes a text whose baseline is at a point. classes are of svgStyle.
func (w *writer) writeText(x, y float64, classes, colour, text string) {
	w.printf(`<text class="%s" x="%.1f" y="%.1f" fill="%s">%s</text>`+"\n", classes, x, y, colour, html.EscapeString(text))
}

// writeBox writes a rectangle.
func (w *writer) writeBox(r rect, look nodeLook) {
	w.printf(`<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="6" fill="%s" stroke="%s"/>`+"\n",
		outlineClass(look.dashed), r.x, r.y, r.width, r.height, look.fill, look.stroke)
}

// outlineClass returns the class of lines that are dashed, or are not.
func outlineClass(dashed bool) string {
	if dashed {
		return "dashed"
	}
	return "solid"
}

// writeNode writes a node with the lines of its label, the first of them bold.
func (w *writer) writeNode(n *node, r rect) {
	look := nodeLooks[n.kind]
	w.writeBox(r, look)
	classes := "bold middle"
	for i, line := range n.label {
		w.writeText(r.x+r.width/2, r.y+nodePaddingY/2+textBaseline+lineHeight*float64(i), classes, look.text, line)
		classes = "middle"
	}
}

// writeRoute writes an edge with its arrow and its label: curves from row to row, and upright lines through the rows that it
// passes. The label is in the middle of the last curve.
func (w *writer) writeRoute(l *layout, r route) {
	const (
		bow            = rowGap / 2 // how far a curve continues upright at its ends, at least
		arrowHalfWidth = 4
	)
	look := edgeLooks[r.edge.kind]
	start := l.bounds(r.vertices[0])
	x, y := r.vertices[0].x(), start.y+start.height // the end of the path so far
	w.printf(`<path class="%s" fill="none" stroke="%s" d="M%.1f %.1f`, outlineClass(look.dashed), look.colour, x, y)
	labelX, labelY := 0.0, 0.0
	for _, v := range r.vertices[1:] {
		isBend := v.node == nil
		top := l.bounds(v).y
		if !isBend { // the arrow is between the curve and the node
			top -= arrowLength
		}
		labelX, labelY = (x+v.x())/2, (y+top)/2
		w.printf("C%.1f %.1f %.1f %.1f %.1f %.1f", x, y+bow, v.x(), top-bow, v.x(), top)
		x, y = v.x(), top
		if isBend {
			y = l.tops[v.row] + l.heights[v.row]
			w.printf("V%.1f", y)
		}
	}
	w.printf("\"/>\n<path fill=\"%s\" d=\"M%.1f %.1fl-%[4]d 0 %[4]d %[5]d %[4]d -%[5]dz\"/>\n", look.colour, x, y, arrowHalfWidth, arrowLength)
	if r.edge.label != "" {
		w.writeText(labelX, labelY, "bold middle free", frameLook.text, r.edge.label)
	}
}
