// Package shape draws what stands in the data areas of figures: markers of methods,
// arrows, clouds of points and pictures; and thins lines to the points that show.
package shape

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
)

// Arrow draws a short arrow head from a point into the direction, a unit
// vector along an axis: there is more, further out.
func Arrow(c draw.Canvas, from, direction vg.Point, colour color.NRGBA) {
	const long, half = 3, 2.2 // points
	side := vg.Point{X: -direction.Y, Y: direction.X}
	style := draw.LineStyle{Color: darker(colour), Width: 0.8}
	tip := from.Add(direction.Scale(long))
	c.StrokeLines(style, []vg.Point{from.Add(side.Scale(half)), tip, from.Sub(side.Scale(half))})
}

// Message is a plotter that stands in the middle of a panel in the place of data.
type Message string

// Plot implements plot.Plotter.
func (m Message) Plot(c draw.Canvas, _ *plot.Plot) {
	style := drawing.TextStyle(drawing.TickSize)
	style.Color, style.XAlign, style.YAlign = drawing.Grey, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), string(m))
}

// Rectangle is the polygon between two corners.
func Rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
