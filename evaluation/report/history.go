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

// Curve has the values of the loss, or of one of its terms, over the epochs.
type Curve struct {
	Name    string
	Members [][]float64 // values of each ensemble member, from the first epoch on
}

// hasFinite reports whether any member has a finite value.
func (c Curve) hasFinite() bool {
	return slices.ContainsFunc(c.Members, func(member []float64) bool { return slices.ContainsFunc(member, statistics.IsFinite) })
}

// History draws each curve over the epochs in a panel of its own, with a line for each ensemble member.
// NaN and infinite values are left out and counted in the panel's note. A panel has a logarithmic
// axis if all its values are positive (1e-300 or more) and the largest is more than three times the
// smallest. The panel of a curve without finite values is empty. History returns an error if there are
// no curves, or if none has a finite value.
func History(curves []Curve) (*drawing.Figure, error) {
	const (
		panelWidth    = 2.3 * vg.Inch
		minWidth      = 3.4 * vg.Inch
		historyHeight = 2.6 * vg.Inch
	)
	if len(curves) == 0 {
		return nil, fmt.Errorf("report: history has no curves; want at least one")
	}
	if !slices.ContainsFunc(curves, Curve.hasFinite) {
		return nil, fmt.Errorf("report: history has no finite value")
	}
	var panels []drawing.Panel
	for _, c := range curves {
		panel, err := c.panel()
		if err != nil {
			return nil, err
		}
		panels = append(panels, panel)
	}
	return &drawing.Figure{
		Width:  max(vg.Length(len(curves))*panelWidth, minWidth),
		Height: historyHeight,
		Panels: [][]drawing.Panel{panels}, // one row
	}, nil
}

// panel returns a panel with the lines of all members and a note that counts the values left out.
func (c Curve) panel() (drawing.Panel, error) {
	p := drawing.NewPlot("epoch", "")
	hidden := 0 // number of NaN and infinite values
	for _, values := range c.Members {
		points := finitePoints(values)
		hidden += len(values) - len(points)
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(shape.Extent(points))
		if err != nil {
			return drawing.Panel{}, err
		}
		line.Color = drawing.Blue
		line.Width = 0.8
		p.Add(line)
	}
	p.X.Tick.Marker = axes.WholeTicks(p.X.Tick.Marker)
	low, high := c.limits()
	setLossAxis(&p.Y, low, high)
	return drawing.Panel{Title: c.Name, Note: drawing.CountNote(hidden, "not finite"), Plot: p}, nil
}

// limits returns the smallest and the largest finite value, or 0 and 1 for an empty panel if there are none.
func (c Curve) limits() (low, high float64) {
	if !c.hasFinite() {
		return 0, 1
	}
	low = math.Inf(1)
	high = math.Inf(-1)
	for _, values := range c.Members {
		for _, point := range finitePoints(values) {
			low = min(low, point.Y)
			high = max(high, point.Y)
		}
	}
	return low, high
}

// setLossAxis sets the limits of an axis for values from low to high. It makes the axis logarithmic if
// low is positive and high is more than minLogRatio times as large: on a linear axis the last epochs
// would then be a flat line at the bottom.
func setLossAxis(axis *plot.Axis, low, high float64) {
	const minLogRatio = 3
	hasLogarithms := low >= axes.LeastLogarithm
	isWide := high/minLogRatio > low // a product could overflow
	if !hasLogarithms || !isWide {
		axis.Min, axis.Max = axes.Widen(low, high)
		return
	}
	axis.Min = low
	axis.Max = high
	axis.Scale = plot.LogScale{}
	axis.Tick.Marker = plot.TickerFunc(axes.DecadeTicks)
}

// finitePoints returns a point for each finite value. Its x is the epoch, counted from 1.
func finitePoints(values []float64) plotter.XYs {
	var points plotter.XYs
	for i, v := range values {
		if statistics.IsFinite(v) {
			points = append(points, plotter.XY{X: float64(i + 1), Y: v})
		}
	}
	return points
}
