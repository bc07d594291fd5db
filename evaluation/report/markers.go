package report

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// marker is the outline of a plot mark around the origin, about one unit wide
// on either side.
type marker []vg.Point

// The paper's markers of the methods. It gives PU-DE a star in one figure and
// a pentagon in another; the star stays apart from the others when it is small.
var methodMarkers = []struct {
	method string
	marker
}{
	{"MC", polygon(4, 1.15, 1.15, 90)},
	{"MC-LL", marker{{X: 0, Y: 1.3}, {X: -0.6, Y: 0}, {X: 0, Y: -1.3}, {X: 0.6, Y: 0}}},
	{"DE", cross(45)},
	{"PU", polygon(20, 0.8, 0.8, 0)},
	{"PU-DE", polygon(5, 1.3, 0.55, 90)},
	{"SML", polygon(4, 1.2, 1.2, 45)},
}

// furtherMarkers are for methods that the paper does not have, and for the
// values of a setting, in this order.
var furtherMarkers = []marker{
	polygon(3, 1.25, 1.25, 90),
	polygon(3, 1.25, 1.25, 270),
	polygon(20, 0.95, 0.95, 0),
	cross(0),
	polygon(6, 1.1, 1.1, 90),
	polygon(3, 1.25, 1.25, 180),
	polygon(3, 1.25, 1.25, 0),
	polygon(5, 1.1, 1.1, 90),
	polygon(3, 1.35, 0.5, 90),
}

// ErrMarkers is wrapped by the error of a figure that has more methods than
// there are markers to tell them apart.
var ErrMarkers = errors.New("too many methods")

// markersOf returns a marker for each method: the paper's for its methods, in
// whatever case they are written, and others for the others.
func markersOf(methods []string) ([]marker, error) {
	markers := make([]marker, len(methods))
	further := furtherMarkers
	for i, method := range methods {
		for _, known := range methodMarkers {
			if strings.EqualFold(known.method, method) {
				markers[i] = known.marker
			}
		}
		if markers[i] != nil {
			continue
		}
		if len(further) == 0 {
			return nil, fmt.Errorf("report: %w: no marker is left for method %q; want at most %d methods that are not the paper's", ErrMarkers, method, len(furtherMarkers))
		}
		markers[i], further = further[0], further[1:]
	}
	return markers, nil
}

// polygon has n corners at the outer radius and n corners between them: at the
// inner radius if that is smaller, else on the edge. The first corner stands
// at the angle, in degrees.
func polygon(n int, outer, inner, angle float64) marker {
	var m marker
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

// cross has four arms, the first at the angle, in degrees.
func cross(angle float64) marker {
	const long, half = 1.25, 0.34
	var m marker
	for arm := range 4 {
		sin, cos := math.Sincos((angle + 90*float64(arm)) * math.Pi / 180)
		for _, p := range [][2]float64{{half, -half}, {long, -half}, {long, half}} {
			m = append(m, vg.Point{X: vg.Length(p[0]*cos - p[1]*sin), Y: vg.Length(p[0]*sin + p[1]*cos)})
		}
	}
	return m
}

// draw draws the marker with a darker rim, by which overlapping marks and
// light colours stand out, or the rim alone.
func (m marker) draw(c draw.Canvas, at vg.Point, radius vg.Length, fill color.NRGBA, hollow bool) {
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

func darker(c color.NRGBA) color.NRGBA {
	shade := func(v uint8) uint8 { return uint8(int(v) * 6 / 10) }
	return color.NRGBA{R: shade(c.R), G: shade(c.G), B: shade(c.B), A: c.A}
}
