package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/internal/statistics"
)

// Curve has the values of one term of a loss over the epochs.
type Curve struct {
	Name    string
	Members [][]float64 // values of each ensemble member, from the first epoch on
}

// hasFinite reports whether any member has a finite value.
func (c Curve) hasFinite() bool {
	return slices.ContainsFunc(c.Members, func(member []float64) bool { return slices.ContainsFunc(member, statistics.IsFinite) })
}

// History draws the loss and its terms over the epochs, in a panel each, with a line for each ensemble
// member. Values that are not finite are left out and counted in the panel's note. A panel has a
// logarithmic axis if all its values are positive (1e-300 or more) and the largest is more than three
// times the smallest. The panel of a curve without finite values is empty. History returns an error if
// there are no curves, or if none has a finite value.
func History(curves []Curve) (*drawing.Figure, error) {
	if len(curves) == 0 {
		return nil, fmt.Errorf("report: history has no curves; want at least one")
	}
	if !slices.ContainsFunc(curves, Curve.hasFinite) {
		return nil, fmt.Errorf("report: history has no finite value")
	}
	width := max(vg.Length(len(curves))*2.3*vg.Inch, 3.4*vg.Inch)
	figure := &drawing.Figure{Width: width, Height: 2.6 * vg.Inch, Panels: make([][]drawing.Panel, 1)}
	for _, c := range curves {
		panel, err := c.panel()
		if err != nil {
			return nil, err
		}
		figure.Panels[0] = append(figure.Panels[0], panel)
	}
	return figure, nil
}

// panel returns the panel of the curve.
func (c Curve) panel() (drawing.Panel, error) {
	p := drawing.NewPlot("epoch", "")
	low := math.Inf(1)
	high := math.Inf(-1)
	hidden := 0
	for _, values := range c.Members {
		points := finitePoints(values)
		hidden += len(values) - len(points)
		if len(points) == 0 {
			continue
		}
		for _, point := range points {
			low = min(low, point.Y)
			high = max(high, point.Y)
		}
		line, err := plotter.NewLine(shape.Extent(points))
		if err != nil {
			return drawing.Panel{}, err
		}
		line.Color = drawing.Blue
		line.Width = 0.8
		p.Add(line)
	}
	if !c.hasFinite() {
		low, high = 0, 1 // limits of an empty panel
	}
	p.X.Tick.Marker = axes.WholeTicks(p.X.Tick.Marker)
	p.Y.Min, p.Y.Max = axes.Widen(low, high)
	if low >= axes.LeastLogarithm && high/3 > low {
		p.Y.Min = low
		p.Y.Max = high
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = plot.TickerFunc(axes.DecadeTicks)
	}
	return drawing.Panel{Title: c.Name, Note: drawing.CountNote(hidden, "not finite"), Plot: p}, nil
}

// finitePoints returns the finite values as points over the epochs, which begin at 1.
func finitePoints(values []float64) plotter.XYs {
	var points plotter.XYs
	for i, v := range values {
		if statistics.IsFinite(v) {
			points = append(points, plotter.XY{X: float64(i + 1), Y: v})
		}
	}
	return points
}
