package chart

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// resolution is the largest distance, in points, of a thinned line from the line: half a dot of a PNG file.
const resolution = 0.12

// thin returns a line with fewer points that looks the same, by the algorithm of Douglas and Peucker (1973). It keeps
// the first and the last point, and leaves out only points that are at most the resolution away from the new line.
func thin(points []vg.Point) []vg.Point { return leaveOutNear(extremes(points)) }

// leaveOutNear keeps the point that is farthest from the straight line between the first and the last, and does the same
// with the parts before and after it. It leaves out all points between the ends if they are at most the resolution away
// from the straight line.
func leaveOutNear(points []vg.Point) []vg.Point {
	if len(points) < 3 {
		return points
	}
	last := len(points) - 1
	end := points[last].Sub(points[0])
	farthest := -1
	// The cross product of two vectors from the first point, to a point and to the last point, is the point's distance
	// from the line times the line's length.
	maxProduct := resolution * math.Hypot(float64(end.X), float64(end.Y))
	for i := 1; i < last; i++ {
		to := points[i].Sub(points[0])
		product := math.Abs(float64(end.X*to.Y - end.Y*to.X))
		if product > maxProduct {
			farthest = i
			maxProduct = product
		}
	}
	if farthest < 0 {
		return []vg.Point{points[0], points[last]}
	}
	before := leaveOutNear(points[:farthest+1])
	after := leaveOutNear(points[farthest:])
	return slices.Concat(before, after[1:]) // both have the farthest point
}

// maxParts is the number of parts into which extremes divides a line. A printed panel is fewer dots wide.
const maxParts = 2000

// extremes returns a line of at most 2·maxParts points that looks the same: a longer line is divided into parts of equally
// many points, and the lowest and the highest point of each are kept.
func extremes(points []vg.Point) []vg.Point {
	if len(points) <= 2*maxParts {
		return points
	}
	kept := make([]vg.Point, 0, 2*maxParts)
	for i := range maxParts {
		part := points[i*len(points)/maxParts : (i+1)*len(points)/maxParts]
		lowest, highest := 0, 0 // indices in part
		for place, p := range part {
			if p.Y < part[lowest].Y {
				lowest = place
			}
			if p.Y > part[highest].Y {
				highest = place
			}
		}
		kept = append(kept, part[min(lowest, highest)], part[max(lowest, highest)]) // in the order of the line
	}
	return kept
}
