package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/internal/shape"
)

const (
	// cellsPerAxis is the number of cells along an axis in which the points of a large cloud are
	// counted. A cell is smaller than a dot of a printed figure.
	cellsPerAxis = 1500

	// maxSinglePoints is the largest number of points drawn one by one.
	maxSinglePoints = 20_000
)

// newCloud returns a cloud of the points of n rows, and the number of points that it leaves out because
// they are beyond the axes of p or NaN. The limits of p must be set before. Points of a large cloud are
// counted in a grid of cells, so that the size of the figure does not grow with n.
func newCloud(p *plot.Plot, n int, point func(row int) (x, y float64), colour color.NRGBA) (cloud shape.Cloud, outside int) {
	cloud = shape.Cloud{Colour: colour, Radius: pointRadius(n)}
	cells := cellCounts{counts: make(map[cell]int32)} // stays empty if the points are drawn one by one
	for row := range n {
		x, y := point(row)
		isInside := x >= p.X.Min && x <= p.X.Max && y >= p.Y.Min && y <= p.Y.Max // false for NaN
		switch {
		case !isInside:
			outside++
		case n <= maxSinglePoints:
			cloud.Points = append(cloud.Points, plotter.XY{X: x, Y: y})
		default:
			cells.add(p, x, y)
		}
	}
	if n > maxSinglePoints {
		cloud.Points, cloud.Counts = cells.points(p)
	}
	return cloud, outside
}

// pointRadius returns the radius with which n points are drawn: the more points, the smaller, so that they
// do not hide one another.
func pointRadius(n int) vg.Length {
	const (
		fewPoints  = 500
		manyPoints = 5000
	)
	switch {
	case n <= fewPoints:
		return 1.3
	case n <= manyPoints:
		return 0.9
	default:
		return 0.5
	}
}

// cell has the indices of a cell in the grid, from 0 to cellsPerAxis in each direction.
type cell struct{ x, y int32 }

// cellCounts counts points in the cells of a grid over a plot.
type cellCounts struct {
	counts map[cell]int32 // number of points of each cell; empty cells have no entry

	// order has the keys of counts, ordered by the arrival of their first point. (The order of a map
	// differs from run to run, and the figure's bytes with it.)
	order []cell
}

// add counts the point x, y, which must be inside the axes of p.
func (g *cellCounts) add(p *plot.Plot, x, y float64) {
	c := cell{x: int32(cellsPerAxis * p.X.Norm(x)), y: int32(cellsPerAxis * p.Y.Norm(y))}
	if g.counts[c] == 0 {
		g.order = append(g.order, c)
	}
	g.counts[c]++
}

// points returns the centers of the non-empty cells, in the units of p's axes, and the number of points in
// each.
func (g *cellCounts) points(p *plot.Plot) (centers plotter.XYs, counts []int) {
	for _, c := range g.order {
		centers = append(centers, plotter.XY{
			X: p.X.Min + (float64(c.x)+0.5)/cellsPerAxis*(p.X.Max-p.X.Min),
			Y: p.Y.Min + (float64(c.y)+0.5)/cellsPerAxis*(p.Y.Max-p.Y.Min),
		})
		counts = append(counts, int(g.counts[c]))
	}
	return centers, counts
}
