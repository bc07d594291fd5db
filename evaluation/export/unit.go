package export

import (
	"fmt"
	"slices"
	"strconv"

	"sml/evaluation/calibrate"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/onnx"
	"sml/models/distribution"
)

// values holds values of a predicted distribution, [rows, targets] each. A value that the
// family does not have has no name.
type values struct {
	mean, std onnx.Value
	levels    []float64 // of the quantiles: the named ones and the ends of the interval
	quantiles []onnx.Value
	normal    bool // the family is the normal distribution

	// midpoints has the quantiles at distribution.Midpoints, in standard deviations from the mean:
	// [rows, targets, 200], or no name if they are the quantiles of N(0, 1), or if no target has a
	// transform.
	midpoints onnx.Value
}

// values writes values of a prediction, standardised.
func (w *writer) distributionValues(p prediction, form *experiment.Converter) (values, error) {
	v := values{levels: form.Levels, normal: p.family.Name == distribution.Normal.Name}
	levels := v.levels
	if p.family.HasStd {
		above := float64((1 + form.Coverage) / 2)
		v.levels = slices.Concat(form.Levels, []float64{1 - above, above})
		levels = v.levels
		if w.model.Preparation != nil && w.model.Preparation.Targets != nil && !v.normal {
			levels = slices.Concat(v.levels, distribution.Midpoints())
		}
	}
	f, err := w.newFormula("distribution", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		d := p.family.Nodes(b, f.inputList(i, "parameter", p.parameters))
		nodes := []*graph.Node{d.Mean(), d.Std()}
		if len(levels) == 0 {
			return nodes
		}
		quantiles := d.Quantiles(levels)
		if quantiles == nil {
			b.Fail(fmt.Errorf("distributions of the family %s have no quantiles as a graph", p.family.Name))
		}
		return append(nodes, quantiles...)
	})
	if err != nil {
		return v, err
	}
	all, err := f.write()
	if err != nil {
		return v, err
	}
	v.mean, v.std, v.quantiles = all[0], all[1], all[2:2+len(v.levels)]
	if midpoints := all[2+len(v.levels):]; len(midpoints) > 0 {
		v.midpoints = w.standardise(midpoints, v)
	}
	return v, nil
}

// standardised returns quantiles in standard deviations from the mean, along a third axis. If the
// standard deviation is 0, they are the quantiles of N(0, 1).
func (w *writer) standardise(quantiles []onnx.Value, v values) onnx.Value {
	var columns []onnx.Value
	for _, q := range quantiles {
		columns = append(columns, w.Unsqueeze(q, 2))
	}
	std := w.Unsqueeze(v.std, 2)
	z := w.Div(w.Sub(w.Concat(2, columns...), w.Unsqueeze(v.mean, 2)), std)
	return w.Where(w.Compare("Equal", std, w.Number(onnx.Double, 0)), w.normalMidpoints(), z)
}

// normalMidpoints returns the quantiles of N(0, 1) at distribution.Midpoints, [1, 200].
func (w *writer) normalMidpoints() onnx.Value {
	normal := distribution.NewNormal(0, 1)
	var z []float64
	for _, level := range distribution.Midpoints() {
		z = append(z, normal.Quantile(level))
	}
	return w.Numbers(onnx.Double, []int{1, len(z)}, z...)
}

// declarePrediction names the prediction's values in the unit of each target:
// evaluation.InUnit as operations of the file.
func (w *writer) declarePrediction(p prediction) error {
	if p.family.Classes > 0 {
		return w.declareClasses(p)
	}
	form, err := w.model.NewConverter(experiment.Outputs{Coverage: w.requestedCoverage})
	if err != nil {
		return err
	}
	p = w.shiftQuantiles(p)
	v, err := w.distributionValues(p, form)
	if err != nil {
		return err
	}
	shares := w.componentFractions(p.components, v.std)
	v = w.calibrateValues(v)
	if w.Masks == masksNone && w.method.Stochastic {
		v = values{mean: v.mean} // the rest is of sub-networks
	}
	for t := range w.model.Targets {
		w.declareTarget(t, v, shares, form)
	}
	return nil
}

