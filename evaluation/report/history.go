package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Curve is what one part of a loss did over the epochs: a list of values for
// each member of an ensemble, from the first epoch on. NaN is left out.
type Curve struct {
	Name    string
	Members [][]float64
}

// History draws the loss and its terms beside one another, a panel each,
// over the epochs: a line for each member. Where all values of a panel are positive
// its axis is logarithmic. It is an error if there are no curves, or if one has
// no finite value, or one beyond float32, which networks compute in.
func History(curves []Curve) (*Figure, error) {
	if len(curves) == 0 {
		return nil, fmt.Errorf("report: history has no curves; want at least one")
	}
	width := max(vg.Length(len(curves))*2.3*vg.Inch, 3.4*vg.Inch)
	figure := &Figure{width: width, height: 2.6 * vg.Inch, panels: make([][]panel, 1)}
	for _, c := range curves {
		p := newPlot("epoch", "")
		low := math.Inf(1)
		for _, member := range c.Members {
			var points plotter.XYs
			for i, v := range member {
				if finite(v) && math.Abs(v) > math.MaxFloat32 {
					return nil, fmt.Errorf("report: history of %q has the value %v; want numbers that float32 holds", c.Name, v)
				}
				if finite(v) {
					points = append(points, plotter.XY{X: float64(i + 1), Y: v})
					low = min(low, v)
				}
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(extent(points))
			if err != nil {
				return nil, err
			}
			line.Color, line.Width = blue, 0.8
			p.Add(line)
		}
		if math.IsInf(low, 1) {
			return nil, fmt.Errorf("report: history of %q has no finite value", c.Name)
		}
		if low > 0 && p.Y.Max > 3*low {
			p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		}
		figure.panels[0] = append(figure.panels[0], panel{title: c.Name, Plot: p})
	}
	return figure, nil
}

// columns bounds the points of a line: more than a panel has dots in print.
const columns = 2000

// extent keeps, of a line of many points, the lowest and the highest in each of
// as many stretches as there are columns: the same picture of any number of epochs.
func extent(points plotter.XYs) plotter.XYs {
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
