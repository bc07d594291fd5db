package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/evaluation/export/onnx"
	"sml/graph"
	"sml/models/distribution"
)

// values has values of a predicted distribution, [rows, targets] each. A value that the
// family does not have has no name.
type values struct {
	mean, std onnx.Value
	levels    []float64    // quantile levels: the levels of the file's outputs, then of the median and of the interval's two ends
	quantiles []onnx.Value // quantiles at levels
	normal    bool         // whether the distribution is normal

	// midpoints has the quantiles at distribution.MidpointLevels, in standard deviations from the mean:
	// [rows, targets, 200]. It has no name if no target has a transform, or if the quantiles are
	// those of N(0, 1), or if the distribution is a mixture and all transforms are smooth.
	midpoints onnx.Value

	mixture []weightedNormal // components of a mixture of normal distributions; nil for other distributions
}

// weightedNormal is a component of a mixture of normal distributions, [rows, targets] each. The weights add up to 1.
type weightedNormal struct{ weight, mean, std onnx.Value }

// mixtureComponents returns the components of a predicted mixture of normal distributions, and nil for other predictions.
func (w *writer) mixtureComponents(p prediction) []weightedNormal {
	if p.Family.Name != distribution.NormalMixture(1).Name {
		return nil
	}
	n := len(p.parameters) / 3 // log weights, then means, then standard deviations
	components := make([]weightedNormal, n)
	var total onnx.Value
	for k := range components {
		components[k] = weightedNormal{w.Unary("Exp", p.parameters[k]), p.parameters[n+k], p.parameters[2*n+k]}
		if k == 0 {
			total = components[k].weight
		} else {
			total = w.Add(total, components[k].weight)
		}
	}
	for k := range components {
		components[k].weight = w.Div(components[k].weight, total)
	}
	return components
}

// distributionValues returns the mean, the standard deviation and the quantiles of a prediction,
// standardised.
func (w *writer) distributionValues(p prediction, converter *experiment.Converter) (values, error) {
	v := values{levels: converter.Levels, normal: p.Family.Name == distribution.Normal.Name}
	if w.hasTransforms() {
		v.mixture = w.mixtureComponents(p)
	}
	levels := v.levels // levels to compute: v.levels and, if midpoints are needed, their levels
	if p.Family.HasStd {
		upperLevel := float64((1 + converter.Coverage) / 2)
		v.levels = slices.Concat(converter.Levels, []float64{0.5, 1 - upperLevel, upperLevel})
		levels = v.levels
		if w.hasTransforms() && !v.normal && !(v.mixture != nil && w.hasSmoothTransforms()) {
			levels = slices.Concat(v.levels, distribution.MidpointLevels())
		}
	}
	results, err := w.writeFormula("distribution", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		d := p.Family.Nodes(b, f.inputList(i, "parameter", p.parameters))
		nodes := []*graph.Node{d.Mean(), d.Std()}
		if len(levels) == 0 {
			return nodes
		}
		quantiles := d.Quantiles(levels)
		if quantiles == nil {
			b.Fail(fmt.Errorf("the quantiles of family %s cannot be computed by a graph", p.Family.Name))
		}
		return append(nodes, quantiles...)
	})
	if err != nil {
		return v, err
	}
	v.mean = results[0]
	v.std = results[1]
	quantiles := results[2:]
	v.quantiles = quantiles[:len(v.levels)]
	midpoints := quantiles[len(v.levels):]
	if len(midpoints) > 0 {
		v.midpoints = w.standardise(midpoints, v)
	}
	return v, nil
}

// standardise returns quantiles in standard deviations from the mean, along a third axis: [rows,
// targets, quantiles]. If the standard deviation is 0, they are the quantiles of N(0, 1).
func (w *writer) standardise(quantiles []onnx.Value, v values) onnx.Value {
	var columns []onnx.Value
	for _, q := range quantiles {
		columns = append(columns, w.Unsqueeze(q, 2))
	}
	std := w.Unsqueeze(v.std, 2)
	z := w.Div(w.Sub(w.Concat(2, columns...), w.Unsqueeze(v.mean, 2)), std)
	return w.Where(w.Compare("Equal", std, w.Number(onnx.Double, 0)), w.normalMidpoints(), z)
}

