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
// no finite value.
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
				if finite(v) {
					points = append(points, plotter.XY{X: float64(i + 1), Y: v})
					low = min(low, v)
				}
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(points)
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
