package draw

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// nodeLook is how nodes of a kind are painted.
type nodeLook struct {
	name          string // in the legend
	fill, stroke  string // colours
	text          string // colour
	dashed        bool   // whether the outline is
	graphvizShape string // name of the shape in DOT
}

var nodeLooks = map[nodeKind]nodeLook{
	nodeInput: {
		name: "input", fill: "#dbeafe", stroke: "#2563eb", text: "#111827",
		graphvizShape: "parallelogram",
	},
	nodeWeights: {
		name: "weights", fill: "#fdf3e1", stroke: "#c2740a", text: "#111827",
		graphvizShape: "cylinder",
	},
	nodeSharedWeights: {
		name: "weights shared by passes", fill: "#f9cf8f", stroke: "#c2740a", text: "#111827",
		graphvizShape: "cylinder",
	},
	nodeOperation: {
		name: "operation", fill: "#ffffff", stroke: "#5b6770", text: "#111827",
		graphvizShape: "box",
	},
	nodeDropout: {
		name: "dropout mask, drawn anew at every step", fill: "#ede4fb", stroke: "#7c3aed", text: "#111827",
		dashed: true, graphvizShape: "box",
	},
	nodeStop: {
		name: "stop gradient: no gradient passes it", fill: "#fde2e1", stroke: "#c81e1e", text: "#8f1414",
		graphvizShape: "octagon",
	},
	nodeLoss: {
		name: "loss", fill: "#1f2937", stroke: "#1f2937", text: "#ffffff",
		graphvizShape: "box",
	},
	nodeGradient: {
		name: "gradient", fill: "#fff6f6", stroke: "#c26a70", text: "#111827",
		graphvizShape: "box",
	},
	nodeWeightsGradient: {
		name: "gradient of weights", fill: "#fdebcf", stroke: "#c26a70", text: "#111827",
		graphvizShape: "cylinder",
	},
}

// legendKinds lists the kinds of nodes in the order of the legend.
var legendKinds = []nodeKind{
	nodeInput, nodeWeights, nodeSharedWeights, nodeOperation, nodeDropout, nodeStop, nodeLoss,
	nodeGradient, nodeWeightsGradient,
}

// edgeLook is how edges of a kind are painted.
type edgeLook struct {
	stroke string // colour
	dashes string // lengths of dashes and gaps in SVG; "" for a solid line
}

var edgeLooks = map[edgeKind]edgeLook{
	edgePlain:    {stroke: "#5b6770"},
	edgeWeights:  {stroke: "#c2740a"},
	edgeStopped:  {stroke: "#c81e1e", dashes: "5 4"},
	edgeGradient: {stroke: "#c26a70"},
}

// frameLook is how the frame of a cluster is painted.
type frameLook struct{ fill, stroke string }

var (
	termFrame     = frameLook{"#f1f8f1", "#7fae86"}
	passFrame     = frameLook{"#f3f6fa", "#94a3b8"}
	gradientFrame = frameLook{"#fffafa", "#e3b5b8"}
)

// textStyle is the font of a text.
type textStyle struct {
	anchor string // "start", "middle" or "end" of the text is at its x
	size   int    // in pixels
	weight string // "normal" or "bold"
}

var (
	titleStyle  = textStyle{"start", 17, "bold"}
	frameStyle  = textStyle{"start", 13, "bold"}
	legendStyle = textStyle{"start", 12, "normal"}
	nameStyle   = textStyle{"middle", 13, "bold"} // first line of a node
	detailStyle = textStyle{"middle", 11, "normal"}
)

// Colours of texts outside nodes.
const (
	titleColour = "#111827"
	nameColour  = "#374151"
)

// Distances in pixels.
const (
	margin             = 28
	titleBaseline      = 6  // from the margin down to the baseline of the picture's title
	titleGap           = 12 // below the picture's title
	frameTitleRise     = 3  // from the baseline of a frame's title to the end of the room for it
	gradientGap        = 3 * rowGap
	legendHeight       = 40
	legendShapeWidth   = 30
	legendShapeHeight  = 20
	legendTextOffset   = 37 // from the left of a shape to its text
	legendBaseline     = 14 // from the top of a shape to the baseline of its text
	legendLetterWidth  = 6.9
	legendGap          = 20  // between entries
	textBaselineOffset = 4.5 // from the middle of a line of text to its baseline
)

// maxEdges is the maximum number of edges in a picture. A larger picture takes long to lay out,
// and nobody can read it.
const maxEdges = 5000

