package drawing

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// An SVG has no text that needs a font, and every letter that it places is defined
// once.
func TestSVGNeedsNoFont(t *testing.T) {
	image := svgOf(t, withSubscripts())
	if strings.Contains(image, "<text") || strings.Contains(image, "font-") {
		t.Error("there is text that needs a font")
	}
	var defined, used []string
	for _, found := range regexp.MustCompile(`<path id="([^"]*)"`).FindAllStringSubmatch(image, -1) {
		defined = append(defined, found[1])
	}
	places := make(map[string]int)
	for _, found := range regexp.MustCompile(`<use xlink:href="#([^"]*)"`).FindAllStringSubmatch(image, -1) {
		used = append(used, found[1])
		places[found[1]]++
	}
	for _, id := range defined {
		if strings.Count(image, `id="`+id+`"`) != 1 || places[id] == 0 {
			t.Errorf("the letter %s is defined twice, or of no use", id)
		}
	}
	if len(places) != len(defined) || len(used) <= len(defined) {
		t.Errorf("%d letters are defined, %d of them used, in %d places", len(defined), len(places), len(used))
	}
	for _, label := range []string{`aria-label="a &lt; b &amp; &#34;c&#34;"`, `aria-label="= 2/π"`, `<svg xmlns=`, `role="img" aria-label="a &lt; b`} {
		if !strings.Contains(image, label) {
			t.Errorf("there is no %s", label)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(image))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// The letters of a text stand as far apart as the text is measured, and their
// outlines equal the font's outlines.
func TestOutlines(t *testing.T) {
	face := textHandler.Fonts.Lookup(TextStyle(10).Font, 10)
	const text = "AVATAR l"
	var g glyphs
	uses := g.useElements(face.Face, text)
	last := regexp.MustCompile(` x="(\d+)"/>$`).FindStringSubmatch(uses)
	if last == nil {
		t.Fatalf("%s does not end with a place", uses)
	}
	// By hand: 2048 units are 10 points.
	if want := math.Round(face.Width("AVATAR ").Points() / 10 * 2048); formatDecimal(want) != last[1] {
		t.Errorf("the last letter stands at %s; want %v", last[1], want)
	}
	if n := strings.Count(g.defs.String(), "<path "); n != 5 {
		t.Errorf("%d outlines; want those of A, V, T, R and l", n)
	}
	// By hand, from the font: l is a bar of 1484 units, 180 wide, 138 from the left.
	if want := `d="m138 0l0-1484 180 0 0 1484-180 0z"`; !strings.Contains(g.defs.String(), want) {
		t.Errorf("l is not %s but %s", want, g.defs.String())
	}
}

func TestSVGPaths(t *testing.T) {
	canvas := newSVG(100, 50, "")
	var path vg.Path
	path.Move(vg.Point{X: 10, Y: 10})
	path.Line(vg.Point{X: 20.004, Y: 10})
	path.Line(vg.Point{X: 30.006, Y: 40.25})
	path.Close()
	canvas.SetColor(color.NRGBA{R: 0xff, A: 0x80})
	canvas.Fill(path)
	canvas.SetColor(color.Black)
	canvas.SetLineDash([]vg.Length{2, 0.5}, 1)
	canvas.Stroke(path)
	canvas.Push()
	canvas.Translate(vg.Point{X: 50, Y: 25})
	canvas.Rotate(math.Pi / 2)
	canvas.Scale(2, 2)
	canvas.SetLineDash(nil, 0)
	path = nil
	path.Move(vg.Point{X: 1, Y: 0})
	path.Line(vg.Point{X: 2, Y: 0})
	canvas.Stroke(path)
	canvas.Pop()
	path = nil
	path.Arc(vg.Point{X: 50, Y: 25}, 10, 0, math.Pi)
	canvas.Fill(path)
	path = nil
	path.Move(vg.Point{X: math.MaxFloat64, Y: -math.MaxFloat64})
	canvas.Fill(path)
	canvas.SetLineWidth(0)
	canvas.Stroke(path)
	got := canvas.element("", "")
	// By hand: y is measured from above; a filled and stroked path is one element.
	for _, want := range []string{
		`<path d="m10 40l10 0 10.01-30.25z" fill="#FF0000" fill-opacity=".5" stroke="#000000" stroke-width="1" stroke-dasharray="2 .5" stroke-dashoffset="1"/>`,
		`<path d="m50 23l0-2" stroke="#000000" stroke-width="1"/>`,
		`<path d="m60 25c0-5.52-4.48-10-10-10-5.52 0-10 4.48-10 10" fill="#000000"/>`,
		`<path d="m1000000 1000000" fill="#000000"/>`,
		`viewBox="0 0 100 50"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}

// Every colour that figures are made of can be told from both grounds: text with a
// contrast of 4.5, all else with one of 3, in the dark (WCAG 2.1, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	contrast := func(a, b color.NRGBA) float64 {
		x, y := luminance(a)+0.05, luminance(b)+0.05
		return max(x, y) / min(x, y)
	}
	for name, c := range map[string]color.NRGBA{"ink": Ink, "grey": Grey} {
		if light, dark := contrast(c, lightBackground), contrast(darkColour(c), darkBackground); light < 4.5 || dark < 4.5 {
			t.Errorf("text in %s has contrasts of %.1f and %.1f; want 4.5", name, light, dark)
		}
	}
	colours := []color.NRGBA{Red, Orange, Blue, {A: 0xff}, {R: 0x40, A: 0xff}, {B: 0xff, A: 0xff}}
	for _, s := range Splits {
		colours = append(colours, s.Colour, color.NRGBA{R: s.Colour.R / 2, G: s.Colour.G / 2, B: s.Colour.B / 2, A: 0xff})
	}
	for _, c := range colours {
		if got := contrast(darkColour(c), darkBackground); got < 2.95 { // of the polynomial
			t.Errorf("%v is %v in the dark, a contrast of %.2f; want 3", c, darkColour(c), got)
		}
	}
	for _, c := range []color.NRGBA{lightBackground, TextOnColour, Orange} {
		if darkColour(c) != c {
			t.Errorf("%v is %v in the dark", c, darkColour(c))
		}
	}
	if got := darkColour(TranslucentGrey); got.A != TranslucentGrey.A || got.R != darkColour(Grey).R {
		t.Errorf("a veil of grey is %v in the dark", got)
	}
	// A file says so for each colour that it has.
	image := svgOf(t, withSubscripts())
	for _, want := range []string{"[fill='#262626']{fill:#E3E6E8}", "[stroke='#DDDFE2']{stroke:#", "#ground{fill:#15181B}", `<rect id="ground" width="100%" height="100%" fill="#FFFFFF"/>`} {
		if !strings.Contains(image, want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// Large figures, which are pixels, also have colours for dark mode.
func TestDarkPixels(t *testing.T) {
	var light, dark bytes.Buffer
	if err := withSubscripts().writeLightPNG(&light, 50); err != nil {
		t.Fatal(err)
	}
	if err := withSubscripts().writeDarkPNG(&dark, 50); err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(light.Bytes(), dark.Bytes()) {
		t.Error("a dark picture is light")
	}
}

func TestDecimal(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -0.001: "0", 0.5: ".5", -0.25: "-.25", 10.5: "10.5", 100: "100", -3.14159: "-3.14", 1e300: "1000000"} {
		if got := formatDecimal(x); got != want {
			t.Errorf("%v is %q; want %q", x, got, want)
		}
	}
}
