package drawing

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// svgCanvas is a vg.Canvas that writes an SVG for any program: text as outlines, colours as
// attributes with a style sheet that replaces them in dark mode, and positions in hundredths of a
// point, which are the same on all CPUs.
//
// Gonum's own canvas, vg/vgsvg, needs the font on the reader's machine or adds 550 kB of it to each
// file, and has no dark colours. If it gets text as outlines, its files are 1.7 times as large,
// because it repeats the outline of a letter at every occurrence.
type svgCanvas struct {
	width, height vg.Length
	body          bytes.Buffer
	glyphs        glyphs
	dark          []color.NRGBA // colours that have another one in the dark, in the order of their appearance
	states        []svgState
	filled        string // the path that was filled last, whose element is still open: its rim may follow
}

type svgState struct {
	affine
	color      color.NRGBA
	lineWidth  vg.Length
	dashes     []vg.Length
	dashOffset vg.Length
}

// affine maps x, y to a·x + c·y + e, b·x + d·y + f.
type affine struct{ a, b, c, d, e, f float64 }

func (m affine) at(x, y float64) (float64, float64) {
	return float64(m.a*x) + float64(m.c*y) + m.e, float64(m.b*x) + float64(m.d*y) + m.f
}

// then is the map of n before m.
func (m affine) then(n affine) affine {
	e, f := m.at(n.e, n.f)
	return affine{
		float64(m.a*n.a) + float64(m.c*n.b), float64(m.b*n.a) + float64(m.d*n.b),
		float64(m.a*n.c) + float64(m.c*n.d), float64(m.b*n.c) + float64(m.d*n.d), e, f,
	}
}

// newSVG returns an empty canvas whose ids begin with a prefix.
func newSVG(width, height vg.Length, prefix string) *svgCanvas {
	c := &svgCanvas{width: width, height: height, glyphs: glyphs{prefix: prefix}}
	c.states = []svgState{{affine: affine{1, 0, 0, -1, 0, height.Points()}}} // from the lower left corner
	vg.Initialize(c)
	return c
}

func (c *svgCanvas) state() *svgState { return &c.states[len(c.states)-1] }

// Size implements vg.CanvasSizer.
func (c *svgCanvas) Size() (width, height vg.Length) { return c.width, c.height }

// SetLineWidth implements vg.Canvas.
func (c *svgCanvas) SetLineWidth(width vg.Length) { c.state().lineWidth = width }

// SetLineDash implements vg.Canvas.
func (c *svgCanvas) SetLineDash(dashes []vg.Length, offset vg.Length) {
	c.state().dashes, c.state().dashOffset = dashes, offset
}

// SetColor implements vg.Canvas.
func (c *svgCanvas) SetColor(colour color.Color) { c.state().color = nrgba(colour) }

// Rotate implements vg.Canvas.
func (c *svgCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.state().affine = c.state().then(affine{cos, sin, -sin, cos, 0, 0})
}

// Translate implements vg.Canvas.
func (c *svgCanvas) Translate(to vg.Point) {
	c.state().affine = c.state().then(affine{1, 0, 0, 1, to.X.Points(), to.Y.Points()})
}

// Scale implements vg.Canvas.
func (c *svgCanvas) Scale(x, y float64) {
	c.state().affine = c.state().then(affine{x, 0, 0, y, 0, 0})
}

// Push implements vg.Canvas.
func (c *svgCanvas) Push() { c.states = append(c.states, *c.state()) }

// Pop implements vg.Canvas.
func (c *svgCanvas) Pop() { c.states = c.states[:len(c.states)-1] }

// Fill implements vg.Canvas.
func (c *svgCanvas) Fill(path vg.Path) {
	c.finish()
	d := c.data(path)
	fmt.Fprintf(&c.body, `<path d="%s"%s`, d, c.paint("fill"))
	c.filled = d
}

// Stroke implements vg.Canvas.
func (c *svgCanvas) Stroke(path vg.Path) {
	s := c.state()
	if s.lineWidth <= 0 {
		return
	}
	if d := c.data(path); d != c.filled || c.filled == "" {
		c.finish()
		fmt.Fprintf(&c.body, `<path d="%s"`, d)
	}
	c.body.WriteString(c.paint("stroke"))
	fmt.Fprintf(&c.body, ` stroke-width="%s"`, decimal(s.lineWidth.Points()))
	if len(s.dashes) > 0 {
		var dashes []string
		for _, dash := range s.dashes {
			dashes = append(dashes, decimal(dash.Points()))
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(dashes, " "))
		if s.dashOffset != 0 {
			fmt.Fprintf(&c.body, ` stroke-dashoffset="%s"`, decimal(s.dashOffset.Points()))
		}
	}
	c.body.WriteString("/>\n")
	c.filled = ""
}

// finish ends the element of a path that has no rim.
func (c *svgCanvas) finish() {
	if c.filled != "" {
		c.body.WriteString("/>\n")
		c.filled = ""
	}
}

// paint is the attributes of a fill or a stroke in the current colour.
func (c *svgCanvas) paint(attribute string) string {
	colour := c.state().color
	text := fmt.Sprintf(` %s="#%s"`, attribute, hexOf(colour))
	if colour.A != 0xff {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, decimal(float64(colour.A)/0xff))
	}
	colour.A = 0xff
	if darkColour(colour) != colour && !slices.Contains(c.dark, colour) {
		c.dark = append(c.dark, colour)
	}
	return text
}

