package drawing

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

func TestAlign(t *testing.T) {
	panels := make([][]Panel, 2)
	for j := range panels {
		for range 3 {
			p := NewPlot("x", "y")
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
			panels[j] = append(panels[j], Panel{Plot: p})
		}
	}
	panels[0][1].Title, panels[0][2].Y.Max, panels[1][0].X.Label.Text = "A", 1e7, ""
	c := draw.NewCanvas(&recorder.Canvas{}, 400, 300)
	canvases := align(panels, []float64{2, 1, 1}, c)

	area := func(j, i int) vg.Rectangle { return panels[j][i].DataCanvas(canvases[j][i]).Rectangle }
	same := func(what string, a, b vg.Length) {
		t.Helper()
		if math.Abs(float64(a-b)) > 0.01 { // points
			t.Errorf("%s: %v and %v; want the same", what, a, b)
		}
	}
	for j := range panels {
		for i := range panels[j] {
			same("foot of a row", area(j, i).Min.Y, area(j, 0).Min.Y)
			same("left of a column", area(j, i).Min.X, area(0, i).Min.X)
			same("height", area(j, i).Size().Y, area(0, 0).Size().Y)
		}
		same("twice as wide", area(j, 0).Size().X, 2*area(j, 1).Size().X)
		same("as wide", area(j, 1).Size().X, area(j, 2).Size().X)
	}
	for _, row := range canvases {
		for i, canvas := range row {
			if canvas.Min.X < -0.01 || canvas.Max.X > 400.01 || canvas.Min.Y < -0.01 || canvas.Max.Y > 300.01 {
				t.Errorf("panel %d lies at %v, beyond the canvas", i, canvas.Rectangle)
			}
			if i > 0 && canvas.Min.X < row[i-1].Max.X {
				t.Errorf("panel %d overlaps the one before it", i)
			}
		}
	}
}
