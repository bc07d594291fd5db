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
	"strings"

	"gonum.org/v1/plot/vg"
)

// svgCanvas is a vg.Canvas that writes an SVG which looks the same in every program: text is outlines,
// colours are attributes with a style sheet that replaces them in dark mode, and positions are rounded
// to hundredths of a point, which are the same on all CPUs.
//
// Gonum's own canvas, vg/vgsvg, needs the font on the reader's machine or adds 550 kB of it to each
// file, and has no dark colours. If it gets text as outlines, its files are 1.7 times as large,
// because it repeats the outline of a letter at every occurrence.
type svgCanvas struct {
	width, height vg.Length
	body          bytes.Buffer // elements of the drawing
	glyphs        glyphs
	darkColours   []color.NRGBA // colours replaced in dark mode, in the order of their appearance
	states        []svgState    // stack of Push and Pop; the last one is the current state

	// openPath is the attribute d of the unfinished path element at the end of body, or "" if there is no
	// such element. Fill leaves its element open, because a Stroke of the same path often follows, which
	// then adds attributes to the element instead of repeating the path.
	openPath string
}

// svgState is the part of a canvas's state that Push saves and Pop restores.
type svgState struct {
	transform  affine // from positions in the drawing to positions in the SVG, in points
	color      color.NRGBA
	lineWidth  vg.Length
	dashes     []vg.Length
	dashOffset vg.Length
}

// newSVG returns an empty canvas. The ids of its elements begin with idPrefix, which keeps the figures of
// a page apart.
func newSVG(width, height vg.Length, idPrefix string) *svgCanvas {
	upwards := affine{a: 1, d: -1, f: height.Points()} // y points upwards in a drawing, downwards in an SVG
	c := &svgCanvas{
		width:  width,
		height: height,
		glyphs: glyphs{idPrefix: idPrefix},
		states: []svgState{{transform: upwards}},
	}
	vg.Initialize(c) // sets the default colour and line width
	return c
}

// state returns a pointer to the current state.
func (c *svgCanvas) state() *svgState { return &c.states[len(c.states)-1] }

// transformBy makes the canvas apply m before its current transform.
func (c *svgCanvas) transformBy(m affine) {
	s := c.state()
	s.transform = s.transform.compose(m)
}

// Size implements vg.CanvasSizer.
func (c *svgCanvas) Size() (width, height vg.Length) { return c.width, c.height }

// SetLineWidth implements vg.Canvas.
func (c *svgCanvas) SetLineWidth(width vg.Length) { c.state().lineWidth = width }

// SetLineDash implements vg.Canvas.
func (c *svgCanvas) SetLineDash(dashes []vg.Length, offset vg.Length) {
	s := c.state()
	s.dashes = dashes
	s.dashOffset = offset
}

// SetColor implements vg.Canvas.
func (c *svgCanvas) SetColor(colour color.Color) { c.state().color = nrgba(colour) }

// Rotate implements vg.Canvas.
func (c *svgCanvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.transformBy(affine{a: cos, b: sin, c: -sin, d: cos})
}

// Translate implements vg.Canvas.
func (c *svgCanvas) Translate(to vg.Point) {
	c.transformBy(affine{a: 1, d: 1, e: to.X.Points(), f: to.Y.Points()})
}

// Scale implements vg.Canvas.
func (c *svgCanvas) Scale(x, y float64) { c.transformBy(affine{a: x, d: y}) }

// Push implements vg.Canvas.
func (c *svgCanvas) Push() { c.states = append(c.states, *c.state()) }

// Pop implements vg.Canvas.
func (c *svgCanvas) Pop() { c.states = c.states[:len(c.states)-1] }

// Fill implements vg.Canvas. It leaves the element open, see openPath.
func (c *svgCanvas) Fill(path vg.Path) {
	c.closeElement()
	d := encodePath(path, c.state().transform)
	fmt.Fprintf(&c.body, `<path d="%s"%s`, d, c.paint("fill"))
	c.openPath = d
}

// Stroke implements vg.Canvas. If the same path was filled last, it adds the stroke's attributes to the
// element that Fill left open.
func (c *svgCanvas) Stroke(path vg.Path) {
	s := c.state()
	if s.lineWidth <= 0 {
		return
	}
	d := encodePath(path, s.transform)
	if c.openPath == "" || d != c.openPath {
		c.closeElement()
		fmt.Fprintf(&c.body, `<path d="%s"`, d)
	}
	c.body.WriteString(c.paint("stroke"))
	fmt.Fprintf(&c.body, ` stroke-width="%s"`, formatDecimal(s.lineWidth.Points()))
	c.body.WriteString(s.dashAttributes())
	c.body.WriteString("/>\n")
	c.openPath = ""
}

