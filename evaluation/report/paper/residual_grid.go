package paper

import (
	"context"
	"image/color"
	"slices"

	"sml/evaluation/predicted"
	"sml/evaluation/report/chart"
	"sml/evaluation/study"
)

// residualGrid draws figure 11: the residuals and uncertainties of the test rows of one fold, for three data sets and
// all methods. The figure has no panels if no study has saved rows.
func residualGrid(_ context.Context, p *part) (f chart.Figure, caption string, err error) {
	hasRows := func(dataset string) bool {
		return slices.ContainsFunc(p.methods, func(label string) bool {
			_, cell := p.cellWithRows(dataset, label)
			return cell != nil
		})
	}
	// The paper's third data set is superconduct, whose file is hard to come by.
	datasets, note := p.fillSlots(hasRows, []string{"naval"}, []string{"abalone"}, []string{"superconduct", "protein"})
	if len(datasets) == 0 {
		return f, "", nil
	}
	residuals := make([][]chart.Layer, len(datasets)) // by data set and method; a layer without points is a panel with a message
	for i, dataset := range datasets {
		for _, label := range p.methods {
			points, err := p.readResiduals(dataset, label)
			if err != nil {
				return f, "", err
			}
			residuals[i] = append(residuals[i], points)
		}
	}
	caption = "Residuals and uncertainties on the test rows of one fold. If uncertainties are realistic, nearly all points lie above the 3σ lines." + note
	return drawResiduals(residuals, datasets, p.methods), caption, nil
}

// readResiduals returns a point for each saved row of the first target: the residual, x, and the standard deviation, y.
// It returns none if no study has saved rows of the data set and method.
func (p *part) readResiduals(dataset, label string) (points chart.Layer, err error) {
	in, cell := p.cellWithRows(dataset, label)
	if cell == nil {
		return points, nil
	}
	rows, err := study.ReadPredictions(in.Dir, in.Plan, *cell)
	if err != nil {
		return points, err
	}
	targets, means, truths := rows.Numbers(predicted.Target), rows.Numbers(predicted.Mean), rows.Numbers(predicted.Truth)
	for i, std := range rows.Numbers(predicted.Std) { // none without standard deviations
		if targets[i] == 0 {
			points.Add(means[i]-truths[i], std)
		}
	}
	return points, nil
}

// drawResiduals draws uncertainties over residuals, with a row for each data set and a column for each method. Panels of
// one row have the same axes. These contain 99 % of the residuals and of the uncertainties of each method, except for a
// method that would need far wider axes than the others. A panel without predictions has a message.
func drawResiduals(residuals [][]chart.Layer, datasets, methods []string) chart.Figure {
	const ( // in points
		panelWidth  = 115
		axisWidth   = 65 // of the y axis and the names of the data sets
		panelHeight = 122
	)
	f := chart.Figure{
		Columns:     len(methods),
		Rows:        datasets,
		Width:       min(chart.WideWidth, panelWidth*float64(len(methods))+axisWidth),
		PanelHeight: panelHeight,
	}
	for _, ofDataset := range residuals {
		widest, highest := residualLimits(ofDataset)
		for i, points := range ofDataset {
			p := residualPanel(points, widest, highest)
			p.Title = methodTitle(methods[i])
			p.X.Label = "residual"
			p.Y.Label = "uncertainty σ"
			f.Panels = append(f.Panels, p)
		}
	}
	f.LeaveOutRepeatedLabels()
	return f
}

// residualLimits returns the limits of the axes for the points of all methods on a data set: for residuals from −widest to
// widest, and for uncertainties from 0 to highest.
func residualLimits(ofDataset []chart.Layer) (widest, highest float64) {
	const (
		shownFraction = 0.99 // of the points of a method
		border        = 1.03 // factor: space beyond the shown points
	)
	var widths, heights []float64 // of each method
	for _, points := range ofDataset {
		if len(points.X) > 0 {
			_, height := chart.Quantiles(points.Y, 2*shownFraction-1) // leaves out equally many points at either end
			widths = append(widths, widestResidual(points.X, shownFraction))
			heights = append(heights, height)
		}
	}
	return border * largestWithoutOutliers(widths), border * largestWithoutOutliers(heights)
}

// largestWithoutOutliers returns the largest value within the fences of chart.Fences, or 1 if that value
// is 0 or values is empty.
func largestWithoutOutliers(values []float64) float64 {
	_, fence := chart.Fences(values)
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

var cloudColour = color.NRGBA{R: 0x58, G: 0xa8, B: 0xea, A: 0xff}

// residualPanel returns a panel of uncertainties, y, over residuals, x, from −widest to widest and from 0 to highest.
// Lines show where a residual is as large as one and three standard deviations. Without points the panel has a message.
func residualPanel(points chart.Layer, widest, highest float64) chart.Panel {
	p := chart.Panel{
		X: chart.Axis{Min: -widest, Max: widest},
		Y: chart.Axis{Max: highest},
	}
	if len(points.X) == 0 {
		p.Layers = []chart.Layer{{
			Kind:   chart.Texts,
			X:      []float64{0},
			Y:      []float64{highest / 2},
			Labels: []string{"no predictions"},
			Colour: chart.Grey,
		}}
		return p
	}
	points.Kind = chart.Cloud
	points.Colour = cloudColour
	oneSigma := sigmaLine(widest, 1, chart.Orange)
	oneSigma.Name = "1σ: σ = |r|"
	threeSigma := sigmaLine(widest, 3, chart.Blue)
	threeSigma.Name = "3σ: σ = |r|/3"
	p.Layers = []chart.Layer{points, oneSigma, threeSigma}
	return p
}

// sigmaLine returns the V-shaped line on which |r| = factor·σ, for residuals r up to widest.
func sigmaLine(widest, factor float64, colour color.NRGBA) chart.Layer {
	sigma := widest / factor
	return chart.Layer{X: []float64{-widest, 0, widest}, Y: []float64{sigma, 0, sigma}, Colour: colour}
}

// widestResidual returns the absolute value that the given fraction of the residuals do not exceed. It is a quantile of
// the residuals and their negatives, whose distribution is symmetric.
func widestResidual(residuals []float64, fraction float64) float64 {
	bothSigns := make([]float64, 0, 2*len(residuals))
	for _, r := range residuals {
		bothSigns = append(bothSigns, r, -r)
	}
	_, widest := chart.Quantiles(bothSigns, fraction)
	return widest
}
