package plot

import (
	"context"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/measure"
	"sml/evaluation/report/drawing"
	"sml/evaluation/report/internal/shape"
)

var levelHistogram = Plot{
	Name:  "pit",
	Title: "PIT histogram",
	Summary: "The level of each target in its predicted distribution (probability integral transform, PIT). For perfectly calibrated predictions the bars have equal heights, and 95 % of them end within the grey band. " +
		"A U shape means that σ is too small, a hill that σ is too large, and a slope that the means are too high or too low.",
	Source: "Dawid (1984), Statistical theory: the prequential approach; Gneiting et al. (2007), Probabilistic forecasts, calibration and sharpness",
	Draw:   drawLevelHistogram,
}

// drawLevelHistogram draws a histogram of each version of the predictions in a panel of its own. All panels
// have the same y axis.
func drawLevelHistogram(_ context.Context, r *Rows) (Drawing, error) {
	if !hasDistribution(r.Raw) {
		return Drawing{Note: noDistribution}, nil
	}
	const minHighest = 1.5 // so that bars near 1 do not fill the panel
	highest := minHighest
	var panels []drawing.Panel
	for version, c := range r.versions() {
		h := newHistogram(c)
		highest = max(highest, h.highest())
		panel := h.panel()
		if r.Calibrated != nil {
			panel.Title = versionNames[version]
		}
		panels = append(panels, panel)
	}
	for _, panel := range panels {
		setLimitsFromZero(panel.Plot, 1, highest)
	}
	d := Drawing{
		Panels:  panels,
		Columns: len(panels),
		Legend: []drawing.Entry{
			drawing.ColourEntry("targets", areaColour),
			drawing.ColourEntry("95 % band if perfectly calibrated", bandColour),
		},
		Note: r.describeVersions(describeHistogram),
	}
	if len(panels) == 1 {
		const flattening = 0.8 // a few bars need less height than other plots
		d.PanelHeight = flattening * fullPanelHeight
	}
	return d, nil
}

// panel returns a panel with the histogram, its band and the ideal height of the bars, without limits of the
// axes.
func (h histogram) panel() drawing.Panel {
	p := drawing.NewPlot("level of the target", "density")
	p.Add(h, h.bandArea(), newSegment(0, 1, 1, 1, idealLine))
	return drawing.Panel{Plot: p}
}

// describeHistogram returns half a sentence with the number of bars that end outside the band.
func describeHistogram(c *measure.Column) string {
	const tolerance = 1e-9 // for the rounding of heights equal to the band's limits
	h := newHistogram(c)
	outside := 0
	for _, b := range h.bars {
		low, high := h.band(b)
		if b.height < low-tolerance || b.height > high+tolerance {
			outside++
		}
	}
	return fmt.Sprintf("%d of %d bars end outside the band", outside, len(h.bars))
}

// histogram is a plotter of the density of the targets' levels, see targetLevels. The density is 1 for
// perfectly calibrated predictions.
type histogram struct {
	bars []histogramBar
	rows int // effective number of rows, as from effectiveRows
}

// histogramBar is a bar of a histogram.
type histogramBar struct {
	left, right float64 // levels
	height      float64 // density: the fraction of the targets between the levels, divided by the width
}

// newHistogram returns a histogram with bars of equal width: 20 for at least 500 rows, otherwise 10.
func newHistogram(c *measure.Column) histogram {
	const (
		fewBars            = 10
		manyBars           = 20
		minRowsForManyBars = 500
	)
	h := histogram{rows: newLevelCurve(c).rows}
	count := fewBars
	if h.rows >= minRowsForManyBars {
		count = manyBars
	}
	targets := newTargetLevels(c)
	belowLeft := 0.0 // fraction of the targets below the left edge of the bar
	for i := range count {
		b := histogramBar{
			left:  float64(i) / float64(count),
			right: float64(i+1) / float64(count),
		}
		belowRight := targets.fractionBelow(b.right)
		b.height = (belowRight - belowLeft) / b.width()
		h.bars = append(h.bars, b)
		belowLeft = belowRight
	}
	return h
}

// width returns the width of the bar as a difference of levels.
func (b histogramBar) width() float64 { return b.right - b.left }

// band returns the heights between which a bar of calibrated predictions ends with a probability of
// 95 %. A calibrated target is in the bar with the probability of the bar's width.
func (h histogram) band(b histogramBar) (low, high float64) {
	width := b.width()
	low, high = consistencyBand(h.rows, width)
	return low / width, high / width
}

// bandArea returns the band over all bars.
func (h histogram) bandArea() area {
	band := area{colour: bandColour}
	for _, b := range h.bars {
		low, high := h.band(b)
		band.spans = append(band.spans, // a step as wide as the bar
			span{x: b.left, low: low, high: high},
			span{x: b.right, low: low, high: high},
		)
	}
	return band
}

// highest returns the upper limit that the axis needs for the bars and the band, with some space
// above them.
func (h histogram) highest() float64 {
	const ( // factors
		borderAboveBars = 1.08
		borderAboveBand = 1.3
	)
	highest := 0.0
	for _, b := range h.bars {
		_, high := consistencyBand(h.rows, b.width())
		bandHeight := borderAboveBand * high / b.width() // not borderAboveBand·(high/width), which rounds differently
		highest = max(highest, borderAboveBars*b.height, bandHeight)
	}
	return highest
}

// Plot implements plot.Plotter. A bar is an area with a line above it.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	const space = vg.Length(0.5) // at each side of a bar
	topLine := draw.LineStyle{Color: shownColour, Width: 1}
	toX, toY := p.Transforms(&c)
	for _, b := range h.bars {
		left := toX(b.left) + space
		right := toX(b.right) - space
		top := toY(b.height)
		c.FillPolygon(areaColour, shape.Rectangle(left, toY(0), right, top))
		c.StrokeLine2(topLine, left, top, right, top)
	}
}