// dashAttributes returns the attributes of a stroke's dashes, or "" for a solid line.
func (s *svgState) dashAttributes() string {
	if len(s.dashes) == 0 {
		return ""
	}
	var lengths []string
	for _, dash := range s.dashes {
		lengths = append(lengths, formatDecimal(dash.Points()))
	}
	attributes := fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(lengths, " "))
	if s.dashOffset != 0 {
		attributes += fmt.Sprintf(` stroke-dashoffset="%s"`, formatDecimal(s.dashOffset.Points()))
	}
	return attributes
}

// closeElement ends the element that Fill left open, if there is one. Every method that begins another
// element must call it first.
func (c *svgCanvas) closeElement() {
	if c.openPath != "" {
		c.body.WriteString("/>\n")
		c.openPath = ""
	}
}

// paint returns the attributes of the current colour and its opacity. attribute is "fill" or "stroke". If
// the colour is replaced in dark mode, paint adds it to c.darkColours, for the style sheet.
func (c *svgCanvas) paint(attribute string) string {
	colour := c.state().color
	attributes := fmt.Sprintf(` %s="#%s"`, attribute, hexColour(colour))
	if colour.A != 0xff {
		attributes += fmt.Sprintf(` %s-opacity="%s"`, attribute, formatDecimal(float64(colour.A)/0xff))
	}
	colour.A = 0xff
	if darkColour(colour) != colour && !slices.Contains(c.darkColours, colour) {
		c.darkColours = append(c.darkColours, colour)
	}
	return attributes
}

// DrawImage implements vg.Canvas. It writes the picture as an embedded PNG that fills the rectangle. A
// rotation of the canvas is ignored: no figure rotates pictures.
func (c *svgCanvas) DrawImage(rectangle vg.Rectangle, picture image.Image) {
	c.closeElement()
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, picture); err != nil {
		panic(fmt.Sprintf("drawing: cannot encode a picture of %v as PNG: %v", picture.Bounds(), err)) // only a picture larger than PNG allows
	}
	size := rectangle.Size()
	topLeft := c.state().transform.apply(position{x: rectangle.Min.X.Points(), y: rectangle.Max.Y.Points()})
	fmt.Fprintf(&c.body, `<image preserveAspectRatio="none" x="%s" y="%s" width="%s" height="%s" xlink:href="data:image/png;base64,%s"/>`+"\n",
		formatDecimal(topLeft.x), formatDecimal(topLeft.y),
		formatDecimal(size.X.Points()), formatDecimal(size.Y.Points()),
		base64.StdEncoding.EncodeToString(pixels.Bytes()))
}

// element returns the drawing as an svg element with the given attributes. background has elements that
// are drawn behind it, or is "".
func (c *svgCanvas) element(attributes, background string) string {
	c.closeElement()
	var out strings.Builder
	fmt.Fprintf(&out, `<svg %s viewBox="0 0 %s %s" fill="none">`+"\n", attributes, formatDecimal(c.width.Points()), formatDecimal(c.height.Points()))
	out.WriteString(c.darkStyles())
	if c.glyphs.defs.Len() > 0 {
		fmt.Fprintf(&out, "<defs>\n%s</defs>\n", c.glyphs.defs.String())
	}
	out.WriteString(background)
	out.Write(c.body.Bytes())
	out.WriteString("</svg>\n")
	return out.String()
}

// darkStyles returns the style element that replaces colours in dark mode, or "" if there is none to
// replace. Within a page the rules apply to all its figures; that is harmless, because every figure has
// the same rule for the same colour.
func (c *svgCanvas) darkStyles() string {
	if len(c.darkColours) == 0 {
		return ""
	}
	var rules strings.Builder
	for _, colour := range c.darkColours {
		dark := hexColour(darkColour(colour))
		fmt.Fprintf(&rules, "[fill='#%[1]s']{fill:#%[2]s}[stroke='#%[1]s']{stroke:#%[2]s}\n", hexColour(colour), dark)
	}
	return "<style>@media screen and (prefers-color-scheme: dark){\n" + rules.String() + "}</style>\n"
}

// hexColour returns the six hexadecimal digits of a colour, without its opacity.
func hexColour(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }
