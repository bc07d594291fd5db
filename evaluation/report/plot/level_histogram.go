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
	Name: "pit", Title: "PIT histogram",
	Summary: "At what level of its predicted distribution each target stands, the probability integral transform. Of honest predictions the bars are level, 95 % of them within the grey band. " +
		"A U is of a σ that is too small, a hill of one too large, a slope of means that are off to one side.",
	Source: "Dawid (1984), Statistical theory: the prequential approach; Gneiting et al. (2007), Probabilistic forecasts, calibration and sharpness",
	Draw: func(_ context.Context, r *Rows) (Drawn, error) {
		if _, ok := curveOf(r.Raw); !ok {
			return Drawn{Note: noLevels}, nil
		}
		var d Drawn
		highest := 1.5
		for i, c := range r.versions() {
			h := levelBars(c)
			h.fill, h.line = areaColour, draw.LineStyle{Color: shownColour, Width: 1}
			p := drawing.NewPlot("level of the target", "density")
			var x, low, high []float64
			for k, edge := range h.edges[1:] {
				width := edge - h.edges[k]
				l, u := consistency(h.rows, width)
				x, low, high = append(x, h.edges[k], edge), append(low, l/width, l/width), append(high, u/width, u/width)
				highest = max(highest, 1.08*h.heights[k], 1.3*u/width)
			}
			p.Add(h, area{x, low, high, bandColour}, straight(0, 1, 1, 1, honest))
			panel := drawing.Panel{Plot: p}
			if r.Calibrated != nil {
				panel.Title = []string{"raw", "calibrated"}[i]
			}
			d.Panels = append(d.Panels, panel)
		}
		for _, panel := range d.Panels {
			zeroTo(panel.Plot, 1, highest)
		}
		d.Across = len(d.Panels)
		if d.Across == 1 {
			d.Height = 0.8 * oneHeight
		}
		d.Legend = []drawing.Entry{drawing.ColourEntry("targets", areaColour), drawing.ColourEntry("95 % of honest predictions", bandColour)}
		d.Note = r.each(func(c *measure.Column) string {
			h, off := levelBars(c), 0
			for k, edge := range h.edges[1:] {
				width := edge - h.edges[k]
				if l, u := consistency(h.rows, width); h.heights[k] < l/width-1e-9 || h.heights[k] > u/width+1e-9 {
					off++
				}
			}
			return fmt.Sprintf("%d of %d bars end outside the band", off, len(h.heights))
		})
		return d, nil
	},
}

// histogram is bars over edges.
type histogram struct {
	edges, heights []float64
	rows           int
	fill           color.NRGBA
	line           draw.LineStyle
}

// levelBars counts levels in bins of one width.
func levelBars(c *measure.Column) histogram {
	curve, _ := curveOf(c)
	h := histogram{edges: []float64{0}, rows: curve.rows}
	bins := 10
	if curve.rows >= 500 {
		bins = 20
	}
	for i := 1; i <= bins; i++ {
		h.edges = append(h.edges, float64(i)/float64(bins))
	}
	below := standingOf(c).below
	before := 0.0
	for i, edge := range h.edges[1:] {
		share := below(edge)
		h.heights = append(h.heights, (share-before)/(edge-h.edges[i]))
		before = share
	}
	return h
}

// Plot implements plot.Plotter.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, height := range h.heights {
		bar := shape.Rectangle(x(h.edges[i])+0.5, y(0), x(h.edges[i+1])-0.5, y(height))
		c.FillPolygon(h.fill, bar)
		c.StrokeLine2(h.line, bar[3].X, bar[3].Y, bar[2].X, bar[2].Y)
	}
}
