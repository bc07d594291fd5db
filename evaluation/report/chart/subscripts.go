package chart

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// subscriptHandler is a text.Handler that writes subscripts. A "_" after a single letter begins a
// subscript that ends with the word: σ_drop is written as σ with a small "drop" below the line. Names such
// as temp_max are written as they are.
type subscriptHandler struct{ text.Plain }

// textHandler writes text as gonum does, and subscripts.
var textHandler = subscriptHandler{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}}

const (
	subscriptSize = 0.75 // size of a subscript, relative to the text
	subscriptDrop = 0.2  // depth of a subscript below the line, relative to the size of the text
)

// textPiece is a part of a text, either a subscript or ordinary text.
type textPiece struct {
	text        string
	isSubscript bool
}

// splitSubscripts divides a text into plain pieces and subscripts, without the "_" between them.
func splitSubscripts(txt string) []textPiece {
	const subscriptEnds = " ,|)_" // characters that end a subscript
	var pieces []textPiece
	start := 0 // index of the first byte after the last piece
	for i, r := range txt {
		isInPiece := i < start // the text before start is in a piece already
		if r != '_' || isInPiece || !endsWithSingleLetter(txt[start:i]) {
			continue
		}
		subscript := txt[i+1:]
		end := strings.IndexAny(subscript, subscriptEnds)
		if end >= 0 {
			subscript = subscript[:end]
		}
		pieces = append(pieces, textPiece{text: txt[start:i]}, textPiece{text: subscript, isSubscript: true})
		start = i + 1 + len(subscript)
	}
	return append(pieces, textPiece{text: txt[start:]})
}

// endsWithSingleLetter reports whether the last word of a text has one letter.
func endsWithSingleLetter(text string) bool {
	letter, size := utf8.DecodeLastRuneInString(text)
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size]) // utf8.RuneError at the start, which is no letter
	return unicode.IsLetter(letter) && !unicode.IsLetter(before) && !unicode.IsDigit(before) && before != '_'
}

// face returns the font face for a piece.
func (h subscriptHandler) face(fnt font.Font, p textPiece) font.Face {
	if p.isSubscript {
		return h.Fonts.Lookup(fnt, fnt.Size*subscriptSize)
	}
	return h.Fonts.Lookup(fnt, fnt.Size)
}

// Box implements text.Handler. Subscripts change only the width.
func (h subscriptHandler) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box(txt, fnt)
	for _, p := range splitSubscripts(txt) {
		face := h.face(fnt, p)
		width += face.Width(p.text)
	}
	return width, height, depth
}

// Draw implements text.Handler for a text of one line. It draws the pieces one after another, subscripts
// smaller and lower.
func (h subscriptHandler) Draw(c vg.Canvas, txt string, style text.Style, anchor vg.Point) {
	pieces := splitSubscripts(txt)
	if len(pieces) == 1 { // no subscript
		h.Plain.Draw(c, txt, style, anchor)
		return
	}
	c.SetColor(style.Color)
	c.Push()
	defer c.Pop()
	c.Rotate(style.Rotation) // from here on, x points in the direction of the text
	start := h.textStart(txt, style, rotateAxes(anchor, style.Rotation))
	for _, p := range pieces {
		pieceStart := start
		if p.isSubscript {
			pieceStart.Y -= style.Font.Size * subscriptDrop
		}
		face := h.face(style.Font, p)
		c.FillString(face, pieceStart, p.text)
		start.X += face.Width(p.text)
	}
}

// textStart returns the start of a text of one line on its base line, as text.Plain.Draw chooses it. The
// alignments of the style are the fractions of the text's box, 0 to −1, by which it is moved from anchor:
// −0.5 centers it. Gonum then moves it up by the font's size and down by the font's ascent.
func (h subscriptHandler) textStart(txt string, style text.Style, anchor vg.Point) vg.Point {
	width, height, depth := h.Box(txt, style.Font)
	ascent := h.Extents(style.Font).Ascent
	start := anchor
	start.X += width * vg.Length(style.XAlign)
	start.Y += (height+depth)*vg.Length(style.YAlign) + style.Font.Size - ascent
	return start
}

// rotateAxes returns the coordinates of a point in axes rotated by an angle in radians.
func rotateAxes(p vg.Point, angle float64) vg.Point {
	sin, cos := math.Sincos(angle)
	return vg.Point{
		X: p.Y*vg.Length(sin) + p.X*vg.Length(cos),
		Y: p.Y*vg.Length(cos) - p.X*vg.Length(sin),
	}
}
