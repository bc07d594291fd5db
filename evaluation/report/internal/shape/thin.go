package shape

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// Thin returns a line with fewer points that looks the same, by the algorithm of Douglas and Peucker
// (1973). It keeps the first and the last point, and leaves out only points that are at most one unit away
// from the new line. A unit is dx along x and dy along y, the smallest visible lengths. x must increase.
func Thin(x, y []float64, dx, dy float64) plotter.XYs {
	last := len(x) - 1
	t := thinner{x: x, y: y, dx: dx, dy: dy, keep: make([]bool, len(x))}
	t.keep[0] = true
	t.keep[last] = true
	t.split(0, last)
	var points plotter.XYs
	for i := range x {
		if t.keep[i] {
			points = append(points, plotter.XY{X: x[i], Y: y[i]})
		}
	}
	return points
}

// thinner chooses the points that Thin keeps.
type thinner struct {
	x, y   []float64 // points of the line
	dx, dy float64   // lengths of a unit
	keep   []bool    // whether each point is kept
}

// split keeps the point that is farthest from the straight line between two points, and then splits the
// parts before and after it. It does nothing if all points between the two are at most one unit away from
// the straight line, which is also the case if there are none.
func (t thinner) split(first, last int) {
	endX := (t.x[last] - t.x[first]) / t.dx
	endY := (t.y[last] - t.y[first]) / t.dy
	farthest := -1
	// The cross product of two vectors from the first point, to a point and to the last point, is the
	// point's distance from the line times the line's length. A distance of 1 has this product.
	maxProduct := math.Hypot(endX, endY)
	for i := first + 1; i < last; i++ {
		pointX := (t.x[i] - t.x[first]) / t.dx
		pointY := (t.y[i] - t.y[first]) / t.dy
		product := math.Abs(endX*pointY - endY*pointX)
		if product > maxProduct {
			farthest = i
			maxProduct = product
		}
	}
	if farthest < 0 {
		return
	}
	t.keep[farthest] = true
	t.split(first, farthest)
	t.split(farthest, last)
}

// extentParts is the number of parts into which Extent divides a line. A printed panel is fewer dots wide.
const extentParts = 2000

// Extent returns a line of at most 4000 points that looks the same. It divides a longer line into 2000
// parts of equally many points, and keeps the lowest and the highest point of each.
func Extent(points plotter.XYs) plotter.XYs {
	if len(points) <= 2*extentParts {
		return points
	}
	kept := make(plotter.XYs, 0, 2*extentParts)
	for i := range extentParts {
		part := points[i*len(points)/extentParts : (i+1)*len(points)/extentParts]
		lowest, highest := extremePoints(part)
		kept = append(kept, part[min(lowest, highest)], part[max(lowest, highest)]) // in the order of the line
	}
	return kept
}

// extremePoints returns the indices of the first point with the lowest y value and of the first with the
// highest. There must be points.
func extremePoints(points plotter.XYs) (lowest, highest int) {
	for i, p := range points {
		if p.Y < points[lowest].Y {
			lowest = i
		}
		if p.Y > points[highest].Y {
			highest = i
		}
	}
	return lowest, highest
}
