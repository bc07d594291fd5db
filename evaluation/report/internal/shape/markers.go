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

// Marker is the outline of a mark around the origin, with a radius of about 1. (Gonum has eight
// glyphs, without a rim. A figure here has up to fifteen methods, whose marks overlap.)
type Marker []vg.Point

// methodMarkers has the markers of the paper's methods, by method name.
var methodMarkers = map[string]Marker{
	"mc":    Polygon(4, 1.15, 1.15, 90),
	"mc-ll": {{X: 0, Y: 1.3}, {X: -0.6, Y: 0}, {X: 0, Y: -1.3}, {X: 0.6, Y: 0}},
	"de":    cross(45),
	"pu":    Polygon(20, 0.8, 0.8, 0),
	"pu-de": Polygon(5, 1.3, 0.55, 90),
	"sml":   Polygon(4, 1.2, 1.2, 45),
}

// Ring is the outline of a circle. Draw fills it unless it is hollow.
var Ring = Polygon(20, 0.95, 0.95, 0)

// otherMarkers are the markers of all other methods, in the order of assignment.
var otherMarkers = []Marker{
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

// Markers returns a marker for each method. The paper's methods have the same marker in every figure.
// Markers returns an error that wraps ErrMarkers if there are not enough markers.
func Markers(methods []string) ([]Marker, error) {
	markers := make([]Marker, len(methods))
	unused := otherMarkers
	for i, method := range methods {
		markers[i] = methodMarkers[method]
		if markers[i] != nil {
			continue
		}
		if len(unused) == 0 {
			return nil, fmt.Errorf("report: %w: no marker is left for method %q; want at most %d methods besides mc, mc-ll, de, pu, pu-de and sml", ErrMarkers, method, len(otherMarkers))
		}
		markers[i] = unused[0]
		unused = unused[1:]
	}
	return markers, nil
}

// Polygon returns a marker with n corners at the outer radius. If the inner radius is smaller, the marker
// is a star, with n more corners at the inner radius between the others. angle is the direction of the
// first corner in degrees, counted from the right against the clock.
func Polygon(n int, outer, inner, angle float64) Marker {
	var m Marker
	for i := range n {
		m = append(m, polygonCorner(n, float64(i), outer, angle))
		if inner < outer {
			m = append(m, polygonCorner(n, float64(i)+0.5, inner, angle))
		}
	}
	return m
}

// polygonCorner returns a corner of a polygon with n corners. Corner 0 is in the direction of angle, in
// degrees; corner 0.5 is in the middle between the corners 0 and 1.
func polygonCorner(n int, corner, radius, angle float64) vg.Point {
	sin, cos := math.Sincos(angle*math.Pi/180 + corner*2*math.Pi/float64(n))
	return vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)}
}

// cross returns a marker with four arms. angle is the direction of the first arm in degrees.
func cross(angle float64) Marker {
	const (
		length    = 1.25 // of an arm, from the middle
		halfWidth = 0.34 // of an arm
	)
	arm := Marker{{X: halfWidth, Y: -halfWidth}, {X: length, Y: -halfWidth}, {X: length, Y: halfWidth}} // to the right
	var m Marker
	for i := range 4 {
		sin, cos := math.Sincos((angle + 90*float64(i)) * math.Pi / 180)
		for _, p := range arm {
			x := float64(p.X)
			y := float64(p.Y)
			m = append(m, vg.Point{X: vg.Length(x*cos - y*sin), Y: vg.Length(x*sin + y*cos)})
		}
	}
	return m
}

// Draw draws the marker around a point. A darker rim keeps overlapping marks and light colours
// visible. If hollow is true, it draws only a rim in the colour fill.
func (m Marker) Draw(c draw.Canvas, center vg.Point, radius vg.Length, fill color.NRGBA, hollow bool) {
	path := m.path(center, radius)
	rim := draw.LineStyle{Color: darken(fill), Width: 0.3}
	if hollow {
		rim = draw.LineStyle{Color: fill, Width: 0.8}
	} else {
		c.SetColor(fill)
		c.Fill(path)
	}
	c.SetLineStyle(rim)
	c.Stroke(path)
}

// path returns the marker's outline around a point, with the given radius.
func (m Marker) path(center vg.Point, radius vg.Length) vg.Path {
	var path vg.Path
	for i, p := range m {
		corner := vg.Point{X: center.X + radius*p.X, Y: center.Y + radius*p.Y}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}

// darken returns the colour with 60 % of its brightness.
func darken(c color.NRGBA) color.NRGBA {
	shade := func(v uint8) uint8 { return uint8(int(v) * 6 / 10) }
	return color.NRGBA{R: shade(c.R), G: shade(c.G), B: shade(c.B), A: c.A}
}

// MarkerEntry returns the legend entry of a marker.
func MarkerEntry(text string, m Marker) drawing.Entry {
	return drawing.PointEntry(text, func(c draw.Canvas, center vg.Point) { m.Draw(c, center, 3.4, drawing.Grey, false) })
}
