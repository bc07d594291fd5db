package export

import (
	"fmt"

	"sml/evaluation/calibrate"
	"sml/internal/onnx"
	"sml/models/distribution"
)

// chooseCalibration sets the calibration that the file applies. It returns an error if the model is
// calibrated by groups of rows, which a file cannot do, or on too few rows for the interval.
func (w *writer) chooseCalibration() error {
	if w.Uncalibrated || w.Network {
		return nil
	}
	c := w.model.Calibration
	switch {
	case c == nil:
		return nil
	case c.GroupColumn != "":
		return fmt.Errorf("the model is calibrated by the values of %s, which a file cannot be: export it without its calibration", c.GroupColumn)
	case c.Levels == nil:
		if err := c.CheckCoverage(w.Coverage); err != nil {
			return err
		}
	}
	w.calibration = c
	return nil
}

// shiftQuantiles returns the prediction with the calibration's shifts added to its quantiles, if
// the calibration has any.
func (w *writer) shiftQuantiles(p prediction) prediction {
	if w.calibration == nil || p.family.Levels == nil {
		return p
	}
	shifted := p
	shifted.parameters = w.sortValues(p.parameters) // shifts are fitted to sorted quantiles
	for i, q := range shifted.parameters {
		shift := w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Shifts[i] })
		shifted.parameters[i] = w.Add(q, shift)
	}
	return shifted
}

// fitNumbers returns the number that the calibration fitted to each target, [1, targets]. number
// selects it from the fit of a target.
func (w *writer) fitNumbers(number func(calibrate.TargetFit) float64) onnx.Value {
	var values []float64
	for _, fit := range w.calibration.Groups[0].Targets {
		values = append(values, number(fit))
	}
	return w.Numbers(onnx.Double, []int{1, len(values)}, values...)
}

// sortValues returns the values in ascending order, element by element.
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

// calibrateValues returns the values of a distribution with a calibrated standard deviation, as
// calibrate.Calibration.Apply computes it.
func (w *writer) calibrateValues(v values) values {
	if w.calibration == nil || w.calibration.Levels != nil || v.std.Name == "" {
		return v
	}
	std := w.Binary("Max", v.std, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Floor }))
	std = w.Mul(std, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Scale }))
	calibrated := v
	calibrated.std = std
	calibrated.quantiles = nil
	kind, err := calibrate.Lookup(w.calibration.Kind)
	if err != nil {
		w.Fail(err)
		return v
	}
	for i, q := range v.quantiles {
		var distance onnx.Value // from the mean, in standard deviations
		switch {
		case kind.Shape != nil:
			distance = w.fitNumbers(func(f calibrate.TargetFit) float64 { return kind.Shape(f).Quantile(v.levels[i]) })
		case v.normal:
			distance = w.Number(onnx.Double, distribution.NewNormal(0, 1).Quantile(v.levels[i]))
		default:
			distance = w.ratio(w.Sub(q, v.mean), v.std)
		}
		calibrated.quantiles = append(calibrated.quantiles, w.Add(v.mean, w.Mul(distance, std)))
	}
	if kind.Shape != nil {
		calibrated.midpoints = onnx.Value{} // transformed moments are computed as for a normal distribution
	}
	return calibrated
}

// ratio returns part/whole, 0 if whole is 0.
func (w *writer) ratio(part, whole onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	return w.Where(w.Compare("Equal", whole, zero), zero, w.Div(part, whole))
}
