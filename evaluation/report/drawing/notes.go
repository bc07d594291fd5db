package drawing

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Note is "3 where" for a panel's note, or nothing for none.
func Note(n int, where string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, where)
}

// Joined is the parts that are not empty, one after another.
func Joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

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
	style := TextStyle(TickSize)
	style.Color, style.XAlign, style.YAlign = Grey, draw.XCenter, draw.YCenter
	c.FillText(style, c.Center(), string(m))
}
