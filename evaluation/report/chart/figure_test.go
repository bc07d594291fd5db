package chart

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"sml/internal/expect"
)

// curve is a figure with marks of each kind.
func curve() Figure {
	infinity := math.Inf(1)
	left := Panel{
		Title: `a < b & "c"`,
		X:     Axis{Label: "μ_drop"},
		Y:     Axis{Label: "σ_drop"},
		Layers: []Layer{
			{Name: "between", Kind: Band, X: []float64{0, 1, 2}, Y: []float64{1, infinity, 3}, Y2: []float64{0, -infinity, 1}, Colour: Pale(Blue)},
			{Name: "a line", X: []float64{0, 1, 2}, Y: []float64{0, 2, 4}, Colour: Blue},
			{Name: "points", Kind: Points, X: []float64{0.5, 1, 9, math.NaN()}, Y: []float64{1, 1, 1, 1}, Colour: Red},
			{Kind: Points, X: []float64{-9, 9}, Y: []float64{1, 1}, AtEdge: true, Colour: Red},
			{Name: "a cloud", Kind: Cloud, X: []float64{0.5, 1}, Y: []float64{2, 3}, Colour: Orange},
			{Kind: Texts, X: []float64{1}, Y: []float64{2}, Labels: []string{"a text"}, Colour: Ink},
			{Kind: Image, At: func(x, y float64) color.NRGBA { return Pale(Grey) }},
		},
	}
	left.X.Max = 2
	right := Panel{
		X: Axis{Ticks: []Tick{{Value: 0.5, Label: "a long name"}, {Value: 1.5, Label: "another long name"}, {Value: 2.5, Label: "the last long name"}, {Value: 3.5, Label: "a fourth name"}, {Value: 4.5, Label: "a fifth name"}}},
		Y: Axis{Min: 1, Max: 100, Scale: Logarithmic},
	}
	boxes := Layer{Name: "boxes", Kind: Boxes, Colour: Blue}
	boxes.AddBetween(0, 1, 1, 20)
	boxes.AddBetween(4, 1, 5, infinity)
	segments := Layer{Name: "a line", Kind: Segments, Colour: Grey}
	segments.AddBetween(2, 0, 2, 200)
	right.Layers = []Layer{boxes, segments}
	return Figure{Panels: []Panel{left, right}, Rows: []string{"a row"}}
}

func svgOf(t *testing.T, figure Figure) string {
	t.Helper()
	var image bytes.Buffer
	expect.NoError(t, figure.WriteSVG(&image))
	return image.String()
}

// Drawing does not use a figure up: a second drawing has the same bytes.
func TestFigureIsDrawnTwice(t *testing.T) {
	figure := curve()
	for name, write := range map[string]func(io.Writer) error{"SVG": figure.WriteSVG, "PNG": figure.WritePNG} {
		var first, second bytes.Buffer
		for _, to := range []*bytes.Buffer{&first, &second} {
			expect.NoError(t, write(to))
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the same figure gave other bytes", name)
		}
	}
}