// normalMidpoints returns the quantiles of N(0, 1) at distribution.MidpointLevels, [1, 200].
func (w *writer) normalMidpoints() onnx.Value {
	normal := distribution.NewNormal(0, 1)
	var z []float64
	for _, level := range distribution.MidpointLevels() {
		z = append(z, normal.Quantile(level))
	}
	return w.Numbers(onnx.Double, []int{1, len(z)}, z...)
}

// normalNodes returns numbers that represent N(0, 1), and their weights, [1, 200] each: distribution.NormalNodes for a
// smooth transform, and otherwise the quantiles at distribution.MidpointLevels.
func (w *writer) normalNodes(isSmooth bool) (z, weights onnx.Value) {
	if !isSmooth {
		return w.normalMidpoints(), w.equalWeights()
	}
	nodes, weightOf := distribution.NormalNodes()
	return w.Numbers(onnx.Double, []int{1, len(nodes)}, nodes...), w.Numbers(onnx.Double, []int{1, len(nodes)}, weightOf...)
}

// equalWeights returns the weights of the quantiles at distribution.MidpointLevels, [1, 200].
func (w *writer) equalWeights() onnx.Value {
	n := len(distribution.MidpointLevels())
	return w.Numbers(onnx.Double, []int{1, n}, slices.Repeat([]float64{1 / float64(n)}, n)...)
}

// declarePrediction declares the values of a prediction, in the unit of each target, as outputs of
// the file.
func (w *writer) declarePrediction(p prediction) error {
	if p.Family.Classes > 0 {
		return w.declareClasses(p)
	}
	converter, err := w.model.NewConverter(experiment.Outputs{Coverage: w.requestedCoverage})
	if err != nil {
		return err
	}
	p = w.moveQuantiles(p)
	v, err := w.distributionValues(p, converter)
	if err != nil {
		return err
	}
	components := w.componentFractions(p, v.std)
	if w.Masks == masksNone && w.method.UsesSubNetworks() && !w.isAnalytic() {
		v = values{mean: v.mean} // all other values need sub-networks, and so does a calibrated mean
	}
	v = w.calibrateValues(v)
	for target := range w.model.Targets {
		w.declareTarget(target, v, components, converter)
	}
	for _, pair := range converter.Pairs { // p.correlations has the correlations of all targets with each target
		correlation := w.targetValues(p.correlations[pair.First], pair.Second)
		w.outputs = append(w.outputs, output{pair.Name, correlation, "correlation of the targets' normal scores"})
	}
	return nil
}

// componentFractions returns the components divided by the standard deviation. Calibrations and
// transforms change the standard deviation, and its components keep their fractions.
func (w *writer) componentFractions(p prediction, std onnx.Value) []component {
	if std.Name == "" {
		return nil
	}
	var fractions []component
	for i, name := range p.Components {
		fractions = append(fractions, component{name: name, fraction: w.ratio(p.stds[i], std)})
	}
	return fractions
}

// declareClasses declares the calibrated probability of each class and the number of the most
// probable class as outputs of the file. The distribution parameters are log probabilities, whose
// exponentials add up to 1 until a calibration scales them.
func (w *writer) declareClasses(p prediction) error {
	converter, err := w.model.NewConverter(experiment.Outputs{})
	if err != nil {
		return err
	}
	powers := w.classPowers(p.parameters)
	sum := powers[0]
	for _, power := range powers[1:] {
		sum = w.Add(sum, power)
	}
	for target := range w.model.Targets {
		for class, power := range powers {
			probability := power
			if w.calibration != nil {
				probability = w.Div(power, sum)
			}
			description := "probability of the class " + w.model.Label(target, class)
			w.declareOutput(target, converter.ProbabilityName(class), w.targetValues(probability, target), description)
		}
		w.declareOutput(target, "class", w.mostProbableClass(powers, target), "number of the most probable class, from 0")
	}
	return nil
}

