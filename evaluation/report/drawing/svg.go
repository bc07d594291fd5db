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

// svgCanvas is a vg.Canvas that writes an SVG for any program: text as outlines, colours as
// attributes with a style sheet that replaces them in dark mode, and positions in hundredths of a
// point, which are the same on all CPUs.
//
// Gonum's own canvas, vg/vgsvg, needs the font on the reader's machine or adds 550 kB of it to each
// file, and has no dark colours. If it gets text as outlines, its files are 1.7 times as large,
// because it repeats the outline of a letter at every occurrence.
type svgCanvas struct {
	width, height vg.Length
	body          bytes.Buffer // elements of the drawing
	glyphs        glyphs
	darkColours   []color.NRGBA // colours that are replaced in dark mode, in the order of their appearance
	states        []svgState    // stack of Push and Pop; the last one applies

	// openPath is the data of the path that was filled last, if its element is still open: a stroke of
	// the same path becomes an attribute of the same element. "" if no element is open.
	openPath string
}

// svgState is what Push saves and Pop restores.
type svgState struct {
	transform  affine // from positions in the drawing to positions in the SVG, in points
	color      color.NRGBA
	lineWidth  vg.Length
	dashes     []vg.Length
	dashOffset vg.Length
}

// newSVG returns an empty canvas. The ids of its elements begin with idPrefix.
func newSVG(width, height vg.Length, idPrefix string) *svgCanvas {
	upwards := affine{a: 1, d: -1, f: height.Points()} // y points upwards in a drawing, downwards in an SVG
	c := &svgCanvas{
		width:  width,
		height: height,
		glyphs: glyphs{idPrefix: idPrefix},
		states: []svgState{{transform: upwards}},
	}
	vg.Initialize(c)
	return c
}

// state returns the state that applies, for reading and changing.
func (c *svgCanvas) state() *svgState { return &c.states[len(c.states)-1] }

// transformBy makes the canvas apply m before its present transform.
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

// Stroke implements vg.Canvas.
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
	if len(s.dashes) > 0 {
		var dashes []string
		for _, dash := range s.dashes {
			dashes = append(dashes, formatDecimal(dash.Points()))
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(dashes, " "))
		if s.dashOffset != 0 {
			fmt.Fprintf(&c.body, ` stroke-dashoffset="%s"`, formatDecimal(s.dashOffset.Points()))
		}
	}
	c.body.WriteString("/>\n")
	c.openPath = ""
}

// closeElement ends the element of a filled path that is still open.
func (c *svgCanvas) closeElement() {
	if c.openPath != "" {
		c.body.WriteString("/>\n")
		c.openPath = ""
	}
}

// paint returns the attributes for the present colour. attribute is fill or stroke. It remembers
// colours that are replaced in dark mode.
func (c *svgCanvas) paint(attribute string) string {
	colour := c.state().color
	text := fmt.Sprintf(` %s="#%s"`, attribute, hexColour(colour))
	if colour.A != 0xff {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, formatDecimal(float64(colour.A)/0xff))
	}
	colour.A = 0xff
	if darkColour(colour) != colour && !slices.Contains(c.darkColours, colour) {
		c.darkColours = append(c.darkColours, colour)
	}
	return text
}

// DrawImage implements vg.Canvas.
func (c *svgCanvas) DrawImage(place vg.Rectangle, picture image.Image) {
	c.closeElement()
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, picture); err != nil {
		panic(fmt.Sprintf("drawing: a picture of %v: %v", picture.Bounds(), err)) // larger than PNG allows: no figure is
	}
	size := place.Size()
	corner := c.state().transform.apply(position{x: place.Min.X.Points(), y: place.Max.Y.Points()})
	fmt.Fprintf(&c.body, `<image preserveAspectRatio="none" x="%s" y="%s" width="%s" height="%s" xlink:href="data:image/png;base64,%s"/>`+"\n",
		formatDecimal(corner.x), formatDecimal(corner.y), formatDecimal(size.X.Points()), formatDecimal(size.Y.Points()), base64.StdEncoding.EncodeToString(pixels.Bytes()))
}

// element returns an svg element with the given attributes. Its content is the drawing, with
// background before it.
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

// darkStyles returns the style element that replaces colours in dark mode. The rules of a colour are
// the same in all figures, which share the style sheet of their page.
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

func hexColour(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }
