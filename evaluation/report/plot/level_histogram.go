package plot

import (
	"context"
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
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

// drawLevelHistogram draws a histogram of each version of the predictions in a panel of its own.
func drawLevelHistogram(_ context.Context, r *Rows) (Drawing, error) {
	if !hasDistribution(r.Raw) {
		return Drawing{Note: noDistribution}, nil
	}
	var d Drawing
	highest := 1.5
	for version, c := range r.versions() {
		h := newHistogram(c)
		highest = max(highest, h.highest())
		p := drawing.NewPlot("level of the target", "density")
		p.Add(h, h.bandArea(), newSegment(0, 1, 1, 1, idealLine))
		panel := drawing.Panel{Plot: p}
		if r.Calibrated != nil {
			panel.Title = versionNames[version]
		}
		d.Panels = append(d.Panels, panel)
	}
	for _, panel := range d.Panels {
		setLimitsFromZero(panel.Plot, 1, highest)
	}
	d.Columns = len(d.Panels)
	if d.Columns == 1 {
		d.PanelHeight = 0.8 * fullPanelHeight
	}
	d.Legend = []drawing.Entry{
		drawing.ColourEntry("targets", areaColour),
		drawing.ColourEntry("95 % band if perfectly calibrated", bandColour),
	}
	d.Note = r.describeVersions(describeHistogram)
	return d, nil
}

// describeHistogram returns half a sentence with the number of bars that end outside the band.
func describeHistogram(c *measure.Column) string {
	const tolerance = 1e-9 // tolerates the rounding of heights equal to the band's limits
	h := newHistogram(c)
	outside := 0
	for bar, height := range h.heights {
		low, high := h.band(bar)
		if height < low-tolerance || height > high+tolerance {
			outside++
		}
	}
	return fmt.Sprintf("%d of %d bars end outside the band", outside, len(h.heights))
}

// histogram is a plotter of the density of the targets' levels, see targetLevels. The density is 1 for
// perfectly calibrated predictions.
type histogram struct {
	edges   []float64 // ends of the bars, one more than there are bars
	heights []float64 // densities
	rows    int       // effective number of rows, as from effectiveRows
	fill    color.NRGBA
	line    draw.LineStyle
}

// newHistogram returns a histogram with bars of equal width: 20 for at least 500 rows, otherwise 10.
func newHistogram(c *measure.Column) histogram {
	h := histogram{
		edges: []float64{0},
		rows:  newLevelCurve(c).rows,
		fill:  areaColour,
		line:  draw.LineStyle{Color: shownColour, Width: 1},
	}
	const minRowsForMoreBars = 500
	bars := 10
	if h.rows >= minRowsForMoreBars {
		bars = 20
	}
	for i := 1; i <= bars; i++ {
		h.edges = append(h.edges, float64(i)/float64(bars))
	}
	targets := newTargetLevels(c)
	before := 0.0
	for bar, edge := range h.edges[1:] {
		below := targets.fractionBelow(edge)
		h.heights = append(h.heights, (below-before)/h.width(bar))
		before = below
	}
	return h
}

// width returns the width of a bar as a difference of levels.
func (h histogram) width(bar int) float64 { return h.edges[bar+1] - h.edges[bar] }

// band returns the heights between which a bar of calibrated predictions ends with a probability of
// 95 %.
func (h histogram) band(bar int) (low, high float64) {
	width := h.width(bar)
	low, high = consistencyBand(h.rows, width)
	return low / width, high / width
}

// bandArea returns the band over all bars.
func (h histogram) bandArea() area {
	band := area{colour: bandColour}
	for bar := range h.heights {
		low, high := h.band(bar)
		band.x = append(band.x, h.edges[bar], h.edges[bar+1])
		band.low = append(band.low, low, low)
		band.high = append(band.high, high, high)
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
	for bar, height := range h.heights {
		_, high := consistencyBand(h.rows, h.width(bar))
		bandHeight := borderAboveBand * high / h.width(bar) // not borderAboveBand·(high/width), which rounds differently
		highest = max(highest, borderAboveBars*height, bandHeight)
	}
	return highest
}

// Plot implements plot.Plotter.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for bar, height := range h.heights {
		left := toX(h.edges[bar]) + 0.5 // half a point of space on each side
		right := toX(h.edges[bar+1]) - 0.5
		top := toY(height)
		c.FillPolygon(h.fill, shape.Rectangle(left, toY(0), right, top))
		c.StrokeLine2(h.line, left, top, right, top)
	}
}
