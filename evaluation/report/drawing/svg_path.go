package drawing

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// encodePath returns the path, with all positions mapped by m, as the attribute d of an SVG's path
// element.
func encodePath(path vg.Path, m affine) string {
	var d pathData
	for _, component := range path {
		end := positionOf(component.Pos)
		switch component.Type {
		case vg.MoveComp:
			d.add('m', m, end)
		case vg.LineComp:
			d.add('l', m, end)
		case vg.CurveComp:
			d.addCurve(m, component.Control, end)
		case vg.ArcComp: // its position is the center
			d.addArc(m, arc{
				center: end,
				radius: component.Radius.Points(),
				start:  component.Start,
				angle:  component.Angle,
			})
		case vg.CloseComp:
			d.close()
		}
	}
	return d.String()
}

// pathData builds the attribute d of an SVG's path element. Its commands are relative: m (move), l
// (line), q and c (quadratic and cubic curve) and z (close). Each position is rounded to hundredths
// of a point before differences are taken, so that rounding errors do not add up.
type pathData struct {
	strings.Builder
	end         position // end of the last command, in hundredths of a point
	start       position // start of the subpath, where the command z returns, in hundredths of a point
	lastCommand byte     // 0 before the first command
}

// add adds a command with its positions, mapped by m: control points if the command has any, and the
// end. The first command of a path is always a move.
func (d *pathData) add(command byte, m affine, positions ...position) {
	if d.Len() == 0 {
		command = 'm'
	}
	if command != d.lastCommand || command == 'm' { // SVG repeats the last command by default, but not m
		d.WriteByte(command)
	}
	var end position
	for _, p := range positions {
		mapped := m.apply(p)
		end = position{x: hundredths(mapped.x), y: hundredths(mapped.y)}
		d.addNumber(end.x - d.end.x)
		d.addNumber(end.y - d.end.y)
	}
	d.end = end
	d.lastCommand = command
	if command == 'm' {
		d.start = end
	}
}

// addNumber adds a whole number of hundredths in its shortest form. It writes a space before a number that
// follows another one, unless a minus sign separates them. At least one command must have been written.
func (d *pathData) addNumber(n float64) {
	text := formatHundredths(n)
	data := d.String()
	followsDigit := data[len(data)-1] <= '9' // otherwise a command, whose letter is above the digits in ASCII
	if followsDigit && text[0] != '-' {
		d.WriteByte(' ')
	}
	d.WriteString(text)
}

// addCurve adds a Bézier curve to the given end: a quadratic one with one control point, or a cubic one
// with two.
func (d *pathData) addCurve(m affine, control []vg.Point, end position) {
	command := byte('q')
	if len(control) == 2 {
		command = 'c'
	}
	var positions []position
	for _, p := range control {
		positions = append(positions, positionOf(p))
	}
	d.add(command, m, append(positions, end)...)
}

// close adds the command that closes the subpath, unless it is closed already or there is none.
func (d *pathData) close() {
	if d.Len() > 0 && d.lastCommand != 'z' {
		d.WriteByte('z')
		d.end = d.start
		d.lastCommand = 'z'
	}
}

// arc is a part of a circle, from the angle start to start + angle, in radians.
type arc struct {
	center       position
	radius       float64
	start, angle float64
}

// addArc adds a line to the start of an arc, and the arc itself as cubic Bézier curves. A curve follows at
// most a quarter of a circle, for which it is exact to 0.03 % of the radius.
func (d *pathData) addArc(m affine, a arc) {
	curves := math.Ceil(math.Abs(a.angle) / (math.Pi / 2))
	step := a.angle / curves // angle of one curve
	// The control points lie on the tangents in both ends. At this distance from the ends, the curve also
	// touches the circle in its middle.
	controlDistance := a.radius * 4 / 3 * math.Tan(step/4)
	d.add('l', m, a.tangentPoint(a.start, 0))
	for i := range int(curves) {
		from := a.start + float64(step*float64(i))
		to := a.start + float64(step*float64(i+1))
		d.add('c', m, a.tangentPoint(from, controlDistance), a.tangentPoint(to, -controlDistance), a.tangentPoint(to, 0))
	}
}

// tangentPoint returns a point on the tangent that touches the circle at an angle. distance is its signed
// distance from there, above 0 in the direction of growing angles.
func (a arc) tangentPoint(angle, distance float64) position {
	sin, cos := math.Sincos(angle)
	return position{
		x: a.center.x + float64(a.radius*cos) - float64(distance*sin),
		y: a.center.y + float64(a.radius*sin) + float64(distance*cos),
	}
}

// hundredths returns x as a whole number of hundredths. Positions far outside any figure are moved to a
// million points from the origin, where a number still has its hundredths.
func hundredths(x float64) float64 {
	const furthest = 1e6
	return math.Round(100*min(furthest, max(-furthest, x))) + 0 // + 0 turns −0 into 0
}

// formatDecimal formats a number with at most two decimals.
func formatDecimal(x float64) string { return formatHundredths(hundredths(x)) }

// formatHundredths formats a whole number of hundredths as briefly as SVG allows, such as ".5" for 50.
func formatHundredths(n float64) string {
	text := strconv.FormatFloat(n/100, 'f', -1, 64)
	if fraction, ok := strings.CutPrefix(text, "0."); ok {
		return "." + fraction
	}
	if fraction, ok := strings.CutPrefix(text, "-0."); ok {
		return "-." + fraction
	}
	return text
}

// position is a position in points, as plain numbers.
type position struct{ x, y float64 }

// positionOf converts a point of a drawing, whose coordinates are of the type vg.Length.
func positionOf(p vg.Point) position { return position{x: p.X.Points(), y: p.Y.Points()} }

// affine maps positions: x, y becomes a·x + c·y + e, b·x + d·y + f. Its fields have the names and the order
// of the arguments of SVG's matrix(a b c d e f). In its methods, float64(x*y) keeps the compiler from fusing
// a product and a sum, which would round differently on some CPUs.
type affine struct {
	a, b float64 // image of the direction of x
	c, d float64 // image of the direction of y
	e, f float64 // image of the origin
}

// identity maps each position to itself.
var identity = affine{a: 1, d: 1}

// apply returns the image of the position p under the map m.
func (m affine) apply(p position) position {
	return position{
		x: float64(m.a*p.x) + float64(m.c*p.y) + m.e,
		y: float64(m.b*p.x) + float64(m.d*p.y) + m.f,
	}
}

// compose returns the map that applies inner first, and then m.
func (m affine) compose(inner affine) affine {
	origin := m.apply(position{x: inner.e, y: inner.f})
	return affine{ // the product of two matrices
		a: float64(m.a*inner.a) + float64(m.c*inner.b),
		b: float64(m.b*inner.a) + float64(m.d*inner.b),
		c: float64(m.a*inner.c) + float64(m.c*inner.d),
		d: float64(m.b*inner.c) + float64(m.d*inner.d),
		e: origin.x,
		f: origin.y,
	}
}
