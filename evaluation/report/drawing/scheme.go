package drawing

import (
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Grounds of figures, light and dark.
var (
	lightGround = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	darkGround  = color.NRGBA{R: 0x15, G: 0x18, B: 0x1b, A: 0xff}
)

// OnColour is for text on a light ground that is the same in the dark, such as a
// colour of a scale. White is its counterpart on a dark one.
var OnColour = color.NRGBA{R: 0x10, G: 0x10, B: 0x10, A: 0xff}

// darkOf are the colours that are chosen for the dark; others are only lightened as
// much as they need.
var darkOf = map[color.NRGBA]color.NRGBA{
	lightGround:                  lightGround,
	OnColour:                     OnColour,
	Ink:                          {R: 0xe3, G: 0xe6, B: 0xe8, A: 0xff},
	Grey:                         {R: 0xa0, G: 0xa8, B: 0xb0, A: 0xff},
	Pale:                         {R: 0x22, G: 0x27, B: 0x2c, A: 0xff},
	GridLine.Color.(color.NRGBA): {R: 0x38, G: 0x3f, B: 0x46, A: 0xff},
	Red:                          {R: 0xf2, G: 0x58, B: 0x5c, A: 0xff},
	Blue:                         {R: 0x5b, G: 0x9b, B: 0xf0, A: 0xff},
	Splits[1].Colour:             {R: 0x4f, G: 0x95, B: 0xf0, A: 0xff},
	Splits[4].Colour:             {R: 0xee, G: 0x4a, B: 0x4f, A: 0xff},
}

// darkColour returns the colour that replaces c on a dark background. It is c itself if the
// contrast is at least 3 (WCAG 2.1, success criterion 1.4.11). The opacity stays the same.
func darkColour(c color.NRGBA) color.NRGBA {
	opaque := c
	opaque.A = 0xff
	dark, ok := darkOf[opaque]
	if !ok {
		const steps = 32
		for i := range steps {
			mix := func(v uint8) uint8 { return uint8(int(v) + (0xff-int(v))*i/steps) }
			dark = color.NRGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B)}
			if luminance(dark)+0.05 >= 3*(luminance(darkGround)+0.05) {
				break
			}
		}
	}
	dark.A = c.A
	return dark
}

// luminance returns WCAG's relative luminance, with a polynomial in place of WCAG's power function.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 0xff
		return x * (float64(x*(float64(x*0.305306011)+0.682171111)) + 0.012522878)
	}
	return float64(0.2126*linear(c.R)) + float64(0.7152*linear(c.G)) + float64(0.0722*linear(c.B))
}

// darkCanvas draws in dark colours.
type darkCanvas struct{ vg.CanvasSizer }

// SetColor implements vg.Canvas.
func (c darkCanvas) SetColor(colour color.Color) { c.CanvasSizer.SetColor(darkColour(nrgba(colour))) }

// nrgba returns c with its red, green and blue not multiplied by the opacity, or black if c is nil.
func nrgba(c color.Color) color.NRGBA {
	if c == nil {
		return color.NRGBA{A: 0xff}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}
