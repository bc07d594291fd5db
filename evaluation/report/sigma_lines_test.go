package report

import (
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestWidestResidual(t *testing.T) {
	var points plotter.XYs
	for i := range 100 {
		points = append(points, plotter.XY{X: float64(i + 1)})
	}
	points[99].X = -1e9
	if got := widestResidual(points, 0.99); got != 99 { // by hand
		t.Errorf("got %v; want 99", got)
	}
}
