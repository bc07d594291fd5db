package shape

import (
	"math"
	"testing"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
)

func TestCloudDepth(t *testing.T) {
	p := drawing.NewPlot("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 10, 0, 20
	nan, inf := math.NaN(), math.Inf(1)
	points := plotter.XYs{{X: 2.5, Y: 15}, {X: 2.5, Y: 15}, {X: 11, Y: 3}, {X: nan, Y: 3}, {X: 3, Y: inf}}
	dot := vg.Inch / rasterDensity
	// Ten dots a unit of x, five a unit of y: the centre of both discs is the
	// corner of the dots 24 and 25 from the left and from above.
	overlap := Cloud{Points: points, Radius: 3 * dot}.overlap(p, 100, 100)
	var sum float64
	for _, d := range overlap {
		sum += d
	}
	if want := 2 * math.Pi * 9; math.Abs(sum-want) > 0.1*want {
		t.Errorf("discs cover %v dots; want about %v, twice π·3²", sum, want)
	}
	if overlap[25*100+25] != 2 || overlap[24*100+24] != 2 || overlap[25*100+32] != 0 {
		t.Errorf("overlap is %v in the middle and %v beyond the rim; want 2 and 0", overlap[25*100+25], overlap[25*100+32])
	}
	if got := CountOutside(points, p); got != 3 {
		t.Errorf("%d points outside; want 3", got)
	}
}

// A cloud of counted points is as dense as the points themselves.
func TestCountedCloud(t *testing.T) {
	p := drawing.NewPlot("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	points := plotter.XYs{{X: 0.2, Y: 0.3}, {X: 0.7, Y: 0.3}, {X: 0.71, Y: 0.32}}
	thrice := Cloud{Points: append(append(points[:len(points):len(points)], points...), points...), Radius: 1}
	counts := make([]int, len(points))
	for i := range counts {
		counts[i] = 3
	}
	counted := Cloud{Points: points, Counts: counts, Radius: 1}
	one, other := thrice.overlap(p, 50, 50), counted.overlap(p, 50, 50)
	for i := range one {
		if d := one[i] - other[i]; d > 1e-9 || d < -1e-9 {
			t.Fatalf("dot %d has the overlap %v; want %v", i, other[i], one[i])
		}
	}
}
