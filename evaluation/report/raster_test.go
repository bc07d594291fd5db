package report

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

func TestCloudDepth(t *testing.T) {
	p := newPlot("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 10, 0, 20
	nan, inf := math.NaN(), math.Inf(1)
	points := plotter.XYs{{X: 2.5, Y: 15}, {X: 2.5, Y: 15}, {X: 11, Y: 3}, {X: nan, Y: 3}, {X: 3, Y: inf}}
	dot := vg.Inch / rasterDensity
	// Ten dots a unit of x, five a unit of y: the centre of both discs is the
	// corner of the dots 24 and 25 from the left and from above.
	depth := cloud{points: points, radius: 3 * dot}.depth(p, 100, 100)
	var sum float64
	for _, d := range depth {
		sum += d
	}
	if want := 2 * math.Pi * 9; math.Abs(sum-want) > 0.1*want {
		t.Errorf("discs cover %v dots; want about %v, twice π·3²", sum, want)
	}
	if depth[25*100+25] != 2 || depth[24*100+24] != 2 || depth[25*100+32] != 0 {
		t.Errorf("depth is %v in the middle and %v beyond the rim; want 2 and 0", depth[25*100+25], depth[25*100+32])
	}
	if got := outside(points, p); got != 3 {
		t.Errorf("%d points outside; want 3", got)
	}
}