// classPowers returns p^(1/T) of each class from log probabilities, with the temperature T of the
// calibration, 1 if there is none. With a calibration they do not add up to 1.
func (w *writer) classPowers(logProbabilities []onnx.Value) []onnx.Value {
	logs := logProbabilities
	var noMean onnx.Value // classes have none
	if w.calibration != nil {
		logs = nil
		for _, logP := range logProbabilities {
			temperature := w.fitNumbers(noMean, func(f calibrate.TargetFit) float64 { return f.Temperature })
			logs = append(logs, w.Div(logP, temperature))
		}
	}
	powers := make([]onnx.Value, len(logs))
	for i, logP := range logs {
		powers[i] = w.Unary("Exp", logP)
	}
	return powers
}

// mostProbableClass returns the number of the class of a target with the largest probability, the
// first of equally probable ones.
func (w *writer) mostProbableClass(values []onnx.Value, target int) onnx.Value {
	best := w.targetValues(values[0], target)
	class := w.Scale(best, 0) // zeros, [rows]: the first class
	for i, v := range values[1:] {
		v = w.targetValues(v, target)
		isLarger := w.Compare("Greater", v, best)
		thisClass := w.AddNumber(w.Scale(v, 0), float64(i+1)) // the class number in the shape [rows]
		class = w.Where(isLarger, thisClass, class)
		best = w.Binary("Max", v, best)
	}
	return class
}

// targetValues returns the values of one target, [rows], from the values of all targets, [rows, targets].
func (w *writer) targetValues(v onnx.Value, target int) onnx.Value {
	return w.Squeeze(w.Slice(v, 1, target, target+1), 1)
}

// declareTarget declares the values of one target as outputs of the file.
func (w *writer) declareTarget(target int, v values, components []component, converter *experiment.Converter) {
	scaler := w.model.Targets[target]
	through := w.transformFor(target)
	unscale := func(v onnx.Value) onnx.Value { // undoes the standardisation, but not the transform
		return w.AddNumber(w.Scale(w.targetValues(v, target), scaler.Std), scaler.Mean)
	}
	var quantiles []onnx.Value
	for _, q := range v.quantiles {
		quantiles = append(quantiles, through.clip(through.invert(unscale(q))))
	}
	for i, q := range quantiles[:min(len(converter.Levels), len(quantiles))] {
		name := "q" + strconv.FormatFloat(converter.Levels[i], 'g', -1, 64)
		w.declareOutput(target, name, q, "quantile")
	}
	if v.std.Name == "" {
		w.declareOutput(target, "mean", through.clip(through.invert(unscale(v.mean))), "in the target's unit")
		return
	}
	mean, std := w.targetMoments(target, v, through)
	w.declareOutput(target, "mean", through.clip(mean), "in the target's unit")
	levels := len(converter.Levels)
	median, lower, upper := levels, levels+1, levels+2 // indices of the median and of the interval's ends
	w.declareOutput(target, "median", quantiles[median], "in the target's unit")
	w.declareOutput(target, "std", std, "standard deviation")
	for _, c := range components {
		w.declareOutput(target, c.name, w.Mul(w.targetValues(c.fraction, target), std), "part of the standard deviation")
	}
	description := fmt.Sprintf("of the interval of %.6g", converter.Coverage)
	w.declareOutput(target, "lower", quantiles[lower], description)
	w.declareOutput(target, "upper", quantiles[upper], description)
}

