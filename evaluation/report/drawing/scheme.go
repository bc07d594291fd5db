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

// darkReplacements maps colours to the colours that replace them in dark mode, as chosen by hand. Other
// colours are lightened until their contrast suffices. The first two stay as they are, because they are
// used for text on colours that stay the same.
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

// darkColour returns the colour that replaces c in dark mode, with the same opacity: the replacement in
// darkReplacements, or c lightened as far as lightenForDark finds necessary.
func darkColour(c color.NRGBA) color.NRGBA {
	opaque := c
	opaque.A = 0xff
	dark, isChosen := darkReplacements[opaque]
	if !isChosen {
		dark = lightenForDark(c)
	}
	dark.A = c.A
	return dark
}

// lightenForDark mixes c with as little white as gives a contrast of 3 with the dark background, the
// least for graphics by WCAG 2.1, success criterion 1.4.11. It returns c without opacity if its contrast
// suffices. The caller sets the opacity.
func lightenForDark(c color.NRGBA) color.NRGBA {
	const (
		minContrast = 3
		steps       = 32 // from c to white
	)
	var lighter color.NRGBA
	for step := range steps {
		lighter = color.NRGBA{
			R: mixWithWhite(c.R, step, steps),
			G: mixWithWhite(c.G, step, steps),
			B: mixWithWhite(c.B, step, steps),
		}
		// WCAG defines contrast as (lighter + 0.05) / (darker + 0.05), in relative luminances.
		if luminance(lighter)+0.05 >= minContrast*(luminance(darkBackground)+0.05) {
			break
		}
	}
	return lighter
}

// mixWithWhite returns a channel of a colour after mixing it with the fraction step/steps of white.
func mixWithWhite(channel uint8, step, steps int) uint8 {
	const white = 0xff
	return uint8(int(channel) + (white-int(channel))*step/steps)
}

// luminance returns WCAG's relative luminance of a colour, from 0 for black to 1 for white: a weighted sum
// of the channels' linear intensities.
//
// Here and in linearIntensity, float64(x*y) keeps the compiler from fusing a product and a sum, which would
// round differently on some CPUs.
func luminance(c color.NRGBA) float64 {
	red := linearIntensity(c.R)
	green := linearIntensity(c.G)
	blue := linearIntensity(c.B)
	return float64(0.2126*red) + float64(0.7152*green) + float64(0.0722*blue)
}

// linearIntensity returns the light that a screen emits for an sRGB channel, from 0 to 1. A cubic
// polynomial approximates sRGB's power function, whose last digits differ between CPUs.
func linearIntensity(channel uint8) float64 {
	x := float64(channel) / 0xff
	return x * (float64(x*(float64(x*0.305306011)+0.682171111)) + 0.012522878)
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
