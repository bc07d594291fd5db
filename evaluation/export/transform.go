package export

import (
	"sml/data/portable"
	"sml/data/preparation"
	"sml/graph/onnx"
)

// midpoints is at how many equally likely quantiles moments of a transformed target are
// taken, as preparation.Transform takes them.
const midpoints = 200

// transform is what a target was put through, as operations; without a name it is the
// identity.
type transform struct {
	*writer
	preparation.Transform
}

// invert is Transform.Invert of each element.
func (t *transform) invert(z onnx.Value) onnx.Value {
	switch t.Name {
	case "":
		return z
	case "log":
		return t.Unary("Exp", z)
	case "log1p":
		return t.Expm1(z)
	case "sqrt":
		v := t.Binary("Max", z, t.Number(onnx.Double, 0))
		return t.Mul(v, v)
	}
	n := float64(len(t.Knots))
	at := t.Plus(t.By(t.NormalCDF(z), n), -0.5)
	at = t.Binary("Min", t.Binary("Max", at, t.Number(onnx.Double, 0)), t.Number(onnx.Double, n-1))
	floor := t.Unary("Floor", at)
	knots := t.Numbers(onnx.Double, []int{len(t.Knots)}, t.Knots...)
	knot := func(i onnx.Value) onnx.Value { return t.Gather(knots, t.Cast(i, onnx.Int64), 0) }
	below := knot(floor)
	above := knot(t.Binary("Min", t.Plus(floor, 1), t.Number(onnx.Double, n-1)))
	return t.Add(below, t.Mul(t.Sub(at, floor), t.Sub(above, below)))
}

// moments is Transform.Moments of each row.
func (t *transform) moments(mean, std onnx.Value) (m, s onnx.Value) {
	switch t.Name {
	case "":
		return mean, std
	case "log", "log1p":
		variance := t.Mul(std, std)
		m = t.Unary("Exp", t.Add(mean, t.By(variance, 0.5)))
		s = t.Mul(m, t.Unary("Sqrt", t.Expm1(variance)))
		if t.Name == "log1p" {
			m = t.Plus(m, -1)
		}
		return m, s
	}
	z := make([]float64, midpoints)
	for i := range z {
		z[i] = portable.NormalQuantile((float64(i) + 0.5) / midpoints)
	}
	at := t.Mul(t.Unsqueeze(std, 1), t.Numbers(onnx.Double, []int{1, midpoints}, z...))
	values := t.invert(t.Add(t.Unsqueeze(mean, 1), at))
	m = t.Mean(values, 1, true)
	off := t.Sub(values, m)
	s = t.Unary("Sqrt", t.Mean(t.Mul(off, off), 1, false))
	return t.Squeeze(m, 1), s
}
