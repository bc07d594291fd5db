package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// message stands in the middle of a panel in the place of data.
type message string

// Plot implements plot.Plotter.
func (m message) Plot(c draw.Canvas, _ *plot.Plot) {
	style := textStyle(tickSize)
	style.Color, style.XAlign, style.YAlign = grey, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), string(m))
}
