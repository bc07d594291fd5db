package export

import (
	"fmt"
	"math"

	"sml/evaluation/calibrate"
	"sml/evaluation/export/onnx"
	"sml/graph"
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
	case c == nil || c.HasSets(): // sets leave the probabilities as they are
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

// moveQuantiles returns the prediction with its quantiles stretched and shifted by the calibration, if it does so.
func (w *writer) moveQuantiles(p prediction) prediction {
	if w.calibration == nil || p.Family.Levels == nil {
		return p
	}
	shifted := p
	shifted.parameters = w.sortValues(p.parameters) // shifts are fitted to sorted quantiles
	var mean onnx.Value                             // only groups by the predicted mean need it
	if w.calibration.MeanGroups > 0 {
		mean = w.predictedValue("mean", shifted, distribution.Nodes.Mean)
	}
	median := w.predictedValue("median", shifted, func(d distribution.Nodes) *graph.Node { return d.Quantiles([]float64{0.5})[0] })
	stretch := w.fitNumbers(mean, func(f calibrate.TargetFit) float64 { return f.Stretch })
	for i, q := range shifted.parameters {
		shift := w.fitNumbers(mean, func(f calibrate.TargetFit) float64 { return f.Shifts[i] })
		stretched := w.Add(median, w.Mul(w.Sub(q, median), stretch))
		shifted.parameters[i] = w.Add(stretched, shift)
	}
	return shifted
}

// predictedValue returns a value of a prediction, [rows, targets].
func (w *writer) predictedValue(name string, p prediction, of func(distribution.Nodes) *graph.Node) onnx.Value {
	results, err := w.writeFormula(name, func(f *formula, i int, b *graph.Builder) []*graph.Node {
		return []*graph.Node{of(p.Family.Nodes(b, f.inputList(i, "parameter", p.parameters)))}
	})
	if err != nil {
		w.Fail(err)
		return onnx.Value{}
	}
	return results[0]
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

// calibrateValues returns the values of a distribution as calibrate.Calibration.Apply computes them: the shape of
// the calibration is placed at the mean and scaled or, if the calibration has no shape, with a calibrated standard
// deviation, from which each quantile keeps its distance.
func (w *writer) calibrateValues(v values) values {
	if w.calibration == nil || w.calibration.Levels != nil || v.std.Name == "" {
		return v
	}
	kind, _ := calibrate.Lookup(w.calibration.Kind) // experiment.Decode has checked it
	number := func(of func(calibrate.TargetFit) float64) onnx.Value { return w.fitNumbers(v.mean, of) }
	if kind.HasShape() {
		return w.shapedValues(v, kind, number)
	}
	calibrated := v
	calibrated.std = w.Binary("Max", v.std, number(func(f calibrate.TargetFit) float64 { return f.Floor }))
	calibrated.std = w.Mul(calibrated.std, number(func(f calibrate.TargetFit) float64 { return f.Scale }))
	calibrated.quantiles = nil
	for i, q := range v.quantiles {
		distance := w.ratio(w.Sub(q, v.mean), v.std) // from the mean, in standard deviations
		if v.normal {
			distance = w.Number(onnx.Double, distribution.NewNormal(0, 1).Quantile(v.levels[i]))
		}
		calibrated.quantiles = append(calibrated.quantiles, w.Add(v.mean, w.Mul(distance, calibrated.std)))
	}
	calibrated.mixture = w.scaleMixture(v, calibrated.std)
	return calibrated
}

// scaleMixture returns the components of the mixture v, moved and scaled so that the mixture keeps its mean and has the
// standard deviation std. Without spread before, all are normal distributions with the mean and std.
func (w *writer) scaleMixture(v values, std onnx.Value) []weightedNormal {
	var scaled []weightedNormal
	zero := w.Number(onnx.Double, 0)
	for _, c := range v.mixture {
		distance := w.ratio(w.Sub(c.mean, v.mean), v.std)
		width := w.Where(w.Compare("Equal", v.std, zero), w.Number(onnx.Double, 1), w.ratio(c.std, v.std))
		scaled = append(scaled, weightedNormal{
			weight: c.weight,
			mean:   w.Add(v.mean, w.Mul(distance, std)),
			std:    w.Mul(width, std),
		})
	}
	return scaled
}

// shapedValues returns the values of the calibration's shape, placed at the mean of v. number returns a number of the fit
// of each row.
func (w *writer) shapedValues(v values, kind calibrate.Kind, number func(func(calibrate.TargetFit) float64) onnx.Value) values {
	median := number(func(f calibrate.TargetFit) float64 { return f.Median })
	ratio := w.Binary("Max", w.Div(v.std, median), w.Number(onnx.Double, calibrate.SmallestRatio))
	power := number(func(f calibrate.TargetFit) float64 { return f.Power })
	scale := w.Mul(median, w.Binary("Pow", ratio, power))
	ofShape := func(of func(*distribution.Shape) float64) onnx.Value {
		return number(func(f calibrate.TargetFit) float64 { return of(f.Shape(kind)) })
	}
	shaped := values{levels: v.levels}
	shaped.mean = w.Add(v.mean, w.Mul(scale, ofShape((*distribution.Shape).Mean)))
	shaped.std = w.Mul(scale, ofShape((*distribution.Shape).Std))
	for _, level := range v.levels {
		z := ofShape(func(s *distribution.Shape) float64 { return s.Quantile(level) })
		shaped.quantiles = append(shaped.quantiles, w.Add(v.mean, w.Mul(scale, z)))
	}
	if w.hasTransforms() {
		var columns []onnx.Value
		for i := range distribution.MidpointLevels() {
			z := ofShape(func(s *distribution.Shape) float64 { return s.Midpoints()[i] })
			columns = append(columns, w.Unsqueeze(z, 2))
		}
		shaped.midpoints = w.Concat(2, columns...)
	}
	return shaped
}

// ratio returns numerator/denominator, and 0 where the denominator is 0.
func (w *writer) ratio(numerator, denominator onnx.Value) onnx.Value {
	zero := w.Number(onnx.Double, 0)
	isZero := w.Compare("Equal", denominator, zero)
	return w.Where(isZero, zero, w.Div(numerator, denominator))
}