// DrawImage implements vg.Canvas.
func (c *svgCanvas) DrawImage(place vg.Rectangle, picture image.Image) {
	c.finish()
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, picture); err != nil {
		panic(fmt.Sprintf("drawing: a picture of %v: %v", picture.Bounds(), err)) // of a size that no figure has
	}
	size := place.Size()
	x, y := c.state().at(place.Min.X.Points(), place.Max.Y.Points())
	fmt.Fprintf(&c.body, `<image preserveAspectRatio="none" x="%s" y="%s" width="%s" height="%s" xlink:href="data:image/png;base64,%s"/>`+"\n",
		decimal(x), decimal(y), decimal(size.X.Points()), decimal(size.Y.Points()), base64.StdEncoding.EncodeToString(pixels.Bytes()))
}

// data writes a path from point to point, in hundredths, so that rounding does not
// add up.
func (c *svgCanvas) data(path vg.Path) string {
	var d pathData
	m := c.state().affine
	for _, part := range path {
		x, y := part.Pos.X.Points(), part.Pos.Y.Points()
		switch part.Type {
		case vg.MoveComp:
			d.add('m', m, x, y)
		case vg.LineComp:
			d.add('l', m, x, y)
		case vg.CurveComp:
			var points []float64
			for _, p := range part.Control {
				points = append(points, p.X.Points(), p.Y.Points())
			}
			d.add(map[int]byte{1: 'q', 2: 'c'}[len(part.Control)], m, append(points, x, y)...)
		case vg.ArcComp:
			d.arc(m, x, y, part.Radius.Points(), part.Start, part.Angle)
		case vg.CloseComp:
			d.close()
		}
	}
	return d.String()
}

// pathData collects the commands of a path.
type pathData struct {
	strings.Builder
	x, y, startX, startY float64 // hundredths
	last                 byte
}

// add adds a command through points, the last of which is the next place.
func (d *pathData) add(command byte, m affine, points ...float64) {
	if d.Len() == 0 {
		command = 'm'
	}
	if command != d.last || command == 'm' {
		d.WriteByte(command)
	}
	x, y := d.x, d.y
	for i := 0; i < len(points); i += 2 {
		px, py := m.at(points[i], points[i+1])
		x, y = hundredths(px), hundredths(py)
		d.number(x - d.x)
		d.number(y - d.y)
	}
	d.x, d.y, d.last = x, y, command
	if command == 'm' {
		d.startX, d.startY = x, y
	}
}

// number adds a number of hundredths, apart from one before it.
func (d *pathData) number(n float64) {
	text := written(n)
	if end := d.String(); text[0] != '-' && end[len(end)-1] <= '9' {
		d.WriteByte(' ')
	}
	d.WriteString(text)
}

func (d *pathData) close() {
	if d.Len() > 0 && d.last != 'z' {
		d.WriteByte('z')
		d.x, d.y, d.last = d.startX, d.startY, 'z'
	}
}

// arc adds an arc as curves of at most a quarter of a circle each.
func (d *pathData) arc(m affine, x, y, radius, start, angle float64) {
	n := math.Ceil(math.Abs(angle) / (math.Pi / 2))
	step := angle / n
	handle := radius * 4 / 3 * math.Tan(step/4)
	on := func(angle, along float64) (float64, float64) { // on the circle, or along its tangent from there
		sin, cos := math.Sincos(angle)
		return x + float64(radius*cos) - float64(along*sin), y + float64(radius*sin) + float64(along*cos)
	}
	fromX, fromY := on(start, 0)
	d.add('l', m, fromX, fromY)
	for i := range int(n) {
		from, to := start+float64(step*float64(i)), start+float64(step*float64(i+1))
		x1, y1 := on(from, handle)
		x2, y2 := on(to, -handle)
		endX, endY := on(to, 0)
		d.add('c', m, x1, y1, x2, y2, endX, endY)
	}
}

// furthest is how many points away a place is at most: far outside any figure.
const furthest = 1e6

func hundredths(x float64) float64 {
	return math.Round(100*min(furthest, max(-furthest, x))) + 0 // no negative zero
}

// decimal writes a number with at most two decimals.
func decimal(x float64) string { return written(hundredths(x)) }

// written writes a whole number of hundredths as short as can be.
func written(n float64) string {
	text := strconv.FormatFloat(n/100, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(text, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(text, "-0."); ok {
		return "-." + rest
	}
	return text
}

// element writes the figure as an element of SVG with further attributes, with what
// stands before the drawing.
func (c *svgCanvas) element(attributes, before string) string {
	c.finish()
	var out strings.Builder
	fmt.Fprintf(&out, `<svg %s viewBox="0 0 %s %s" fill="none">`+"\n", attributes, decimal(c.width.Points()), decimal(c.height.Points()))
	out.WriteString(c.styles())
	if c.glyphs.defs.Len() > 0 {
		fmt.Fprintf(&out, "<defs>\n%s</defs>\n", c.glyphs.defs.String())
	}
	out.WriteString(before)
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	return out.String()
}

// styles gives each colour its own in the dark. The rules of a colour are the same in
// all figures of a page.
func (c *svgCanvas) styles() string {
	if len(c.dark) == 0 {
		return ""
	}
	var rules strings.Builder
	for _, colour := range c.dark {
		dark := hexOf(darkColour(colour))
		fmt.Fprintf(&rules, "[fill='#%[1]s']{fill:#%[2]s}[stroke='#%[1]s']{stroke:#%[2]s}\n", hexOf(colour), dark)
	}
	return "<style>@media screen and (prefers-color-scheme: dark){\n" + rules.String() + "}</style>\n"
}

func hexOf(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }
