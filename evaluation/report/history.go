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

// Curve is what one part of a loss did over the epochs: a list of values for
// each member of an ensemble, from the first epoch on.
type Curve struct {
	Name    string
	Members [][]float64
}

// hasFinite reports whether any member has a finite value.
func (c Curve) hasFinite() bool {
	return slices.ContainsFunc(c.Members, func(member []float64) bool { return slices.ContainsFunc(member, statistics.Finite) })
}

// History draws the loss and its terms beside one another, a panel each, over
// the epochs: a line for each member. Any finite value has its place; values
// that are not finite are left out and counted in the panel's note. Where all
// values of a panel are positive (1e-300 or more) and the largest is more than
// three times the smallest, its axis is logarithmic. A curve without a finite value has
// an empty panel. It is an error if there are no curves, or if none has a finite value.
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
		p := drawing.NewPlot("epoch", "")
		low, high := math.Inf(1), math.Inf(-1)
		left := 0
		for _, member := range c.Members {
			var points plotter.XYs
			for i, v := range member {
				if !statistics.Finite(v) {
					left++
					continue
				}
				points = append(points, plotter.XY{X: float64(i + 1), Y: v})
				low, high = min(low, v), max(high, v)
			}
			if len(points) == 0 {
				continue
			}
			line, err := plotter.NewLine(shape.Extent(points))
			if err != nil {
				return nil, err
			}
			line.Color, line.Width = drawing.Blue, 0.8
			p.Add(line)
		}
		if !c.hasFinite() {
			low, high = 0, 1 // limits of an empty panel
		}
		p.X.Tick.Marker = axes.WholeTicks(p.X.Tick.Marker)
		p.Y.Min, p.Y.Max = axes.Widen(low, high)
		if low >= axes.LeastLogarithm && high/3 > low {
			p.Y.Min, p.Y.Max = low, high
			p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(axes.DecadeTicks)
		}
		figure.Panels[0] = append(figure.Panels[0], drawing.Panel{Title: c.Name, Note: drawing.CountNote(left, "not finite"), Plot: p})
	}
	return figure, nil
}
