package export

import (
	"fmt"
	"strconv"

	"sml/data/portable"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/graph/onnx"
)

// midpoints is at how many equally likely quantiles moments of a transformed target are
// taken, as preparation.Transform takes them.
const midpoints = 200

// inUnits names the prediction's values in the unit of each target: evaluation.InUnit and
// evaluation.Between as operations of the file.
func (w *writer) inUnits(p prediction, transforms []evaluation.Transform) error {
	for t, c := range w.model.Targets {
		of := func(v onnx.Value) onnx.Value { // [rows]
			return w.Squeeze(w.Slice(v, 1, t, t+1), 1)
		}
		back := func(v onnx.Value) onnx.Value { return w.Plus(w.By(of(v), c.Std), c.Mean) }
		var through *transform
		if transforms != nil {
			fitted, ok := transforms[t].(preparation.Transform)
			if !ok {
				return fmt.Errorf("the transform of %q cannot be exported", c.Name)
			}
			through = &transform{w, fitted}
		}
		mean := back(p.mean)
		var std, low, high onnx.Value
		if p.std.Name != "" {
			std = w.By(of(p.std), c.Std)
			wide := w.By(std, w.interval())
			low, high = w.Sub(mean, wide), w.Add(mean, wide)
		}
		drop, shift := p.drop, p.shift
		if through != nil {
			low, high = through.invert(low), through.invert(high)
			if std.Name == "" {
				mean = through.invert(mean)
			} else {
				mean, std = through.moments(mean, std)
			}
		}
		w.give(t, "mean", mean, "in the target's unit")
		levels, err := w.model.Levels()
		if err != nil {
			return err
		}
		for i, q := range p.quantiles {
			v := back(q)
			if through != nil {
				v = through.invert(v)
			}
			w.give(t, level(levels[i]), v, "quantile")
		}
		for i, q := range p.probabilities {
			w.give(t, "p"+strconv.Itoa(i), of(q), "probability of a class")
		}
		if std.Name == "" {
			continue
		}
		w.give(t, "std", std, "standard deviation")
		for _, part := range []struct {
			name, says string
			v          onnx.Value
		}{{"std_drop", "spread of the sub-networks", drop}, {"offset", "of the sub-networks' mean from the full network", shift}} {
			if part.v.Name != "" {
				w.give(t, part.name, w.share(of(part.v), of(p.std), std), part.says)
			}
		}
		says := fmt.Sprintf("of the interval of %g", w.Coverage)
		w.give(t, "lower", low, says)
		w.give(t, "upper", high, says)
	}
	return nil
}

// share is a part of a standard deviation in the unit that the whole is in: 0 of none.
func (w *writer) share(part, whole, in onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	return w.Where(w.Compare("Equal", whole, zero), zero, w.Mul(w.Div(part, whole), in))
}

// transform is what a target was put through, as operations.
type transform struct {
	*writer
	preparation.Transform
}

// invert is Transform.Invert of each element; of nothing it is nothing.
func (t *transform) invert(z onnx.Value) onnx.Value {
	if z.Name == "" {
		return z
	}
	switch t.Name {
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
	if t.Name == "log" || t.Name == "log1p" {
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
