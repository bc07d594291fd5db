package paper

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/axes"
	"sml/evaluation/report/internal/shape"
	"sml/evaluation/study"
)

// residualGrid draws figure 11: the residuals and uncertainties of the test rows of one fold, for three
// data sets and all methods. The figure is nil if no study has saved rows.
func residualGrid(_ context.Context, p *part) (f *drawing.Figure, caption string, err error) {
	hasRows := func(dataset string) bool {
		return slices.ContainsFunc(p.methods, func(label string) bool {
			_, cell := p.cellWithRows(dataset, label)
			return cell != nil
		})
	}
	// The paper's third data set is superconduct, whose file is hard to come by.
	datasets, note := p.fillSlots(hasRows, []string{"naval"}, []string{"abalone"}, []string{"superconduct", "protein"})
	residuals := make(map[residualKey]plotter.XYs)
	for _, dataset := range datasets {
		for _, label := range p.methods {
			points, err := p.readResiduals(dataset, label)
			if err != nil {
				return nil, "", err
			}
			if points != nil { // otherwise the panel has a message
				residuals[residualKey{dataset: dataset, method: label}] = points
			}
		}
	}
	if len(residuals) == 0 {
		return nil, "", nil
	}
	caption = "Residuals and uncertainties on the test rows of one fold. If uncertainties are realistic, nearly all points lie above the 3σ lines." + note
	return drawResiduals(residuals, datasets, p.methods), caption, nil
}

// residualKey identifies a panel of residuals.
type residualKey struct{ dataset, method string }

// readResiduals returns a point for each saved row of the first target: the residual and the standard
// deviation. It returns nil if no study has saved rows of the data set and method.
func (p *part) readResiduals(dataset, label string) (plotter.XYs, error) {
	in, cell := p.cellWithRows(dataset, label)
	if cell == nil {
		return nil, nil
	}
	rows, err := study.ReadPredictions(in.Dir, in.Plan, *cell)
	if err != nil {
		return nil, err
	}
	var points plotter.XYs
	for _, row := range rows {
		if row.Target == 0 && !math.IsNaN(row.Std) {
			points = append(points, plotter.XY{X: row.Mean - row.Y, Y: row.Std})
		}
	}
	return points, nil
}

// drawResiduals draws uncertainties over residuals, with a row for each data set and a column for each
// method. Panels of one row have the same axes. These contain 99 % of the residuals and of the
// uncertainties of each method, except for a method that would need far wider axes than the others.
// Notes count the points beyond the axes. A panel without predictions has a message.
func drawResiduals(residuals map[residualKey]plotter.XYs, datasets, methods []string) *drawing.Figure {
	const (
		panelWidth  = 1.6 * vg.Inch
		axisWidth   = 0.9 * vg.Inch // of the y axis and the names of the data sets
		panelHeight = 1.35 * vg.Inch
		footHeight  = 0.75 * vg.Inch // of the legend and the x axis
		pointRadius = 0.9            // points
	)
	figure := &drawing.Figure{
		Width:  min(drawing.WideWidth, vg.Length(len(methods))*panelWidth+axisWidth),
		Height: vg.Length(len(datasets))*panelHeight + footHeight,
		Rows:   datasets,
		Legend: [][]drawing.Entry{sigmaLegend},
	}
	for j, dataset := range datasets {
		widest, highest := residualLimits(residuals, dataset, methods)
		var row []drawing.Panel
		for i, method := range methods {
			points := residuals[residualKey{dataset: dataset, method: method}]
			p := residualPlot(points, widest, highest, pointRadius)
			p.X.Tick.Marker = axes.RoundTicks(3)
			p.Y.Tick.Marker = axes.RoundTicks(3)
			panel := drawing.Panel{Plot: p, Note: drawing.CountNote(shape.CountOutside(points, p), "beyond")}
			if j == 0 { // the other rows have the same titles
				panel.Title = methodTitle(method)
			}
			if j == len(datasets)-1 {
				p.X.Label.Text = "residual"
			}
			if i == 0 {
				p.Y.Label.Text = "uncertainty σ"
			}
			row = append(row, panel)
		}
		figure.Panels = append(figure.Panels, row)
	}
	return figure
}

// residualLimits returns the limits of the axes for a data set: for residuals from −widest to widest, and for
// uncertainties from 0 to highest.
func residualLimits(residuals map[residualKey]plotter.XYs, dataset string, methods []string) (widest, highest float64) {
	const (
		shownFraction = 0.99 // of the points of a method
		border        = 1.03 // factor: space beyond the shown points
	)
	var widths, heights []float64 // of each method
	for _, method := range methods {
		points := residuals[residualKey{dataset: dataset, method: method}]
		if len(points) > 0 {
			widths = append(widths, widestResidual(points, shownFraction))
			heights = append(heights, highestUncertainty(points, shownFraction))
		}
	}
	return border * largestWithoutOutliers(widths), border * largestWithoutOutliers(heights)
}

// highestUncertainty returns the standard deviation that the given fraction of the points do not
// exceed.
func highestUncertainty(points plotter.XYs, fraction float64) float64 {
	var stds []float64
	for _, point := range points {
		stds = append(stds, point.Y)
	}
	_, high := axes.Quantiles(stds, 2*fraction-1) // Quantiles leaves out equally many points at either end
	return high
}

// largestWithoutOutliers returns the largest value within the fences of axes.Fences, or 1 if that value
// is 0 or values is empty.
func largestWithoutOutliers(values []float64) float64 {
	_, fence := axes.Fences(values)
	largest := 0.0
	for _, v := range values {
		if v <= fence {
			largest = max(largest, v)
		}
	}
	if largest == 0 {
		return 1
	}
	return largest
}