// Text is text; numbers are finite; the file is well formed and has a rule for dark mode.
func TestSVG(t *testing.T) {
	image := svgOf(t, curve())
	for _, want := range []string{
		"<?xml", ">a &lt; b &amp; &#34;c&#34;</text>", ">4 beyond the axes</text>", ">a row</text>", ">a text</text>", ">another long name</text>",
		"font-family:Liberation Sans,Arial,Helvetica,sans-serif;", "(prefers-color-scheme: dark) { svg { filter: invert", "data:image/",
	} {
		if !strings.Contains(image, want) {
			t.Errorf("there is no %s", want)
		}
	}
	for _, unwanted := range []string{"NaN", "Inf"} {
		if strings.Contains(image, unwanted) {
			t.Errorf("there is a place %s", unwanted)
		}
	}
	if n := strings.Count(image, ">a line</text>"); n != 1 {
		t.Errorf("the legend has an entry %d times; want once", n)
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

func TestHTML(t *testing.T) {
	var page strings.Builder
	expect.NoError(t, curve().WriteHTML(&page, `a "label"`))
	if !strings.HasPrefix(page.String(), `<svg class="drawing" style="min-width: 648px" role="img" aria-label="a &#34;label&#34;"`) || strings.Contains(page.String(), "<rect width=\"100%") {
		t.Errorf("the element is %.200s", page.String())
	}
	many := Layer{Kind: Points, Colour: Blue} // with some 300 bytes each
	for i := range 5000 {
		many.Add(float64(i), math.Mod(float64(i)*0.618, 1))
	}
	page.Reset()
	expect.NoError(t, (Figure{Panels: []Panel{{Layers: []Layer{many}}}}).WriteHTML(&page, "many"))
	if !strings.HasPrefix(page.String(), `<img class="drawing" style="min-width: 648px" alt="many" src="data:image/png;base64,`) {
		t.Errorf("a large figure is %.100s", page.String())
	}
}

// Limits contain all layers unless they are given, and the PNG shows nothing at its border.
func TestLimits(t *testing.T) {
	p := Panel{Layers: []Layer{{X: []float64{1, 2}, Y: []float64{-1, 5}}, {Kind: Boxes, X: []float64{0}, X2: []float64{7}, Y: []float64{0}, Y2: []float64{math.Inf(1)}}}}.withLimits()
	if p.X.Min != 0 || p.X.Max != 7 || p.Y.Min != -1 || p.Y.Max != 5 {
		t.Errorf("limits are %v to %v and %v to %v", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	if p := (Panel{}).withLimits(); p.X.Min != 0 || p.X.Max != 1 {
		t.Errorf("limits of nothing are %v to %v", p.X.Min, p.X.Max)
	}
	var encoded bytes.Buffer
	expect.NoError(t, curve().WritePNG(&encoded))
	picture := expect.Must(png.Decode(&encoded))
	size := picture.Bounds()
	for x := range size.Max.X {
		for _, y := range []int{0, size.Max.Y - 1} {
			if color.GrayModel.Convert(picture.At(x, y)) != (color.Gray{Y: 0xff}) {
				t.Fatalf("pixel (%d, %d) at the border is not white", x, y)
			}
		}
	}
}

// Labels are slanted where they would overlap, and a legend breaks its lines at the figure's width.
func TestCrowdedLabels(t *testing.T) {
	names := Axis{Max: 2, Ticks: []Tick{{Value: 0.5, Label: "one"}, {Value: 1.5, Label: "two"}}}
	for length, want := range map[vg.Length]float64{100: 0, 22: 48.6, 4: 60} { // asin(8.25/11) is 48.6 degrees
		if got := names.labelAngle(length) * 180 / math.Pi; math.Abs(got-want) > 0.1 {
			t.Errorf("on %v points labels have an angle of %v degrees, want %v", length, got, want)
		}
	}
	var layers []Layer
	for _, name := range []string{"one", "the second entry", "the third entry"} {
		layers = append(layers, Layer{Name: name})
	}
	for width, want := range map[float64]int{500: 1, 170: 2, 100: 3} {
		f := Figure{Width: width, Panels: []Panel{{Layers: layers}}}
		if got := len(f.legend()); got != want {
			t.Errorf("the legend has %d lines in %v points; want %d", got, width, want)
		}
	}
}

// contrast is WCAG's contrast of two colours.
func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		sum := 0.0
		for i, v := range []uint8{c.R, c.G, c.B} {
			x := float64(v) / 255
			linear := math.Pow((x+0.055)/1.055, 2.4)
			if x <= 0.04045 {
				linear = x / 12.92
			}
			sum += []float64{0.2126, 0.7152, 0.0722}[i] * linear
		}
		return sum + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// Text has a contrast of 4.5 with white paper, and lines have one of 2.2: orange is the palest (WCAG 2.1, 1.4.3).
func TestContrast(t *testing.T) {
	white := color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	for name, c := range map[string]color.NRGBA{"ink": Ink, "grey": Grey} {
		if got := contrast(c, white); got < 4.5 {
			t.Errorf("text in %s has a contrast of %.1f", name, got)
		}
	}
	for _, c := range []color.NRGBA{Red, Blue, Orange} {
		if got := contrast(c, white); got < 2.2 {
			t.Errorf("%v has a contrast of %.1f", c, got)
		}
	}
}