// targetMoments returns the mean and the standard deviation of a target in its own unit, [rows] each.
func (w *writer) targetMoments(target int, v values, through *transform) (mean, std onnx.Value) {
	scaler := w.model.Targets[target]
	moments := func(mean, std, z, weights onnx.Value) (targetMean, targetStd onnx.Value) {
		mean = w.AddNumber(w.Scale(w.targetValues(mean, target), scaler.Std), scaler.Mean)
		return through.moments(mean, w.Scale(w.targetValues(std, target), scaler.Std), z, weights)
	}
	if v.midpoints.Name != "" && (v.mixture == nil || !through.IsSmooth()) {
		return moments(v.mean, v.std, w.targetValues(v.midpoints, target), w.equalWeights())
	}
	z, weights := w.normalNodes(through.IsSmooth())
	if v.mixture == nil || through.Name == "" {
		return moments(v.mean, v.std, z, weights)
	}
	components := make([]weightedNormal, len(v.mixture))
	for k, c := range v.mixture {
		components[k].weight = w.targetValues(c.weight, target)
		components[k].mean, components[k].std = moments(c.mean, c.std, z, weights)
	}
	return w.mixtureMoments(components)
}

// mixtureMoments returns the mean and the standard deviation of a mixture, √(Σ w (s² + (m − mean)²)). Numbers are divided
// by the largest, so that their squares do not overflow.
func (w *writer) mixtureMoments(components []weightedNormal) (mean, std onnx.Value) {
	zero := w.Number(onnx.Double, 0)
	mean = zero
	unit := zero
	for _, c := range components {
		mean = w.Add(mean, w.Mul(c.weight, c.mean))
		unit = w.Binary("Max", unit, w.Binary("Max", w.Unary("Abs", c.mean), c.std))
	}
	unit = w.Where(w.Compare("Equal", unit, zero), w.Number(onnx.Double, 1), unit)
	variance := zero
	for _, c := range components {
		deviation := w.Sub(w.Div(c.mean, unit), w.Div(mean, unit))
		scaledStd := w.Div(c.std, unit)
		square := w.Add(w.Mul(scaledStd, scaledStd), w.Mul(deviation, deviation))
		variance = w.Add(variance, w.Mul(c.weight, square))
	}
	return mean, w.Mul(w.Unary("Sqrt", variance), unit)
}

// output is an output of the file with predicted values, [rows].
type output struct {
	name        string
	value       onnx.Value
	description string
}

// declareOutput adds v, a value of a target, to the outputs of the file. The target's name precedes the
// output's if there are several targets, or if the file already has the output's name.
func (w *writer) declareOutput(target int, name string, v onnx.Value, description string) {
	if len(w.model.Targets) > 1 || w.HasName(name) {
		name = w.model.Targets[target].Name + "_" + name
	}
	w.outputs = append(w.outputs, output{name: name, value: v, description: description})
}

// writeOutputs writes the outputs of the file. x has the networks' inputs, [rows, inputs]. All outputs of a row are
// NaN if one of them or an input is not finite, since a file cannot return an error for the row. This is decided
// here because operators of ONNX, such as Relu and Max, need not return NaN for NaN.
func (w *writer) writeOutputs(x onnx.Value) {
	inputs := len(w.model.Inputs)
	finiteInputs := w.Sum(w.Cast(w.isFinite(x), onnx.Int64), 1, false) // number for each row
	isValid := w.Compare("Equal", finiteInputs, w.Number(onnx.Int64, float64(inputs)))
	for _, o := range w.outputs {
		isValid = w.Compare("And", isValid, w.isFinite(o.value))
	}
	nan := w.Number(onnx.Double, math.NaN())
	for _, o := range w.outputs {
		w.Output(o.name, w.Where(isValid, o.value, nan), o.description, rowDims()...)
	}
}

// isFinite returns for each element of v, of type Float or Double, whether it is a finite number.
func (w *writer) isFinite(v onnx.Value) onnx.Value {
	largest := math.MaxFloat64
	if v.Type == onnx.Float {
		largest = math.MaxFloat32
	}
	return w.Compare("LessOrEqual", w.Unary("Abs", v), w.Number(v.Type, largest)) // false for NaN
}
