package drawing

import (
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func TestLegendBreaksLines(t *testing.T) {
	line := []Entry{ColourEntry("one of them", Red), ColourEntry("another one", Blue), ColourEntry("the last", Grey)}
	cases := []struct {
		width  float64 // points
		height float64 // in lines
	}{{400, 1}, {150, 2}, {80, 3}, {1, 3}}
	for _, c := range cases {
		canvas := draw.NewCanvas(&recorder.Canvas{}, 1, 100)
		canvas.Max.X = canvas.Min.X + vg.Length(c.width)
		if got := drawLegend(canvas, [][]Entry{line}); got != legendHeight*vg.Length(c.height) {
			t.Errorf("on %v points the legend is %v high; want %v lines", c.width, got, c.height)
		}
	}
	if got := drawLegend(draw.NewCanvas(&recorder.Canvas{}, 100, 100), nil); got != 0 {
		t.Errorf("no legend is %v high; want 0", got)
	}
}
