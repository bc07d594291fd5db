package draw

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"sml/internal/expect"
)

// On light and on dark screens, text can be read in its box with a contrast of 4.5, and boxes and lines can be
// told from the ground with one of 3 (WCAG 2.1, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	if !strings.Contains(svgStyle, "(prefers-color-scheme:dark){svg{filter:invert(.92) hue-rotate(180deg)}}") {
		t.Error("the style sheet has not the rule for dark screens that the function inverted repeats")
	}
	const ground = "#ffffff"
	check := func(name, a, b string, want float64) {
		t.Helper()
		x, y := colourOf(t, a), colourOf(t, b)
		if got := contrast(x, y); got < want {
			t.Errorf("%s: %s and %s have a contrast of %.2f; want %v", name, a, b, got, want)
		}
		if got := contrast(inverted(x), inverted(y)); got < want {
			t.Errorf("%s, dark: %s and %s have a contrast of %.2f; want %v", name, a, b, got, want)
		}
	}
	for _, look := range nodeLooks {
		check(look.name, look.text, look.fill, 4.5)
		check(look.name, look.stroke, ground, 3)
	}
	for kind, look := range edgeLooks {
		check("line "+strconv.Itoa(kind), look.colour, frameLook.fill, 3)
	}
	check("name of a frame", frameLook.text, frameLook.fill, 4.5)
	check("title", frameLook.text, ground, 4.5)
}

// rgb is a colour, each channel from 0 to 1.
type rgb [3]float64

// colourOf returns the colour #rrggbb.
func colourOf(t *testing.T, text string) (c rgb) {
	bits := expect.Must(strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32))
	for i := range c {
		c[i] = float64(bits>>(16-8*i)&0xff) / 255
	}
	return c
}

// inverted returns the colour after invert(.92) and hue-rotate(180deg), as
// https://www.w3.org/TR/filter-effects-1 defines them.
func inverted(c rgb) rgb {
	rotation := [3]rgb{{-0.574, 1.430, 0.144}, {0.426, 0.430, 0.144}, {0.426, 1.430, -0.856}}
	var result rgb
	for i, row := range rotation {
		for k, factor := range row {
			result[i] += factor * (0.92 - 0.84*c[k])
		}
		result[i] = min(max(result[i], 0), 1)
	}
	return result
}

// contrast is WCAG's contrast of two colours, by their relative luminances.
func contrast(a, b rgb) float64 {
	weights := [3]float64{0.2126, 0.7152, 0.0722}
	luminance := func(c rgb) (sum float64) {
		for i, weight := range weights {
			linear := c[i] / 12.92
			if c[i] > 0.04045 {
				linear = math.Pow((c[i]+0.055)/1.055, 2.4)
			}
			sum += weight * linear
		}
		return sum
	}
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return max(x, y) / min(x, y)
}