// svg returns the drawing in SVG. It returns an error if there are more than maxEdges edges.
func (d *drawing) svg() (string, error) {
	if len(d.edges) > maxEdges {
		return "", fmt.Errorf("the picture has %d lines and SVG allows %d: use DOT with Graphviz", len(d.edges), maxEdges)
	}
	forwardNodes, gradientNodes := d.splitNodes()
	forward := newLayout(forwardNodes, d.edges)
	var gradients *layout // nil if there are none
	if len(gradientNodes) > 0 {
		gradients = newLayout(gradientNodes, d.edges)
	}
	p := new(painter)
	legendWidth := p.paintLegend(d.kinds)
	p.width = math.Max(forward.width, legendWidth)
	if gradients != nil {
		p.width = math.Max(p.width, gradients.width)
	}

	// From top to bottom: the title, the forward pass from left to right, and the gradients, which run
	// back from right to left.
	writeText(&p.nodes, point{margin, margin + titleBaseline}, titleStyle, titleColour, d.title)
	top := float64(margin + titleHeight + titleGap)
	p.paintLayout(forward, point{margin, top}, rightwards)
	bottom := top + forward.height
	if gradients != nil {
		left := margin + p.width - gradients.width
		p.paintLayout(gradients, point{left, bottom + gradientGap}, leftwards)
		p.paintConnections(forward, gradients, d.edges)
		bottom += gradientGap + gradients.height
	}
	return p.page(bottom), nil
}

// direction is the direction in which the edges of a layout run.
type direction float64

const (
	rightwards direction = 1
	leftwards  direction = -1
)

// splitNodes returns the nodes of the forward pass and of the backward pass.
func (d *drawing) splitNodes() (forward, gradients []*node) {
	for _, n := range d.nodes {
		if n.kind == nodeGradient || n.kind == nodeWeightsGradient {
			gradients = append(gradients, n)
		} else {
			forward = append(forward, n)
		}
	}
	return forward, gradients
}

// painter writes the elements of an SVG page into layers. A later layer covers an earlier one.
type painter struct {
	width  float64 // of the content, without margins
	frames strings.Builder
	lines  strings.Builder
	nodes  strings.Builder // with all texts except the names of frames
	legend strings.Builder // relative to the legend's place
}

