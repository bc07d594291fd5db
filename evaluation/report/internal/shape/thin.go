package shape

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// Thin returns a line with fewer points that looks the same (Douglas and Peucker 1973). It leaves
// out points at most one unit away from the new line, and keeps the first and the last point. A
// unit is dx along x and dy along y, the smallest visible lengths. x must increase.
func Thin(x, y []float64, dx, dy float64) plotter.XYs {
	keep := make([]bool, len(x))
	keep[0], keep[len(x)-1] = true, true
	var split func(first, last int)
	split = func(first, last int) {
		along := func(i int) (float64, float64) { return (x[i] - x[first]) / dx, (y[i] - y[first]) / dy }
		endX, endY := along(last)
		furthest, distance := 0, math.Hypot(endX, endY)
		for i := first + 1; i < last; i++ {
			pointX, pointY := along(i)
			if d := math.Abs(endX*pointY - endY*pointX); d > distance {
				furthest, distance = i, d
			}
		}
		if furthest == 0 {
			return
		}
		keep[furthest] = true
		split(first, furthest)
		split(furthest, last)
	}
	split(0, len(x)-1)

	var points plotter.XYs
	for i := range x {
		if keep[i] {
			points = append(points, plotter.XY{X: x[i], Y: y[i]})
		}
	}
	return points
}

// columns is the number of parts into which Extent divides a line: more than a panel has dots in
// print.
const columns = 2000

// Extent returns a line of at most 2*columns points that looks the same. It divides a longer line
// into columns parts, and keeps the lowest and the highest point of each.
func Extent(points plotter.XYs) plotter.XYs {
	if len(points) <= 2*columns {
		return points
	}
	kept := make(plotter.XYs, 0, 2*columns)
	for i := range columns {
		stretch := points[i*len(points)/columns : (i+1)*len(points)/columns]
		low, high := 0, 0
		for j, p := range stretch {
			if p.Y < stretch[low].Y {
				low = j
			}
			if p.Y > stretch[high].Y {
				high = j
			}
		}
		kept = append(kept, stretch[min(low, high)], stretch[max(low, high)])
	}
	return kept
}
