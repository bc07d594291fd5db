package export

import (
	"fmt"

	"sml/evaluation/calibrate"
	"sml/internal/onnx"
	"sml/models/distribution"
)

// chooseCalibration sets the calibration that the file applies. It returns an error if the model was
// calibrated by the values of a column, which a file cannot do, or on too few rows for the interval.
func (w *writer) chooseCalibration() error {
	if w.Uncalibrated || w.Network {
		return nil
	}
	c := w.model.Calibration
	switch {
	case c == nil:
		return nil
	case c.GroupColumn != "":
		return fmt.Errorf("the model is calibrated by the values of %s, which an ONNX file cannot do; export the model without its calibration", c.GroupColumn)
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

// fitNumbers returns one number of the calibration for each target, [1, targets]. number selects it from
// the fit of a target.
func (w *writer) fitNumbers(number func(calibrate.TargetFit) float64) onnx.Value {
	var values []float64
	for _, fit := range w.calibration.Groups[0].Targets {
		values = append(values, number(fit))
	}
	return w.Numbers(onnx.Double, []int{1, len(values)}, values...)
}

// sortValues sorts several values of the shape [rows, targets] element by element: the first result has
// the smallest number of each element, the second one the next larger, and so on.
func (w *writer) sortValues(values []onnx.Value) []onnx.Value {
	const axis = 2 // a further axis, along which the values are sorted
	var unsorted []onnx.Value
	for _, v := range values {
		unsorted = append(unsorted, w.Unsqueeze(v, axis))
	}
	stacked := w.Sorted(w.Concat(axis, unsorted...), len(values))
	sorted := make([]onnx.Value, len(values))
	for i := range values {
		sorted[i] = w.Squeeze(w.Slice(stacked, axis, i, i+1), axis)
	}
	return sorted
}

// calibrateValues returns the values of a distribution with a calibrated standard deviation, as
// calibrate.Calibration.Apply computes it: raised to a floor and then scaled. Each quantile keeps its
// distance from the mean in standard deviations, unless the calibration has its own distances.
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
		calibrated.midpoints = onnx.Value{} // no name: transformed moments are computed as for a normal distribution
	}
	return calibrated
}

// ratio returns numerator/denominator, and 0 where the denominator is 0.
func (w *writer) ratio(numerator, denominator onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	isZero := w.Compare("Equal", denominator, zero)
	return w.Where(isZero, zero, w.Div(numerator, denominator))
}
