package export

import (
	"math"

	"sml/data/preparation"
	"sml/evaluation/export/onnx"
	"sml/models/distribution"
)

// transform writes the transform and the bounds of a target. Without a name the transform is the identity.
type transform struct {
	*writer
	preparation.Transform
	support preparation.Support
}

// hasTransforms reports whether targets have transforms.
func (w *writer) hasTransforms() bool {
	return w.model.Preparation != nil && len(w.model.Preparation.Targets) > 0
}

// hasSmoothTransforms reports whether the transforms of all targets are smooth.
func (w *writer) hasSmoothTransforms() bool {
	for target := range w.model.Targets {
		if !w.transformFor(target).IsSmooth() {
			return false
		}
	}
	return true
}

// transformFor returns the transform and the bounds of a target.
func (w *writer) transformFor(target int) *transform {
	t := &transform{writer: w}
	p := w.model.Preparation
	if p != nil && len(p.Targets) > 0 {
		t.Transform = p.Targets[target]
	}
	if p != nil && len(p.Supports) > 0 {
		t.support = p.Supports[target]
	}
	return t
}

// clip returns v limited to the bounds of the target, if it has any.
func (t *transform) clip(v onnx.Value) onnx.Value {
	if t.support.Low != nil {
		v = t.Binary("Max", v, t.Number(onnx.Double, *t.support.Low))
	}
	if t.support.High != nil {
		v = t.Binary("Min", v, t.Number(onnx.Double, *t.support.High))
	}
	return v
}

// limit returns v limited to the range from low to high.
func (t *transform) limit(v onnx.Value, low, high float64) onnx.Value {
	return t.Binary("Min", t.Binary("Max", v, t.Number(onnx.Double, low)), t.Number(onnx.Double, high))
}

// invert returns the inverse transform of finite values, as preparation.Transform.Invert computes
// it. Without one of the named formulas it interpolates between the knots of the training targets'
// quantiles.
func (t *transform) invert(z onnx.Value) onnx.Value {
	switch t.Name {
	case "":
		return z
	case "log":
		v := t.Unary("Exp", t.limit(z, -preparation.MaxExponent, preparation.MaxExponent))
		if t.Ceiling != nil {
			v = t.Binary("Min", v, t.Number(onnx.Double, *t.Ceiling))
		}
		return v
	case "log1p":
		v := t.Expm1(t.limit(z, -preparation.MaxExponent, preparation.MaxExponent))
		return t.Binary("Max", v, t.Number(onnx.Double, t.MinLog1pTarget()))
	case "sqrt":
		v := t.limit(z, 0, preparation.MaxRoot)
		return t.Mul(v, v)
	}
	return t.interpolateKnots(z)
}

// interpolateKnots returns the training targets' quantile at the level Φ(z), interpolated linearly between
// the knots. Knot i of n is the quantile at the level (i + 1/2)/n.
func (t *transform) interpolateKnots(z onnx.Value) onnx.Value {
	n := float64(len(t.Knots))
	position := t.limit(t.AddNumber(t.Scale(t.NormalCDF(z), n), -0.5), 0, n-1) // index of a knot, with a fraction
	floor := t.Unary("Floor", position)
	knots := t.Numbers(onnx.Double, []int{len(t.Knots)}, t.Knots...)
	below := t.RowsAt(knots, floor, len(t.Knots))
	above := t.RowsAt(knots, t.AddNumber(floor, 1), len(t.Knots))
	return t.Add(below, t.Mul(t.Sub(position, floor), t.Sub(above, below)))
}

// moments returns the mean and the standard deviation of the target in its own unit, [rows] each, as
// preparation.Transform.Moments computes them. z represents the predicted distribution, in standard deviations from the
// mean: [1, 200] for all rows, or [rows, 200]. weights are [1, 200].
func (t *transform) moments(mean, std, z, weights onnx.Value) (targetMean, targetStd onnx.Value) {
	if t.Name == "" {
		return mean, std
	}
	values := t.quantiles(mean, std, z)
	targetMean = t.Sum(t.Mul(values, weights), 1, true)

	// As in Transform.Moments, deviations are divided by the largest quantile, so that their squares do
	// not overflow. The quantiles are ascending: the largest in size is the first or the last.
	first := t.Slice(values, 1, 0, 1)
	n := len(distribution.MidpointLevels()) // NormalNodes are as many
	last := t.Slice(values, 1, n-1, n)
	unit := t.Binary("Max", t.Unary("Abs", first), t.Unary("Abs", last))
	unit = t.Where(t.Compare("Equal", unit, t.Number(onnx.Double, 0)), t.Number(onnx.Double, 1), unit)
	deviation := t.Sub(t.Div(values, unit), t.Div(targetMean, unit))
	targetStd = t.Mul(t.Unary("Sqrt", t.Sum(t.Mul(t.Mul(deviation, deviation), weights), 1, true)), unit)
	return t.Squeeze(targetMean, 1), t.Squeeze(targetStd, 1)
}

// quantiles returns the quantiles that Transform.Moments averages over, [rows, 200]. If the transform has
// a range of training targets, quantiles beyond both the range and the quantiles of a prediction with at
// most the standard deviation 1 are limited to these: they would decide the moments.
func (t *transform) quantiles(mean, std, z onnx.Value) onnx.Value {
	quantilesFor := func(std onnx.Value) onnx.Value {
		transformed := t.Add(t.Unsqueeze(mean, 1), t.Mul(t.Unsqueeze(std, 1), z))
		return t.invert(t.limit(transformed, -math.MaxFloat64, math.MaxFloat64))
	}
	values := quantilesFor(std)
	if t.Range == nil {
		return values
	}
	narrow := quantilesFor(t.Binary("Min", std, t.Number(onnx.Double, 1)))
	low := t.Binary("Min", narrow, t.Number(onnx.Double, t.Range.Low))
	high := t.Binary("Max", narrow, t.Number(onnx.Double, t.Range.High))
	return t.Binary("Min", t.Binary("Max", values, low), high)
}
