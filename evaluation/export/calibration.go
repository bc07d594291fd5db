package export

import (
	"fmt"

	"sml/evaluation/calibrate"
	"sml/internal/onnx"
	"sml/models/distribution"
)

// chooseCalibration sets the calibration that the file includes.
func (w *writer) chooseCalibration() error {
	if w.Raw || w.Network {
		return nil
	}
	c := w.model.Calibration
	switch {
	case c == nil:
		return nil
	case c.By != "":
		return fmt.Errorf("the model is calibrated by the values of %s, which a file cannot be: export it without its calibration", c.By)
	case c.Levels == nil:
		if err := c.CheckCoverage(w.Coverage); err != nil {
			return err
		}
	}
	w.calibration = c
	return nil
}

// shifted returns quantiles with the calibration's shifts added.
func (w *writer) shiftQuantiles(p prediction) prediction {
	if w.calibration == nil || p.family.Levels == nil {
		return p
	}
	shifted := p
	shifted.parameters = w.sortValues(p.parameters) // a level's shift is of the quantile in its place
	for i, q := range shifted.parameters {
		shifted.parameters[i] = w.Add(q, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Shifts[i] }))
	}
	return shifted
}

// fitted returns a number that the calibration learned for each target, [1, targets].
func (w *writer) fitNumbers(of func(calibrate.TargetFit) float64) onnx.Value {
	var values []float64
	for _, f := range w.calibration.Groups[0].Targets {
		values = append(values, of(f))
	}
	return w.Numbers(onnx.Double, []int{1, len(values)}, values...)
}

// sorted returns values in ascending order, element by element.
func (w *writer) sortValues(values []onnx.Value) []onnx.Value {
	var parts []onnx.Value
	for _, v := range values {
		parts = append(parts, w.Unsqueeze(v, 2))
	}
	together := w.Sorted(w.Concat(2, parts...), len(values))
	sorted := make([]onnx.Value, len(values))
	for i := range values {
		sorted[i] = w.Squeeze(w.Slice(together, 2, i, i+1), 2)
	}
	return sorted
}

// calibrated returns values of a distribution, as Calibration.Apply changes its standard
// deviation.
func (w *writer) calibrateValues(v values) values {
	if w.calibration == nil || w.calibration.Levels != nil || v.std.Name == "" {
		return v
	}
	std := w.Binary("Max", v.std, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Floor }))
	std = w.Mul(std, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Scale }))
	out := v
	out.std, out.quantiles = std, nil
	kind, err := calibrate.Lookup(w.calibration.Kind)
	if err != nil {
		w.Fail(err)
		return v
	}
	for i, q := range v.quantiles {
		var away onnx.Value // from the mean, in standard deviations
		switch {
		case kind.Shape != nil:
			away = w.fitNumbers(func(f calibrate.TargetFit) float64 { return kind.Shape(f).Quantile(v.levels[i]) })
		case v.normal:
			away = w.Number(onnx.Double, distribution.NewNormal(0, 1).Quantile(v.levels[i]))
		default:
			away = w.ratio(w.Sub(q, v.mean), v.std)
		}
		out.quantiles = append(out.quantiles, w.Add(v.mean, w.Mul(away, std)))
	}
	if kind.Shape != nil {
		out.midpoints = onnx.Value{}
	}
	return out
}

// ratio returns part/whole, 0 if whole is 0.
func (w *writer) ratio(part, whole onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	return w.Where(w.Compare("Equal", whole, zero), zero, w.Div(part, whole))
}
