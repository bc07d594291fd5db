package drawing

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// Thin leaves out the points that are no further than one unit from the line
// through the points that stay (Douglas and Peucker 1973). A unit is dx along
// x and dy along y: the smallest length that shows on paper. The first and
// the last point stay. X must increase.
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
