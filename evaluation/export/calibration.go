package export

import (
	"fmt"

	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/onnx"
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

// calibrated is Calibration.Apply of a prediction.
func (w *writer) calibrated(p prediction) prediction {
	if w.calibration == nil {
		return p
	}
	all := w.calibration.Groups[0].Targets
	row := func(of func(calibrate.Fitted) float64) onnx.Value { // [1, targets]
		var values []float64
		for _, f := range all {
			values = append(values, of(f))
		}
		return w.Numbers(onnx.Double, []int{1, len(all)}, values...)
	}
	for i, q := range p.quantiles {
		p.quantiles[i] = w.Add(q, row(func(f calibrate.Fitted) float64 { return f.Shifts[i] }))
	}
	w.sort(p.quantiles)
	if p.std.Name == "" {
		return p
	}
	std := w.Binary("Max", p.std, row(func(f calibrate.Fitted) float64 { return f.Floor }))
	std = w.Mul(std, row(func(f calibrate.Fitted) float64 { return f.Scale }))
	for _, part := range []*onnx.Value{&p.drop, &p.shift} {
		if part.Name != "" {
			*part = w.componentInUnit(*part, p.std, std)
		}
	}
	p.std = std
	return p
}

// shape is how the distribution of a target runs around its prediction.
func (w *writer) shape(target int) measure.Shape {
	if w.calibration == nil {
		return measure.Normal
	}
	kind, err := calibrate.Lookup(w.calibration.Kind)
	if err != nil || kind.Shape == nil {
		return measure.Normal
	}
	return kind.Shape(w.calibration.Groups[0].Targets[target])
}

// componentInUnit returns part, a component of the standard deviation whole, in the unit of in: the
// same standard deviation in another unit. It is in·part/whole, and 0 if whole is 0.
func (w *writer) componentInUnit(part, whole, in onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	return w.Where(w.Compare("Equal", whole, zero), zero, w.Mul(w.Div(part, whole), in))
}
