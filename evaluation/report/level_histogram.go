package report

import (
	"context"
	"fmt"
	"slices"

	"sml/evaluation/measure"
	"sml/evaluation/report/chart"
)

var levelHistogram = Plot{
	Name:  "pit",
	Title: "PIT histogram",
	Summary: "The level of each target in its predicted distribution (probability integral transform, PIT). For perfectly calibrated predictions the bars have equal heights, and 95 % of them end within the grey band. " +
		"A U shape means that σ is too small, a hill that σ is too large, and a slope that the means are too high or too low.",
	Source: "Dawid (1984), Statistical theory: the prequential approach; Gneiting et al. (2007), Probabilistic forecasts, calibration and sharpness",
	Draw:   drawLevelHistogram,
}

// drawLevelHistogram draws a histogram of each version of the predictions in a panel of its own. All panels have the
// same y axis.
func drawLevelHistogram(_ context.Context, r *Rows) (f chart.Figure, note string, err error) {
	if !hasDistribution(r.Raw) {
		return f, noDistribution, nil
	}
	const ( // heights and factors
		minHighest      = 1.5 // so that bars near 1 do not fill the panel
		borderAboveBars = 1.08
		borderAboveBand = 1.3
	)
	highest := minHighest
	for _, v := range r.versions("") {
		h := newHistogram(v.Column)
		highest = max(highest, borderAboveBars*slices.Max(h.heights), borderAboveBand*slices.Max(h.bandHighs))
		panel := h.panel()
		panel.Title = v.name
		f.Panels = append(f.Panels, panel)
	}
	for i := range f.Panels {
		f.Panels[i].Y.Max = highest
	}
	if len(f.Panels) == 1 {
		f.PanelHeight = 180 // a few bars need less height than other plots
	}
	return f, r.describeVersions(describeHistogram), nil
}

// histogram has the density of the targets' levels, see fractionsBelow. The density is 1 for perfectly calibrated
// predictions.
type histogram struct {
	edges               []float64 // levels between the bars, from 0 to 1
	heights             []float64 // density of each bar: the fraction of the targets between the levels, divided by the width
	bandLows, bandHighs []float64 // heights between which a bar of calibrated predictions ends with a probability of 95 %
}

// newHistogram returns a histogram with bars of equal width: 20 for at least 500 rows, otherwise 10.
func newHistogram(c *measure.Column) histogram {
	const (
		fewBars            = 10
		manyBars           = 20
		minRowsForManyBars = 500
	)
	rows := effectiveRows(c.Weights, len(c.Y))
	count := fewBars
	if rows >= minRowsForManyBars {
		count = manyBars
	}
	h := histogram{edges: fractions(count)}
	below := fractionsBelow(c, h.edges[1:]) // the right edges of the bars
	belowLeft := 0.0                        // fraction of the targets below the left edge of the bar
	for i, belowRight := range below {
		width := h.edges[i+1] - h.edges[i]
		// A calibrated target is in the bar with the probability of the bar's width.
		low, high := consistencyBand(rows, width)
		h.heights = append(h.heights, (belowRight-belowLeft)/width)
		h.bandLows = append(h.bandLows, low/width)
		h.bandHighs = append(h.bandHighs, high/width)
		belowLeft = belowRight
	}
	return h
}

// panel returns a panel with the histogram, its band and the ideal height of the bars, without the upper limit of the y
// axis.
func (h histogram) panel() chart.Panel {
	const space = 0.0015 // at each side of a bar, as a level
	bars := chart.Layer{Name: "targets", Kind: chart.Boxes, Colour: areaColour}
	tops := chart.Layer{Kind: chart.Segments, Colour: shownColour, Width: 1}
	band := chart.Layer{Name: bandName, Kind: chart.Band, Colour: bandColour}
	for i, height := range h.heights {
		left, right := h.edges[i], h.edges[i+1]
		bars.AddBetween(left+space, 0, right-space, height)
		tops.AddBetween(left+space, height, right-space, height)
		band.X = append(band.X, left, right) // a step as wide as the bar
		band.Y = append(band.Y, h.bandHighs[i], h.bandHighs[i])
		band.Y2 = append(band.Y2, h.bandLows[i], h.bandLows[i])
	}
	return chart.Panel{
		X:      chart.Axis{Label: "level of the target", Max: 1},
		Y:      chart.Axis{Label: "density"},
		Layers: []chart.Layer{bars, tops, band, chart.Ideal(0, 1, 1, 1)},
	}
}

// describeHistogram returns half a sentence with the number of bars that end outside the band.
func describeHistogram(c *measure.Column) string {
	const tolerance = 1e-9 // for the rounding of heights equal to the band's limits
	h := newHistogram(c)
	outside := 0
	for i, height := range h.heights {
		if height < h.bandLows[i]-tolerance || height > h.bandHighs[i]+tolerance {
			outside++
		}
	}
	return fmt.Sprintf("%d of %d bars end outside the band", outside, len(h.heights))
}
