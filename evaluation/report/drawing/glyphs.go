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

// glyphs has the outlines of the letters that an SVG uses. Each outline is defined once, in whole units of
// its font, and used wherever the letter occurs.
type glyphs struct {
	idPrefix string           // start of all ids
	ids      map[glyph]string // id of a letter's outline; "" if it has none, such as a space
	defs     strings.Builder  // path elements with the outlines
	buffer   sfnt.Buffer      // working memory of the font's methods
}

// glyph is a letter of a font.
type glyph struct {
	font  *opentype.Font
	index sfnt.GlyphIndex
}

// FillString implements vg.Canvas. It writes a g element with the outlines of the letters. Its label is the
// text, so that screen readers can read it.
func (c *svgCanvas) FillString(face plotfont.Face, start vg.Point, text string) {
	letters := c.glyphs.useElements(face.Face, text)
	if face.Font.Size == 0 || letters == "" {
		return
	}
	c.closeElement()
	pointsPerUnit := face.Font.Size.Points() / float64(face.Face.UnitsPerEm())
	fmt.Fprintf(&c.body, `<g aria-label="%s"%s transform="%s">%s</g>`+"\n",
		html.EscapeString(strings.TrimSpace(text)), c.paint("fill"), c.textTransform(start, pointsPerUnit), letters)
}

// textTransform returns the transform attribute of letters that begin at start. It maps units of the font
// to points of the SVG. The signs of the y axis differ from the signs of the canvas's transform, because
// outlines of letters have y pointing downwards.
func (c *svgCanvas) textTransform(start vg.Point, pointsPerUnit float64) string {
	m := c.state().transform
	mapped := m.apply(positionOf(start))
	x := formatDecimal(mapped.x)
	y := formatDecimal(mapped.y)
	isRotated := m.b != 0 || m.c != 0 || m.a <= 0
	if !isRotated {
		return fmt.Sprintf("translate(%s %s) scale(%.5g)", x, y, pointsPerUnit)
	}
	// + 0 turns −0, which would be written as such, into 0.
	return fmt.Sprintf("matrix(%.4g %.4g %.4g %.4g %s %s)",
		pointsPerUnit*m.a+0, pointsPerUnit*m.b+0, -pointsPerUnit*m.c+0, -pointsPerUnit*m.d+0, x, y)
}

// useElements returns a use element for each letter of a text. Letters have the distances, with kerning,
// with which plotfont.Face.Width computes the width of the text.
func (g *glyphs) useElements(f *opentype.Font, text string) string {
	var out strings.Builder
	em := fixed.Int26_6(f.UnitsPerEm()) // at this size, a distance of 1 is a unit of the font
	x := fixed.Int26_6(0)               // start of the letter
	var previous sfnt.GlyphIndex
	for i, letter := range text {
		index, err := f.GlyphIndex(&g.buffer, letter)
		if err != nil {
			continue // only a broken font fails, and the program's font is not broken
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

// define returns the id of a letter's outline, or "" if it has none. When a letter occurs for the first
// time, define adds its outline to defs.
func (g *glyphs) define(letter glyph) string {
	id, isDefined := g.ids[letter]
	if isDefined {
		return id
	}
	if g.ids == nil {
		g.ids = make(map[glyph]string)
	}
	em := fixed.Int26_6(letter.font.UnitsPerEm()) // at this size, coordinates are whole units of the font
	outline, err := letter.font.LoadGlyph(&g.buffer, letter.index, em, nil)
	if err == nil && len(outline) > 0 {
		id = fmt.Sprintf("%sg%d", g.idPrefix, len(g.ids))
		fmt.Fprintf(&g.defs, `<path id="%s" d="%s"/>`+"\n", id, encodeOutline(outline))
	}
	g.ids[letter] = id
	return id
}

// encodeOutline returns the outline of a letter as the attribute d of an SVG's path element. An outline
// consists of closed lines; each begins with a move and is closed before the next move.
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
