package drawing

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

var (
	lightBackground = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	darkBackground  = color.NRGBA{R: 0x15, G: 0x18, B: 0x1b, A: 0xff}
)

// TextOnColour is the colour of text on a light colour that stays the same in dark mode, such as a
// colour of a scale. White is its counterpart on dark colours.
var TextOnColour = color.NRGBA{R: 0x10, G: 0x10, B: 0x10, A: 0xff}

// darkReplacements has the colours for dark mode that were chosen by hand, by the colours that they
// replace. Other colours are lightened until the contrast suffices.
var darkReplacements = map[color.NRGBA]color.NRGBA{
	lightBackground:              lightBackground,
	TextOnColour:                 TextOnColour,
	Ink:                          {R: 0xe3, G: 0xe6, B: 0xe8, A: 0xff},
	Grey:                         {R: 0xa0, G: 0xa8, B: 0xb0, A: 0xff},
	PaleGrey:                     {R: 0x22, G: 0x27, B: 0x2c, A: 0xff},
	GridLine.Color.(color.NRGBA): {R: 0x38, G: 0x3f, B: 0x46, A: 0xff},
	Red:                          {R: 0xf2, G: 0x58, B: 0x5c, A: 0xff},
	Blue:                         {R: 0x5b, G: 0x9b, B: 0xf0, A: 0xff},
	Splits[1].Colour:             {R: 0x4f, G: 0x95, B: 0xf0, A: 0xff},
	Splits[4].Colour:             {R: 0xee, G: 0x4a, B: 0x4f, A: 0xff},
}

// darkColour returns the colour that replaces c in dark mode. It is c itself if its contrast with the
// dark background is at least 3 (WCAG 2.1, success criterion 1.4.11). The opacity stays the same.
func darkColour(c color.NRGBA) color.NRGBA {
	opaque := c
	opaque.A = 0xff
	dark, ok := darkReplacements[opaque]
	if !ok {
		dark = lightenForDark(c)
	}
	dark.A = c.A
	return dark
}

// lightenForDark mixes c with as much white as it needs for a contrast of 3 with the dark background.
// The opacity of the result has no meaning.
func lightenForDark(c color.NRGBA) color.NRGBA {
	const (
		contrast = 3
		steps    = 32
	)
	var lighter color.NRGBA
	for i := range steps {
		lighter = color.NRGBA{R: mixWithWhite(c.R, i, steps), G: mixWithWhite(c.G, i, steps), B: mixWithWhite(c.B, i, steps)}
		if luminance(lighter)+0.05 >= contrast*(luminance(darkBackground)+0.05) { // WCAG's definition of contrast
			break
		}
	}
	return lighter
}

// mixWithWhite returns the channel v of a colour, with the fraction step/steps of white.
func mixWithWhite(v uint8, step, steps int) uint8 { return uint8(int(v) + (0xff-int(v))*step/steps) }

// luminance returns WCAG's relative luminance, with a polynomial in place of WCAG's power function.
// float64(x*y) keeps the compiler from fusing a product and a sum, which would round differently on
// some CPUs.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 0xff
		return x * (float64(x*(float64(x*0.305306011)+0.682171111)) + 0.012522878)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}

// darkCanvas is a canvas that draws in the colours of dark mode.
type darkCanvas struct{ vg.CanvasSizer }

// SetColor implements vg.Canvas.
func (c darkCanvas) SetColor(colour color.Color) { c.CanvasSizer.SetColor(darkColour(nrgba(colour))) }

// nrgba returns c as a colour whose channels are not multiplied by its opacity, or black if c is nil.
func nrgba(c color.Color) color.NRGBA {
	if c == nil {
		return color.NRGBA{A: 0xff}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}
