// Package shape draws the contents of plots: markers of methods, arrows, clouds of points, pictures
// and messages. It also thins lines to their visible points.
package shape

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
)

// Arrow draws a short arrow head at a point, for data outside the plot. direction is a unit vector
// along an axis.
func Arrow(c draw.Canvas, from, direction vg.Point, colour color.NRGBA) {
	const long, half = 3, 2.2 // points
	side := vg.Point{X: -direction.Y, Y: direction.X}
	style := draw.LineStyle{Color: darker(colour), Width: 0.8}
	tip := from.Add(direction.Scale(long))
	c.StrokeLines(style, []vg.Point{from.Add(side.Scale(half)), tip, from.Sub(side.Scale(half))})
}

// Message is a plotter that writes a text in the middle of a panel without data.
type Message string

// Plot implements plot.Plotter.
func (m Message) Plot(c draw.Canvas, _ *plot.Plot) {
	style := drawing.TextStyle(drawing.TickSize)
	style.Color, style.XAlign, style.YAlign = drawing.Grey, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), string(m))
}

// Rectangle returns the corners of the rectangle between two opposite corners.
func Rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
