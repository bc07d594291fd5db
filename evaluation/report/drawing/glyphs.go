package drawing

import (
	"fmt"
	"html"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// glyphs has the outlines of the letters that an SVG uses. Each is defined once, in whole units of
// its font.
type glyphs struct {
	idPrefix string
	ids      map[glyph]string // "" if the letter has no outline, such as a space
	defs     strings.Builder  // path elements with the outlines
	buffer   sfnt.Buffer      // reused by the font's methods
}

// glyph is a letter of a font.
type glyph struct {
	font  *opentype.Font
	index sfnt.GlyphIndex
}

// FillString implements vg.Canvas. The element with the letters has the text as label.
func (c *svgCanvas) FillString(face plotfont.Face, at vg.Point, text string) {
	uses := c.glyphs.useElements(face.Face, text)
	if face.Font.Size == 0 || uses == "" {
		return
	}
	c.closeElement()
	scale := face.Font.Size.Points() / float64(face.Face.UnitsPerEm())
	fmt.Fprintf(&c.body, `<g aria-label="%s"%s transform="%s">%s</g>`+"\n",
		html.EscapeString(strings.TrimSpace(text)), c.paint("fill"), c.textTransform(at, scale), uses)
}

// textTransform returns the attribute transform of letters that start at a point. scale is the size
// of a unit of the font in points. The y axis of outlines points downwards.
func (c *svgCanvas) textTransform(at vg.Point, scale float64) string {
	m := c.state().transform
	start := m.apply(positionOf(at))
	x := formatDecimal(start.x)
	y := formatDecimal(start.y)
	if m.b == 0 && m.c == 0 && m.a > 0 { // not rotated
		return fmt.Sprintf("translate(%s %s) scale(%.5g)", x, y, scale)
	}
	// + 0 turns −0 into 0
	return fmt.Sprintf("matrix(%.4g %.4g %.4g %.4g %s %s)", scale*m.a+0, scale*m.b+0, -scale*m.c+0, -scale*m.d+0, x, y)
}

// useElements returns a use element for each letter of a text. The distances between the letters are
// as in plotfont.Face.Width.
func (g *glyphs) useElements(f *opentype.Font, text string) string {
	var out strings.Builder
	em := fixed.Int26_6(f.UnitsPerEm()) // this size makes distances whole units of the font
	x := fixed.Int26_6(0)
	var previous sfnt.GlyphIndex
	for i, letter := range text {
		index, err := f.GlyphIndex(&g.buffer, letter)
		if err != nil {
			continue // the font is broken, which the font in the program is not
		}
		if i > 0 {
			kern, err := f.Kern(&g.buffer, previous, index, em, font.HintingNone)
			if err == nil {
				x += kern
			}
		}
		out.WriteString(useElement(g.define(glyph{f, index}), x))
		advance, err := f.GlyphAdvance(&g.buffer, index, em, font.HintingNone)
		if err == nil {
			x += advance
		}
		previous = index
	}
	return out.String()
}

// useElement returns an element with the outline of the given id at x, in units of the font. It
// returns "" for a letter without outline.
func useElement(id string, x fixed.Int26_6) string {
	switch {
	case id == "":
		return ""
	case x == 0:
		return fmt.Sprintf(`<use xlink:href="#%s"/>`, id)
	default:
		return fmt.Sprintf(`<use xlink:href="#%s" x="%d"/>`, id, x)
	}
}

// define returns the id of a letter's outline, "" if it has none. It adds the outline to defs when the
// letter occurs for the first time.
func (g *glyphs) define(letter glyph) string {
	id, ok := g.ids[letter]
	if ok {
		return id
	}
	if g.ids == nil {
		g.ids = make(map[glyph]string)
	}
	outline, err := letter.font.LoadGlyph(&g.buffer, letter.index, fixed.Int26_6(letter.font.UnitsPerEm()), nil)
	if err == nil && len(outline) > 0 {
		id = fmt.Sprintf("%sg%d", g.idPrefix, len(g.ids))
		fmt.Fprintf(&g.defs, `<path id="%s" d="%s"/>`+"\n", id, encodeOutline(outline))
	}
	g.ids[letter] = id
	return id
}

// encodeOutline returns the closed lines of a letter as the attribute d of an SVG's path element.
func encodeOutline(outline sfnt.Segments) string {
	var d pathData
	for i, segment := range outline {
		if segment.Op == sfnt.SegmentOpMoveTo && i > 0 {
			d.close()
		}
		command, count := segmentCommand(segment.Op)
		var positions []position
		for _, p := range segment.Args[:count] {
			positions = append(positions, position{x: float64(p.X), y: float64(p.Y)})
		}
		d.add(command, identity, positions...)
	}
	d.close()
	return d.String()
}

// segmentCommand returns the SVG command of a segment, and how many positions it has.
func segmentCommand(op sfnt.SegmentOp) (command byte, positions int) {
	switch op {
	case sfnt.SegmentOpMoveTo:
		return 'm', 1
	case sfnt.SegmentOpLineTo:
		return 'l', 1
	case sfnt.SegmentOpQuadTo:
		return 'q', 2
	default:
		return 'c', 3
	}
}