// page returns the SVG page of everything painted. bottom is the y of the content's lower end.
func (p *painter) page(bottom float64) string {
	width := p.width + 2*margin
	height := bottom + margin + legendHeight
	var page strings.Builder
	fmt.Fprintf(&page, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif">`+"\n", width, height, width, height)
	page.WriteString(darkStyle() + "<defs>\n")
	for _, kind := range []edgeKind{edgePlain, edgeWeights, edgeStopped, edgeGradient} {
		fmt.Fprintf(&page, `<marker id="arrow%d" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="%s"/></marker>`+"\n", kind, edgeLooks[kind].stroke)
	}
	page.WriteString("</defs>\n")
	page.WriteString(`<rect id="ground" width="100%" height="100%" fill="#ffffff"/>` + "\n")
	page.WriteString(p.frames.String() + p.lines.String() + p.nodes.String())
	fmt.Fprintf(&page, `<g transform="translate(%d %.1f)">`+"\n", margin, bottom+margin)
	page.WriteString(p.legend.String() + "</g>\n</svg>\n")
	return page.String()
}

// point is a place in the picture, in pixels from its upper left corner.
type point struct{ x, y float64 }

// writeText writes a text whose baseline is at a point.
func writeText(w *strings.Builder, p point, style textStyle, colour, text string) {
	fmt.Fprintf(w, `<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="%s" font-weight="%s">%s</text>`+"\n",
		p.x, p.y, style.anchor, style.size, colour, style.weight, html.EscapeString(text))
}

// paintLayout paints a layout with its upper left corner at a point. A layout that runs leftwards is
// mirrored. paintLayout replaces the coordinates of the layout by coordinates of the page, which
// paintConnections needs.
func (p *painter) paintLayout(l *layout, corner point, dir direction) {
	for _, v := range l.vertices {
		v.y += corner.y
		if dir == leftwards {
			v.x = l.width - v.x
		}
		v.x += corner.x
	}
	for _, b := range l.blocks {
		b.top += corner.y
		if b.cluster != nil {
			p.paintFrame(b, dir)
		}
	}
	for _, r := range l.routes {
		p.paintRoute(r, dir)
	}
	for _, v := range l.vertices {
		if v.node != nil {
			p.paintNode(v)
		}
	}
}

// paintFrame paints the frame and the name of a cluster: a pass, a term of the loss, or, in a layout that
// runs leftwards, the gradients.
func (p *painter) paintFrame(b *block, dir direction) {
	look := termFrame
	switch {
	case b.cluster.isPass:
		look = passFrame
	case dir == leftwards:
		look = gradientFrame
	}
	r := b.frame()
	fmt.Fprintf(&p.frames, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="10" fill="%s" stroke="%s"/>`+"\n",
		r.x, r.y, r.width, r.height, look.fill, look.stroke)
	baseline := point{r.x + clusterPadding, r.y + titleHeight - frameTitleRise}
	writeText(&p.frames, baseline, frameStyle, nameColour, b.cluster.name)
}

// paintRoute paints an edge, its arrow and its label, which ends before the arrow.
func (p *painter) paintRoute(r route, dir direction) {
	const (
		arrowLength = 9 // kept free of the label
		labelRise   = 5 // of the label's baseline above the line
		labelSize   = 12
	)
	path, arrival := routePath(r, dir)
	look := edgeLooks[r.edge.kind]
	dashes := ""
	if look.dashes != "" {
		dashes = fmt.Sprintf(` stroke-dasharray="%s"`, look.dashes)
	}
	fmt.Fprintf(&p.lines, `<path d="%s" fill="none" stroke="%s" stroke-width="1.4"%s marker-end="url(#arrow%d)"/>`+"\n",
		path, look.stroke, dashes, r.edge.kind)
	if r.edge.label == "" {
		return
	}
	anchor := "end" // of the text is at the arrow
	if dir == leftwards {
		anchor = "start"
	}
	beforeArrow := point{arrival.x - float64(dir)*arrowLength, arrival.y - labelRise}
	writeText(&p.nodes, beforeArrow, textStyle{anchor, labelSize, "bold"}, look.stroke, r.edge.label)
}

// routePath returns the way of an edge in the language of SVG paths, and the point where it arrives:
// curves between the columns, which begin and end level, and straight lines through bends. In the
// language, M moves to a point, L draws a line to it, and C a curve with two control points.
func routePath(r route, dir direction) (path string, arrival point) {
	var text strings.Builder
	for i, v := range r.vertices[:len(r.vertices)-1] {
		next := r.vertices[i+1]
		from := point{v.x + float64(dir)*v.width/2, v.y}
		to := point{next.x - float64(dir)*next.width/2, next.y}
		if next == r.end() {
			to.y = next.arrivalY(v)
			arrival = to
		}
		command := "L" // a line through the bend, from the end of the last curve
		if i == 0 {
			command = "M" // the start
		}
		fmt.Fprintf(&text, "%s%.1f %.1f", command, from.x, from.y)
		// Control points at the heights of the ends make the curve begin and end level.
		halfway := (to.x - from.x) / 2
		fmt.Fprintf(&text, "C%.1f %.1f %.1f %.1f %.1f %.1f",
			from.x+halfway, from.y, to.x-halfway, to.y, to.x, to.y)
	}
	return text.String(), arrival
}

// arrivalY returns the y at which the edge from a neighbour arrives. Edges that arrive at the
// same vertex are spread over its height, in the order of their neighbours.
func (v *vertex) arrivalY(from *vertex) float64 {
	neighbours := slices.Clone(v.left)
	slices.SortStableFunc(neighbours, func(a, b *vertex) int { return cmp.Compare(a.y, b.y) })
	distance := math.Min(edgeLabelHeight, v.height/float64(len(neighbours)+1))
	middle := float64(len(neighbours)-1) / 2
	position := float64(slices.Index(neighbours, from))
	return v.y + distance*(position-middle)
}

// paintConnections paints the edges from values of the forward pass to the gradients that start
// there.
func (p *painter) paintConnections(forward, gradients *layout, edges []edge) {
	for _, e := range edges {
		from, to := forward.vertexOf[e.from], gradients.vertexOf[e.to]
		if from != nil && to != nil {
			p.paintConnection(from, to)
		}
	}
}

// paintConnection paints a dotted line from the lower end of a vertex to the upper end of another.
func (p *painter) paintConnection(from, to *vertex) {
	start := point{from.x, from.y + from.height/2}
	end := point{to.x, to.y - to.height/2}
	halfway := (end.y - start.y) / 2
	fmt.Fprintf(&p.lines, `<path d="M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f" fill="none" stroke="%s" stroke-width="1.2" stroke-dasharray="2 4" marker-end="url(#arrow%d)"/>`+"\n",
		start.x, start.y, start.x, start.y+halfway, end.x, end.y-halfway, end.x, end.y, edgeLooks[edgeGradient].stroke, edgeGradient)
}

// paintNode paints the shape and the text of a node.
func (p *painter) paintNode(v *vertex) {
	writeShape(&p.nodes, v.node.kind, v.bounds())
	look := nodeLooks[v.node.kind]
	linesAfterFirst := float64(len(v.node.label) - 1)
	// The lines are centred in the part of the shape below its cap.
	firstLine := v.y - lineHeight*linesAfterFirst/2
	baseline := point{v.x, firstLine + textBaselineOffset + v.node.kind.capHeight()/2}
	style := nameStyle
	for _, line := range v.node.label {
		writeText(&p.nodes, baseline, style, look.text, line)
		baseline.y += lineHeight
		style = detailStyle
	}
}

// writeShape writes the shape of a kind of node.
func writeShape(w *strings.Builder, kind nodeKind, r rect) {
	look := nodeLooks[kind]
	style := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="1.4"`, look.fill, look.stroke)
	if look.dashed {
		style += ` stroke-dasharray="4 3"`
	}
	switch kind {
	case nodeStop:
		writePolygon(w, octagon(r), style)
	case nodeInput:
		writePolygon(w, parallelogram(r), style)
	case nodeWeights, nodeSharedWeights, nodeWeightsGradient:
		writeCylinder(w, r, style)
	default:
		fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="5" %s/>`+"\n", r.x, r.y, r.width, r.height, style)
	}
}

// writePolygon writes a polygon. style is its further attributes.
func writePolygon(w *strings.Builder, corners []point, style string) {
	var points []string
	for _, c := range corners {
		points = append(points, fmt.Sprintf("%.1f,%.1f", c.x, c.y))
	}
	fmt.Fprintf(w, `<polygon points="%s" %s/>`+"\n", strings.Join(points, " "), style)
}

// octagon returns the corners of an octagon that fills a rectangle.
func octagon(r rect) []point {
	const maxCut = 9 // pixels cut off at each corner
	cut := math.Min(maxCut, r.height/3)
	right := r.x + r.width
	bottom := r.y + r.height
	return []point{
		{r.x + cut, r.y},
		{right - cut, r.y},
		{right, r.y + cut},
		{right, bottom - cut},
		{right - cut, bottom},
		{r.x + cut, bottom},
		{r.x, bottom - cut},
		{r.x, r.y + cut},
	}
}

// parallelogram returns the corners of a parallelogram that fills a rectangle.
func parallelogram(r rect) []point {
	const slant = 7 // pixels by which the lower edge is left of the upper one
	return []point{
		{r.x + slant, r.y},
		{r.x + r.width, r.y},
		{r.x + r.width - slant, r.y + r.height},
		{r.x, r.y + r.height},
	}
}

// writeCylinder writes a cylinder that fills a rectangle: the outline, and the lower edge of its
// upper end. style is the further attributes of both.
func writeCylinder(w *strings.Builder, r rect, style string) {
	const capRise = 4 // pixels from the top of the rectangle to the sides' upper ends
	top := r.y + capRise
	side := r.height - 2*capRise
	radius := r.width / 2
	// In paths, a is an arc of an ellipse with the given radii, v a vertical line, and z closes the outline.
	fmt.Fprintf(w, `<path d="M%.1f %.1fa%.1f 5 0 0 1 %.1f 0v%.1fa%.1f 5 0 0 1 %.1f 0z" %s/>`+"\n", r.x, top, radius, r.width, side, radius, -r.width, style)
	fmt.Fprintf(w, `<path d="M%.1f %.1fa%.1f 5 0 0 0 %.1f 0" %s/>`+"\n", r.x, top, radius, r.width, style)
}

// paintLegend explains the shapes of the given kinds and returns the legend's width.
func (p *painter) paintLegend(kinds map[nodeKind]bool) float64 {
	x := 0.0
	for _, kind := range legendKinds {
		if !kinds[kind] {
			continue
		}
		writeShape(&p.legend, kind, rect{x, 0, legendShapeWidth, legendShapeHeight})
		name := nodeLooks[kind].name
		writeText(&p.legend, point{x + legendTextOffset, legendBaseline}, legendStyle, nameColour, name)
		x += legendTextOffset + legendLetterWidth*float64(utf8.RuneCountInString(name)) + legendGap
	}
	return x
}
