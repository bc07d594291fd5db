package draw

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// In the dark, text can be read in its box with a contrast of 4.5, and boxes and lines
// can be told from the ground with one of 3 (WCAG 2.1, 1.4.3 and 1.4.11).
func TestContrastInTheDark(t *testing.T) {
	dark := func(element, attribute, light string) string {
		for _, c := range darkColours {
			if c.element == element && c.attribute == attribute && c.light == light {
				return c.dark
			}
		}
		return light
	}
	check := func(what, a, b string, want float64) {
		t.Helper()
		x, y := luminance(t, a)+0.05, luminance(t, b)+0.05
		if got := max(x, y) / min(x, y); got < want {
			t.Errorf("%s: %s and %s have a contrast of %.2f; want %v", what, a, b, got, want)
		}
	}
	ground := dark("#ground", "fill", "#ffffff")
	for kind, look := range nodeLooks {
		var out strings.Builder
		writeShape(&out, kind, rect{0, 0, 50, 20})
		element, _, _ := strings.Cut(out.String()[1:], " ")
		fill := dark(element, "fill", look.fill)
		check(look.name, dark("text", "fill", look.text), fill, 4.5)
		check(look.name, dark(element, "stroke", look.stroke), ground, 3)
		if fill == look.fill {
			t.Errorf("%s: the box of %s stays light", look.name, element)
		}
	}
	for kind, look := range edgeLooks {
		check("line "+strconv.Itoa(int(kind)), dark("path", "stroke", look.stroke), ground, 3)
		check("label "+strconv.Itoa(int(kind)), dark("text", "fill", look.stroke), ground, 4.5)
		if dark("path", "fill", look.stroke) != dark("path", "stroke", look.stroke) {
			t.Errorf("a line of %s has another head", look.stroke)
		}
	}
	for _, frame := range []string{"#f1f8f1", "#f3f6fa", "#fffafa"} {
		check("name of a frame", dark("text", "fill", "#374151"), dark("rect", "fill", frame), 4.5)
	}
	d := methodPicture(t, "sml", nil, []int{20, 20}, true)
	if image := svgOf(t, d); !strings.Contains(image, "(prefers-color-scheme: dark)") || !strings.Contains(image, "#ground[fill='#ffffff']{fill:#15181b}") {
		t.Error("a picture has no dark colours")
	}
}

// luminance is WCAG's relative luminance.
func luminance(t *testing.T, colour string) float64 {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
}
