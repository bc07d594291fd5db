package drawing

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// subscripts writes text in which "_" behind a single letter begins a subscript, which
// ends with the word: σ_drop is a σ with a small drop below. In a name such as
// temp_max it stays what it is.
type subscripts struct{ text.Plain }

const (
	subscriptSize = 0.75 // of the text
	subscriptDrop = 0.2  // below the line, in sizes of the text
)

// piece is a part of a text in one size.
type piece struct {
	text  string
	below bool
}

func pieces(txt string) []piece {
	var all []piece
	from := 0
	for at, r := range txt {
		if r != '_' || at < from || !afterLetter(txt[from:at]) {
			continue
		}
		below := txt[at+1:]
		if end := strings.IndexAny(below, " ,|)_"); end >= 0 {
			below = below[:end]
		}
		all = append(all, piece{txt[from:at], false}, piece{below, true})
		from = at + 1 + len(below)
	}
	return append(all, piece{txt[from:], false})
}

// afterLetter tells whether a text ends with a word of one letter.
func afterLetter(text string) bool {
	letter, size := utf8.DecodeLastRuneInString(text)
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
	return unicode.IsLetter(letter) && !unicode.IsLetter(before) && !unicode.IsDigit(before) && before != '_'
}

func (h subscripts) face(fnt font.Font, p piece) font.Face {
	if p.below {
		return h.Fonts.Lookup(fnt, fnt.Size*subscriptSize)
	}
	return h.Fonts.Lookup(fnt, fnt.Size)
}

// Box implements text.Handler.
func (h subscripts) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box(txt, fnt)
	for _, p := range pieces(txt) {
		face := h.face(fnt, p)
		width += face.Width(p.text)
	}
	return width, height, depth
}

// Draw implements text.Handler for a single line.
func (h subscripts) Draw(c vg.Canvas, txt string, style text.Style, at vg.Point) {
	if len(pieces(txt)) == 1 {
		h.Plain.Draw(c, txt, style, at)
		return
	}
	c.SetColor(style.Color)
	c.Push()
	defer c.Pop()
	c.Rotate(style.Rotation)
	sin, cos := math.Sincos(style.Rotation)
	at = vg.Point{X: at.Y*vg.Length(sin) + at.X*vg.Length(cos), Y: at.Y*vg.Length(cos) - at.X*vg.Length(sin)}
	width, height, depth := h.Box(txt, style.Font)
	at.X += width * vg.Length(style.XAlign)
	at.Y += (height+depth)*vg.Length(style.YAlign) + style.Font.Size - h.Extents(style.Font).Ascent
	for _, p := range pieces(txt) {
		face := h.face(style.Font, p)
		point := at
		if p.below {
			point.Y -= style.Font.Size * subscriptDrop
		}
		c.FillString(face, point, p.text)
		at.X += face.Width(p.text)
	}
}
