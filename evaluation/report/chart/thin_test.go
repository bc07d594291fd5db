package chart

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestThin(t *testing.T) {
	cases := []struct {
		name string
		y    []vg.Length
		want []vg.Length // the x of the points that stay, by hand
	}{
		{"straight", []vg.Length{0, 2, 4, 6, 8, 10}, []vg.Length{0, 5}},
		{"corner", []vg.Length{0, 1, 2, 3, 2, 1}, []vg.Length{0, 3, 5}},
		{"below the resolution", []vg.Length{0, 0.1, -0.1, 0.1, -0.1, 0}, []vg.Length{0, 5}},
		{"jump", []vg.Length{0, 0, 0, 9, 9, 9}, []vg.Length{0, 2, 3, 5}},
	}
	for _, c := range cases {
		var points []vg.Point
		for x, y := range c.y {
			points = append(points, vg.Point{X: vg.Length(x), Y: y})
		}
		kept := thin(points)
		if len(kept) != len(c.want) {
			t.Errorf("%s: %v stay; want those at %v", c.name, kept, c.want)
			continue
		}
		for i, p := range kept {
			if p.X != c.want[i] || p.Y != c.y[int(p.X)] {
				t.Errorf("%s: point %d is %v; want the one at %v", c.name, i, p, c.want[i])
			}
		}
	}
}

// Each omitted point is at most the resolution away from the drawn line.
func TestThinKeepsTheShape(t *testing.T) {
	var all []vg.Point
	for i := range 1000 {
		all = append(all, vg.Point{X: vg.Length(i), Y: vg.Length(100 * math.Sin(float64(i)/50))})
	}
	points := thin(all)
	if len(points) > 250 {
		t.Errorf("%d of 1000 points stay; want far fewer", len(points))
	}
	next := 1
	for i, p := range all {
		for points[next].X < p.X {
			next++
		}
		a, b := points[next-1], points[next]
		slope := float64((b.Y - a.Y) / (b.X - a.X))
		off := math.Abs(float64(p.Y-a.Y)-slope*float64(p.X-a.X)) / math.Hypot(1, slope)
		if off > resolution+1e-9 {
			t.Errorf("point %d is %v points off", i, off)
		}
	}
}

// The lowest and the highest point of each part of a long line stay.
func TestThinKeepsExtremes(t *testing.T) {
	long := make([]vg.Point, 1_000_000)
	for i := range long {
		long[i] = vg.Point{X: vg.Length(i + 1), Y: vg.Length(math.Mod(float64(i)*0.618, 1))}
	}
	long[123_456].Y = 7
	kept := extremes(long)
	if len(kept) > 2*maxParts || !slices.Contains(kept, long[123_456]) || !slices.IsSortedFunc(kept, func(a, b vg.Point) int { return cmp.Compare(a.X, b.X) }) {
		t.Errorf("%d of a million points are kept, or not the highest", len(kept))
	}
}