// shares returns the components of a standard deviation in this unit: calibrations and transforms
// change the standard deviation, and its components keep their shares.
func (w *writer) componentFractions(components []component, std onnx.Value) []component {
	if std.Name == "" {
		return nil
	}
	var shares []component
	for _, c := range components {
		shares = append(shares, component{c.name, w.ratio(c.std, std)})
	}
	return shares
}

// declareClasses names the probabilities of the classes, calibrated, and the number of the
// most probable class.
func (w *writer) declareClasses(p prediction) error {
	form, err := w.model.NewConverter(experiment.Outputs{})
	if err != nil {
		return err
	}
	logs := p.parameters
	if w.calibration != nil {
		logs = nil
		for _, logP := range p.parameters {
			logs = append(logs, w.Div(logP, w.fitNumbers(func(f calibrate.TargetFit) float64 { return f.Temperature })))
		}
	}
	powers := make([]onnx.Value, len(logs))
	for i, logP := range logs {
		powers[i] = w.Unary("Exp", logP)
	}
	sum := powers[0]
	for _, power := range powers[1:] {
		sum = w.Add(sum, power)
	}
	for t := range w.model.Targets {
		for i, power := range powers {
			q := power
			if w.calibration != nil {
				q = w.Div(power, sum)
			}
			w.declareOutput(t, form.ProbabilityName(i), w.targetValues(q, t), "probability of the class "+w.model.Label(t, i))
		}
		w.declareOutput(t, "class", w.mostProbableClass(powers, t), "number of the most probable class, from 0")
	}
	return nil
}

// mostProbable returns the number of the class of a target with the largest value, the first
// of several.
func (w *writer) mostProbableClass(values []onnx.Value, t int) onnx.Value {
	best := w.targetValues(values[0], t)
	class := w.By(best, 0)
	for i, v := range values[1:] {
		v = w.targetValues(v, t)
		larger := w.Compare("Greater", v, best)
		class = w.Where(larger, w.Plus(w.By(v, 0), float64(i+1)), class)
		best = w.Binary("Max", v, best)
	}
	return class
}

// ofTarget returns the values of one target, [rows].
func (w *writer) targetValues(v onnx.Value, t int) onnx.Value {
	return w.Squeeze(w.Slice(v, 1, t, t+1), 1)
}

// declareTarget names the values of one target. shares holds the components of its standard
// deviation.
func (w *writer) declareTarget(t int, v values, shares []component, form *experiment.Converter) {
	c := w.model.Targets[t]
	through := &transform{writer: w}
	if p := w.model.Preparation; p != nil && p.Targets != nil {
		through.Transform = p.Targets[t]
	}
	back := func(v onnx.Value) onnx.Value { return w.Plus(w.By(w.targetValues(v, t), c.Std), c.Mean) }
	var quantiles []onnx.Value
	for _, q := range v.quantiles {
		quantiles = append(quantiles, through.invert(back(q)))
	}
	for i, q := range quantiles[:min(len(form.Levels), len(quantiles))] {
		w.declareOutput(t, "q"+strconv.FormatFloat(form.Levels[i], 'g', -1, 64), q, "quantile")
	}
	mean := back(v.mean)
	if v.std.Name == "" {
		w.declareOutput(t, "mean", through.invert(mean), "in the target's unit")
		return
	}
	z := w.normalMidpoints()
	if v.midpoints.Name != "" {
		z = w.targetValues(v.midpoints, t)
	}
	mean, std := through.moments(mean, w.By(w.targetValues(v.std, t), c.Std), z)
	w.declareOutput(t, "mean", mean, "in the target's unit")
	w.declareOutput(t, "std", std, "standard deviation")
	for _, share := range shares {
		w.declareOutput(t, share.name, w.Mul(w.targetValues(share.std, t), std), "part of the standard deviation")
	}
	says := fmt.Sprintf("of the interval of %.6g", form.Coverage)
	w.declareOutput(t, "lower", quantiles[len(form.Levels)], says)
	w.declareOutput(t, "upper", quantiles[len(form.Levels)+1], says)
}

// declareOutput declares v, a value of a target, as an output of the file. The target's name stands before
// the output's if there are several targets, or if the file already has the output's name.
func (w *writer) declareOutput(target int, name string, v onnx.Value, says string) {
	if of := w.model.Targets[target].Name; len(w.model.Targets) > 1 || w.Taken(name) {
		name = of + "_" + name
	}
	w.Output(name, v, says, rowDims()...)
}
