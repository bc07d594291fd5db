package draw

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// On dark and on light screens, text can be read in its box with a contrast of 4.5, and boxes and lines can be
// told from the ground with one of 3 (WCAG 2.1, 1.4.3 and 1.4.11). Colours that were there before the dark
// ones keep their contrast.
func TestContrast(t *testing.T) {
	check := func(name, a, b string, want float64) {
		t.Helper()
		x, y := luminance(t, a)+0.05, luminance(t, b)+0.05
		if got := max(x, y) / min(x, y); got < want {
			t.Errorf("%s: %s and %s have a contrast of %.2f; want %v", name, a, b, got, want)
		}
	}
	for _, look := range nodeLooks {
		check(look.name, look.light.text, look.light.fill, 4.5)
		check(look.name, look.light.stroke, lightGround.fill, 3)
		check(look.name, look.dark.text, look.dark.fill, 4.5)
		check(look.name, look.dark.stroke, darkGround.fill, 3)
	}
	for kind, look := range edgeLooks {
		check("line "+strconv.Itoa(kind), look.light, lightFrame.fill, 3)
		check("line "+strconv.Itoa(kind), look.dark, darkFrame.fill, 3)
		check("label "+strconv.Itoa(kind), look.dark, darkGround.fill, 4.5)
	}
	check("name of a frame", lightFrame.text, lightFrame.fill, 4.5)
	check("name of a frame", darkFrame.text, darkFrame.fill, 4.5)
	d := methodPicture(t, "sml", nil, []int{20, 20}, true)
	light, dark, _ := strings.Cut(svgOf(t, d), "(prefers-color-scheme:dark)")
	if !strings.Contains(light, ".ground rect{fill:#ffffff") || !strings.Contains(dark, ".ground rect{fill:#15181b") {
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
