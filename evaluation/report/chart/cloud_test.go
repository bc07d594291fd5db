package chart

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// emptyPlot returns a plot whose axes begin at 0.
func emptyPlot(xMax, yMax float64) *plot.Plot {
	return Panel{X: Axis{Max: xMax}, Y: Axis{Max: yMax}}.plot(100)
}

func TestCloudDepth(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cloud := Layer{
		Kind:   Cloud,
		X:      []float64{2.5, 2.5, 11, nan, 3},
		Y:      []float64{15, 15, 3, 3, inf},
		Radius: 3 * float64(vg.Inch) / density, // three dots
	}
	// Ten dots a unit of x, five a unit of y: the centre of both discs is the
	// corner of the dots 24 and 25 from the left and from above.
	overlap := cloud.overlap(emptyPlot(10, 20), 100, 100)
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
	p := Panel{X: Axis{Max: 10}, Y: Axis{Max: 20}, Layers: []Layer{cloud}}
	if got := p.countBeyond(); got != 3 || p.note() != "3 beyond the axes" {
		t.Errorf("%d points beyond the axes, %q; want 3", got, p.note())
	}
}

// A cloud of counted points is as dense as the points themselves.
func TestCountedCloud(t *testing.T) {
	x, y := []float64{0.2, 0.7, 0.71}, []float64{0.3, 0.3, 0.32}
	thrice, counted := Layer{Radius: 1}, Layer{X: x, Y: y, Counts: []int{3, 3, 3}, Radius: 1}
	for range 3 {
		thrice.X, thrice.Y = append(thrice.X, x...), append(thrice.Y, y...)
	}
	p := emptyPlot(1, 1)
	one, other := thrice.overlap(p, 50, 50), counted.overlap(p, 50, 50)
	for i := range one {
		if d := one[i] - other[i]; d > 1e-9 || d < -1e-9 {
			t.Fatalf("dot %d has the overlap %v; want %v", i, other[i], one[i])
		}
	}
}
