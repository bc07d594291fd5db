package export

import (
	"fmt"
	"math"

	"sml/evaluation/calibrate"
	"sml/graph"
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
	case c.FoldMembers != nil:
		return fmt.Errorf("the calibration %s combines each row with the members that held it out, which an ONNX file cannot do; export the model without its calibration", c.Kind)
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
	mean, err := w.predictedMean(shifted)
	if err != nil {
		w.Fail(err)
		return p
	}
	for i, q := range shifted.parameters {
		shift := w.fitNumbers(mean, func(f calibrate.TargetFit) float64 { return f.Shifts[i] })
		shifted.parameters[i] = w.Add(q, shift)
	}
	return shifted
}

// predictedMean returns the mean of a prediction, [rows, targets], if the calibration has groups by it, and
// otherwise a value without a name.
func (w *writer) predictedMean(p prediction) (onnx.Value, error) {
	if w.calibration.MeanGroups == 0 {
		return onnx.Value{}, nil
	}
	f, err := w.newFormula("mean", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		return []*graph.Node{p.family.Nodes(b, f.inputList(i, "parameter", p.parameters)).Mean()}
	})
	if err != nil {
		return onnx.Value{}, err
	}
	results, err := f.write()
	if err != nil {
		return onnx.Value{}, err
	}
	return results[0], nil
}

// fitNumbers returns one number of the calibration for each target, [1, targets]. number selects it from
// the fit of a target. If the calibration has groups by the predicted mean, the number is selected from the fit
// of each row's group, [rows, targets], and mean has the predicted means before the calibration.
func (w *writer) fitNumbers(mean onnx.Value, number func(calibrate.TargetFit) float64) onnx.Value {
	edges, numbers := w.fitsByMean(number)
	selected := numbers[0]
	for i, edge := range edges {
		selected = w.Where(w.Compare("Less", mean, edge), selected, numbers[i+1])
	}
	return selected
}

// fitsByMean returns one number of each fit, by the groups of the predicted mean, and the edges between
// these groups, [1, targets] each. number selects it from a fit. The edges of a target with fewer groups than
// another one end with +Inf.
func (w *writer) fitsByMean(number func(calibrate.TargetFit) float64) (edges, numbers []onnx.Value) {
	targets := w.calibration.Groups[0].Targets
	groups := 0
	for _, t := range targets {
		_, fits := t.FitsByMean()
		groups = max(groups, len(fits))
	}
	for g := range groups {
		lowest := make([]float64, len(targets)) // smallest mean of the group
		values := make([]float64, len(targets))
		for i, t := range targets {
			targetEdges, fits := t.FitsByMean()
			lowest[i] = math.Inf(1)
			if g > 0 && g < len(fits) {
				lowest[i] = targetEdges[g-1]
			}
			values[i] = number(fits[min(g, len(fits)-1)])
		}
		numbers = append(numbers, w.Numbers(onnx.Double, []int{1, len(targets)}, values...))
		if g > 0 {
			edges = append(edges, w.Numbers(onnx.Double, []int{1, len(targets)}, lowest...))
		}
	}
	return edges, numbers
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
	std := w.Binary("Max", v.std, w.fitNumbers(v.mean, func(f calibrate.TargetFit) float64 { return f.Floor }))
	std = w.Mul(std, w.fitNumbers(v.mean, func(f calibrate.TargetFit) float64 { return f.Scale }))
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
			distance = w.fitNumbers(v.mean, func(f calibrate.TargetFit) float64 { return kind.Shape(f.Scores).Quantile(v.levels[i]) })
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
