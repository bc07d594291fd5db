package shape

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"sml/evaluation/report/drawing"
)

// Marker is the outline of a plot mark around the origin; its radius is about 1. (Gonum has eight
// glyphs, without a rim. A figure here has up to fifteen methods, whose marks overlap.)
type Marker []vg.Point

var methodMarkers = map[string]Marker{
	"mc":    Polygon(4, 1.15, 1.15, 90),
	"mc-ll": {{X: 0, Y: 1.3}, {X: -0.6, Y: 0}, {X: 0, Y: -1.3}, {X: 0.6, Y: 0}},
	"de":    cross(45),
	"pu":    Polygon(20, 0.8, 0.8, 0),
	"pu-de": Polygon(5, 1.3, 0.55, 90),
	"sml":   Polygon(4, 1.2, 1.2, 45),
}

// Ring is a circle.
var Ring = Polygon(20, 0.95, 0.95, 0)

// furtherMarkers are the markers of all other methods, in this order.
var furtherMarkers = []Marker{
	Polygon(3, 1.25, 1.25, 90),
	Polygon(3, 1.25, 1.25, 270),
	Ring,
	cross(0),
	Polygon(6, 1.1, 1.1, 90),
	Polygon(3, 1.25, 1.25, 180),
	Polygon(3, 1.25, 1.25, 0),
	Polygon(5, 1.1, 1.1, 90),
	Polygon(3, 1.35, 0.5, 90),
}

// ErrMarkers is wrapped by the error of a figure with more methods than markers.
var ErrMarkers = errors.New("too many methods")

// Markers returns a marker for each method. The methods of methodMarkers have the same marker in
// every figure. It returns an error that wraps ErrMarkers if there are not enough markers.
func Markers(methods []string) ([]Marker, error) {
	markers := make([]Marker, len(methods))
	further := furtherMarkers
	for i, method := range methods {
		markers[i] = methodMarkers[method]
		if markers[i] != nil {
			continue
		}
		if len(further) == 0 {
			return nil, fmt.Errorf("report: %w: no marker is left for method %q; want at most %d methods beside mc, mc-ll, de, pu, pu-de and sml", ErrMarkers, method, len(furtherMarkers))
		}
		markers[i], further = further[0], further[1:]
	}
	return markers, nil
}

// Polygon returns a marker with n corners at the outer radius and, if the inner radius is smaller,
// n corners at the inner radius between them, a star. The first corner is at the angle, in degrees.
func Polygon(n int, outer, inner, angle float64) Marker {
	var m Marker
	corner := func(radius, turn float64) {
		sin, cos := math.Sincos(angle*math.Pi/180 + turn*2*math.Pi/float64(n))
		m = append(m, vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)})
	}
	for i := range n {
		corner(outer, float64(i))
		if inner < outer {
			corner(inner, float64(i)+0.5)
		}
	}
	return m
}

// cross returns a marker with four arms, the first at the angle, in degrees.
func cross(angle float64) Marker {
	const long, half = 1.25, 0.34
	var m Marker
	for arm := range 4 {
		sin, cos := math.Sincos((angle + 90*float64(arm)) * math.Pi / 180)
		for _, p := range [][2]float64{{half, -half}, {long, -half}, {long, half}} {
			m = append(m, vg.Point{X: vg.Length(p[0]*cos - p[1]*sin), Y: vg.Length(p[0]*sin + p[1]*cos)})
		}
	}
	return m
}

// Draw draws the marker at a point, with a darker rim so that overlapping marks and light colours
// stay visible. If hollow is true, it draws the rim alone.
func (m Marker) Draw(c draw.Canvas, at vg.Point, radius vg.Length, fill color.NRGBA, hollow bool) {
	var path vg.Path
	for i, p := range m {
		corner := vg.Point{X: at.X + radius*p.X, Y: at.Y + radius*p.Y}
		if i == 0 {
			path.Move(corner)
			continue
		}
		path.Line(corner)
	}
	path.Close()
	rim := draw.LineStyle{Color: darker(fill), Width: 0.3}
	if hollow {
		rim = draw.LineStyle{Color: fill, Width: 0.8}
	} else {
		c.SetColor(fill)
		c.Fill(path)
	}
	c.SetLineStyle(rim)
	c.Stroke(path)
}

// darker returns the colour with 60 % of its brightness.
func darker(c color.NRGBA) color.NRGBA {
	shade := func(v uint8) uint8 { return uint8(int(v) * 6 / 10) }
	return color.NRGBA{R: shade(c.R), G: shade(c.G), B: shade(c.B), A: c.A}
}

// MarkerEntry returns the legend's entry of a marker.
func MarkerEntry(text string, m Marker) drawing.Entry {
	return drawing.PointEntry(text, func(c draw.Canvas, at vg.Point) { m.Draw(c, at, 3.4, drawing.Grey, false) })
}
