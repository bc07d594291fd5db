package chart

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"
)

// Mark is the outline of a mark around the origin, with a radius of about 1. (Gonum has eight glyphs, without a rim. A
// figure here has up to fifteen methods, whose marks overlap.)
type Mark struct {
	corners []vg.Point
	isOpen  bool // whether the corners are joined to a line and not to an area
}

// Marks of points. An arrow head has the middle of its base at its point. The arguments are those of polygon: corners,
// outer radius, inner radius and angle.
var (
	disc  = polygon(16, 1, 1, 0)
	Star  = polygon(5, 1.5, 0.65, 90)
	Dash  = Mark{corners: []vg.Point{{X: -1}, {X: 1}}, isOpen: true}
	Up    = Mark{corners: []vg.Point{{X: -0.7}, {Y: 1}, {X: 0.7}}, isOpen: true}
	Down  = Mark{corners: []vg.Point{{X: -0.7}, {Y: -1}, {X: 0.7}}, isOpen: true}
	left  = Mark{corners: []vg.Point{{Y: -0.7}, {X: -1}, {Y: 0.7}}, isOpen: true}
	right = Mark{corners: []vg.Point{{Y: -0.7}, {X: 1}, {Y: 0.7}}, isOpen: true}
)

// methodMarks has the marks of the paper's methods, by method name.
var methodMarks = map[string]Mark{
	"mc":    polygon(4, 1.15, 1.15, 90),
	"mc-ll": {corners: []vg.Point{{Y: 1.3}, {X: -0.6}, {Y: -1.3}, {X: 0.6}}},
	"de":    cross(45),
	"pu":    polygon(20, 0.8, 0.8, 0),
	"pu-de": polygon(5, 1.3, 0.55, 90),
	"sml":   polygon(4, 1.2, 1.2, 45),
}

// otherMarks are the marks of all other methods, in the order of assignment.
var otherMarks = []Mark{
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

// ErrMarks is wrapped by the error of a figure with more methods than marks.
var ErrMarks = errors.New("too many methods")

// MethodMarks returns a mark for each method. The paper's methods have the same mark in every figure. MethodMarks
// returns an error that wraps ErrMarks if there are not enough marks.
func MethodMarks(methods []string) ([]Mark, error) {
	marks := make([]Mark, len(methods))
	unused := otherMarks
	for i, method := range methods {
		mark, isKnown := methodMarks[method]
		if isKnown {
			marks[i] = mark
			continue
		}
		if len(unused) == 0 {
			return nil, fmt.Errorf("report: %w: no marker is left for method %q; want at most %d methods besides mc, mc-ll, de, pu, pu-de and sml", ErrMarks, method, len(otherMarks))
		}
		marks[i] = unused[0]
		unused = unused[1:]
	}
	return marks, nil
}

// polygon returns a mark with corners at the outer radius. If the inner radius is smaller, the mark is a star, with as many
// more corners at the inner radius between the others. angle is the direction of the first corner in degrees, counted
// from the right against the clock.
func polygon(corners int, outer, inner, angle float64) Mark {
	var m Mark
	for i := range corners {
		m.corners = append(m.corners, polygonCorner(corners, float64(i), outer, angle))
		if inner < outer {
			m.corners = append(m.corners, polygonCorner(corners, float64(i)+0.5, inner, angle))
		}
	}
	return m
}

// polygonCorner returns a corner of a polygon with n corners. Corner 0 is in the direction of angle, in degrees; corner
// 0.5 is in the middle between the corners 0 and 1.
func polygonCorner(n int, corner, radius, angle float64) vg.Point {
	sin, cos := math.Sincos(angle*math.Pi/180 + corner*2*math.Pi/float64(n))
	return vg.Point{X: vg.Length(radius * cos), Y: vg.Length(radius * sin)}
}

// cross returns a mark with four arms. angle is the direction of the first arm in degrees.
func cross(angle float64) Mark {
	const (
		length    = 1.25 // of an arm, from the middle
		halfWidth = 0.34 // of an arm
	)
	// Each arm is the arm to the right, rotated. The corner before it belongs to the arm before.
	rightArm := []vg.Point{{X: halfWidth, Y: -halfWidth}, {X: length, Y: -halfWidth}, {X: length, Y: halfWidth}}
	var m Mark
	for i := range 4 {
		sin, cos := math.Sincos((angle + 90*float64(i)) * math.Pi / 180)
		for _, p := range rightArm {
			x := float64(p.X)
			y := float64(p.Y)
			m.corners = append(m.corners, vg.Point{X: vg.Length(x*cos - y*sin), Y: vg.Length(x*sin + y*cos)})
		}
	}
	return m
}

// path returns the mark's outline around a point, with the given radius.
func (m Mark) path(center vg.Point, radius vg.Length) vg.Path {
	var path vg.Path
	for i, p := range m.corners {
		corner := vg.Point{X: center.X + radius*p.X, Y: center.Y + radius*p.Y}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	if !m.isOpen {
		path.Close()
	}
	return path
}
