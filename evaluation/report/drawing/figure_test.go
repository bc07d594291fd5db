package drawing

import (
	"bytes"
	"image"
	"io"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// withSubscripts is a figure with subscripts in its axes and its legend.
func withSubscripts() *Figure {
	p := NewPlot("μ_drop", "σ_drop")
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 2}}, LineStyle: GridLine}, plotter.NewImage(image.NewGray(image.Rect(0, 0, 5, 4)), 0, 0, 1, 2))
	p.X.Max, p.Y.Max = 1, 2
	return &Figure{
		Width: 4 * vg.Inch, Height: 3 * vg.Inch,
		Panels: [][]Panel{{{Title: `a < b & "c"`, Note: "1 beyond", Plot: p}}},
		Legend: [][]Entry{{LineEntry("σ_drop = 2/π", GridLine)}},
	}
}

func svgOf(t *testing.T, figure *Figure) string {
	t.Helper()
	var image bytes.Buffer
	if err := figure.WriteSVG(&image); err != nil {
		t.Fatal(err)
	}
	return image.String()
}

// Drawing does not use a figure up: a second drawing has the same bytes.
func TestFigureIsDrawnTwice(t *testing.T) {
	figure := withSubscripts()
	for name, write := range map[string]func(io.Writer) error{"SVG": figure.WriteSVG, "PNG": figure.WritePNG} {
		var first, second bytes.Buffer
		for _, to := range []*bytes.Buffer{&first, &second} {
			if err := write(to); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the same figure gave other bytes", name)
		}
	}
}

// Browsers without the fonts draw images as large as their place, as what they are.
func TestSVGOfAnImage(t *testing.T) {
	image := svgOf(t, withSubscripts())
	if strings.Count(image, "<image ") != 1 || !strings.Contains(image, `preserveAspectRatio="none"`) || !strings.Contains(image, "data:image/png;base64,") {
		t.Error("there is not one picture of the points")
	}
}
