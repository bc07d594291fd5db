// Package shape draws the contents of plots: markers of methods, arrows, clouds of points, pictures
// and messages. Start with Marker and Cloud; Thin and Extent reduce lines to their visible points.
// Axes, titles and legends belong to package drawing.
package shape

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
)

// Arrow draws an arrow head whose base is at a point. It points in a direction, a unit vector, in which
// there are data outside the plot.
func Arrow(c draw.Canvas, from, direction vg.Point, colour color.NRGBA) {
	const (
		length    = 3   // points, from the base to the tip
		halfWidth = 2.2 // points
	)
	side := vg.Point{X: -direction.Y, Y: direction.X}
	style := draw.LineStyle{Color: darken(colour), Width: 0.8}
	tip := from.Add(direction.Scale(length))
	c.StrokeLines(style, []vg.Point{from.Add(side.Scale(halfWidth)), tip, from.Sub(side.Scale(halfWidth))})
}

// Message is a plotter that writes a text in the middle of a panel without data.
type Message string

// Plot implements plot.Plotter.
func (m Message) Plot(c draw.Canvas, _ *plot.Plot) {
	style := drawing.TextStyle(drawing.TickSize)
	style.Color = drawing.Grey
	style.XAlign = draw.XCenter
	style.YAlign = draw.YCenter
	c.FillText(style, c.Center(), string(m))
}

// Rectangle returns the corners of a rectangle: x0, y0 and x1, y1 are opposite corners.
func Rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}
