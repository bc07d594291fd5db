package shape

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"
)

func TestThin(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5}
	cases := []struct {
		name string
		y    []float64
		want []float64 // the x of the points that stay, by hand
	}{
		{"straight", []float64{0, 2, 4, 6, 8, 10}, []float64{0, 5}},
		{"corner", []float64{0, 1, 2, 3, 2, 1}, []float64{0, 3, 5}},
		{"below the tolerance", []float64{0, 0.1, -0.1, 0.1, -0.1, 0}, []float64{0, 5}},
		{"jump", []float64{0, 0, 0, 9, 9, 9}, []float64{0, 2, 3, 5}},
	}
	for _, c := range cases {
		points := Thin(x, c.y, 0.2, 0.2)
		if len(points) != len(c.want) {
			t.Errorf("%s: %v stay; want those at %v", c.name, points, c.want)
			continue
		}
		for i, p := range points {
			if p.X != c.want[i] || p.Y != c.y[int(p.X)] {
				t.Errorf("%s: point %d is %v; want the one at %v", c.name, i, p, c.want[i])
			}
		}
	}
}

func TestThinKeepsTheShape(t *testing.T) {
	// Each omitted point is at most one unit away from the drawn line.
	const dx, dy = 1, 0.001
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i], y[i] = float64(i), math.Sin(float64(i)/50)
	}
	points := Thin(x, y, dx, dy)
	if len(points) > 200 {
		t.Errorf("%d of 1000 points stay; want far fewer", len(points))
	}
	next := 1
	for i := range x {
		for points[next].X < x[i] {
			next++
		}
		a, b := points[next-1], points[next]
		slope := (b.Y - a.Y) / (b.X - a.X)
		off := math.Abs(y[i]-a.Y-slope*(x[i]-a.X)) / dy / math.Hypot(1, slope*dx/dy)
		if off > 1+1e-9 {
			t.Errorf("point %d is %v units off", i, off)
		}
	}
}

// Extent keeps the lowest and the highest point of each part of a long line.
func TestExtent(t *testing.T) {
	long := make(plotter.XYs, 1_000_000)
	for i := range long {
		long[i] = plotter.XY{X: float64(i + 1), Y: math.Mod(float64(i)*0.618, 1)}
	}
	long[123_456].Y = 7
	kept := Extent(long)
	if len(kept) > 2*extentParts || !slices.Contains(kept, long[123_456]) || !slices.IsSortedFunc(kept, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) }) {
		t.Errorf("%d of a million points are kept, or not the highest", len(kept))
	}
}
