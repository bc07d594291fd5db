package report

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// arrow draws a short arrow head from a point into the direction, a unit
// vector along an axis: there is more, further out.
func arrow(c draw.Canvas, from, direction vg.Point, colour color.NRGBA) {
	const long, half = 3, 2.2 // points
	side := vg.Point{X: -direction.Y, Y: direction.X}
	style := draw.LineStyle{Color: darker(colour), Width: 0.8}
	tip := from.Add(direction.Scale(long))
	c.StrokeLines(style, []vg.Point{from.Add(side.Scale(half)), tip, from.Sub(side.Scale(half))})
}

// counted is "sign 3 values where", or nothing for none.
func counted(sign string, n int, where string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return strings.TrimSpace(fmt.Sprintf("%s 1 value %s", sign, where))
	}
	return strings.TrimSpace(fmt.Sprintf("%s %d values %s", sign, n, where))
}

// beyondNote tells that n points of a panel lie beyond its axes.
func beyondNote(n int) string { return pointsNote(n, "beyond") }

// pointsNote is "3 where", or nothing for none.
func pointsNote(n int, where string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, where)
}

// joined is the parts that are not empty, one after another.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
