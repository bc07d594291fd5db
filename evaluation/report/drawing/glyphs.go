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

// glyphs are the outlines of the letters of an SVG, each of which is there once, in
// units of its font, whole numbers.
type glyphs struct {
	prefix string
	known  map[glyph]string // ids; nothing for what has no outline, such as a space
	defs   strings.Builder
	buffer sfnt.Buffer
}

type glyph struct {
	font  *opentype.Font
	index sfnt.GlyphIndex
}

// FillString implements vg.Canvas. What is written stands beside its outlines as
// label.
func (c *svgCanvas) FillString(face plotfont.Face, at vg.Point, text string) {
	uses := c.glyphs.uses(face.Face, text)
	if face.Font.Size == 0 || uses == "" {
		return
	}
	c.finish()
	m := c.state().affine
	x, y := m.at(at.X.Points(), at.Y.Points())
	// The outlines have their y downwards.
	size := face.Font.Size.Points() / float64(face.Face.UnitsPerEm())
	place := fmt.Sprintf("translate(%s %s) scale(%.5g)", decimal(x), decimal(y), size)
	if m.b != 0 || m.c != 0 || m.a <= 0 {
		place = fmt.Sprintf("matrix(%.4g %.4g %.4g %.4g %s %s)", size*m.a+0, size*m.b+0, -size*m.c+0, -size*m.d+0, decimal(x), decimal(y))
	}
	fmt.Fprintf(&c.body, `<g aria-label="%s"%s transform="%s">%s</g>`+"\n", html.EscapeString(strings.TrimSpace(text)), c.paint("fill"), place, uses)
}

// uses places the letters of a text one after another, as far apart as
// plotfont.Face.Width has them.
func (g *glyphs) uses(f *opentype.Font, text string) string {
	var out strings.Builder
	em := fixed.Int26_6(f.UnitsPerEm()) // so that distances are in units of the font
	x := fixed.Int26_6(0)
	var last sfnt.GlyphIndex
	for i, letter := range text {
		index, err := f.GlyphIndex(&g.buffer, letter)
		if err != nil {
			continue // of a font that is broken, which the one that is compiled in is not
		}
		if kern, err := f.Kern(&g.buffer, last, index, em, font.HintingNone); i > 0 && err == nil {
			x += kern
		}
		if id := g.id(glyph{f, index}); id != "" {
			fmt.Fprintf(&out, `<use xlink:href="#%s"`, id)
			if x != 0 {
				fmt.Fprintf(&out, ` x="%d"`, x)
			}
			out.WriteString("/>")
		}
		advance, err := f.GlyphAdvance(&g.buffer, index, em, font.HintingNone)
		if err == nil {
			x += advance
		}
		last = index
	}
	return out.String()
}

// id is that of a letter's outline, which is defined where it is not yet.
func (g *glyphs) id(letter glyph) string {
	id, ok := g.known[letter]
	if ok {
		return id
	}
	if g.known == nil {
		g.known = make(map[glyph]string)
	}
	outline, err := letter.font.LoadGlyph(&g.buffer, letter.index, fixed.Int26_6(letter.font.UnitsPerEm()), nil)
	if err == nil && len(outline) > 0 {
		id = fmt.Sprintf("%sg%d", g.prefix, len(g.known))
		fmt.Fprintf(&g.defs, `<path id="%s" d="%s"/>`+"\n", id, outlineData(outline))
	}
	g.known[letter] = id
	return id
}

// outlineData writes the closed lines of a letter, from point to point.
func outlineData(outline sfnt.Segments) string {
	var d pathData
	for i, s := range outline {
		if s.Op == sfnt.SegmentOpMoveTo && i > 0 {
			d.close()
		}
		var points []float64
		for _, p := range s.Args[:[]int{1, 1, 2, 3}[s.Op]] {
			points = append(points, float64(p.X), float64(p.Y))
		}
		d.add("mlqc"[s.Op], affine{a: 1, d: 1}, points...)
	}
	d.close()
	return d.String()
}
