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
	mean, std  onnx.Value
	components []component
	levels     []float64 // of the quantiles: the named ones, the ends of the interval, and distribution.Midpoints for a transform
	quantiles  []onnx.Value
	normal     bool // the family is the normal distribution
}

// values writes values of a prediction, standardised.
func (w *writer) values(p prediction, form *experiment.Form) (values, error) {
	v := values{components: p.components, levels: form.Levels, normal: p.family.Name == distribution.Normal.Name}
	if p.family.HasStd {
		above := float64((1 + form.Coverage) / 2)
		v.levels = slices.Concat(form.Levels, []float64{1 - above, above})
		if w.model.Preparation != nil && w.model.Preparation.Targets != nil && p.family.Levels != nil {
			v.levels = append(v.levels, distribution.Midpoints()...)
		}
	}
	f, err := w.newFormula("distribution", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		d := p.family.Nodes(b, f.inputList(i, "parameter", p.parameters))
		nodes := []*graph.Node{d.Mean(), d.Std()}
		if len(v.levels) == 0 {
			return nodes
		}
		quantiles := d.Quantiles(v.levels)
		if quantiles == nil {
			b.Fail(fmt.Errorf("distributions of the family %s have no quantiles as a graph", p.family.Name))
		}
		return append(nodes, quantiles...)
	})
	if err != nil {
		return v, err
	}
	all, err := f.put()
	if err != nil {
		return v, err
	}
	v.mean, v.std, v.quantiles = all[0], all[1], all[2:]
	return v, nil
}

// declarePrediction names the prediction's values in the unit of each target:
// evaluation.InUnit as operations of the file.
func (w *writer) declarePrediction(p prediction) error {
	if p.family.Classes > 0 {
		return w.declareClasses(p)
	}
	form, err := w.model.NewForm(experiment.Outputs{Coverage: w.asked})
	if err != nil {
		return err
	}
	p = w.shifted(p)
	v, err := w.values(p, form)
	if err != nil {
		return err
	}
	v = w.calibrated(v)
	if w.Masks == masksNone && w.method.Stochastic {
		p.family, v = distribution.Point, values{mean: v.mean} // the rest is of sub-networks
	}
	for t := range w.model.Targets {
		if err := w.declareTarget(t, p.family, v, form); err != nil {
			return err
		}
	}
	return nil
}

// declareClasses names the probabilities of the classes, calibrated, and the number of the
// most probable class.
func (w *writer) declareClasses(p prediction) error {
	form, err := w.model.NewForm(experiment.Outputs{})
	if err != nil {
		return err
	}
	logs := p.parameters
	if w.calibration != nil {
		logs = nil
		for _, logP := range p.parameters {
			logs = append(logs, w.Div(logP, w.fitted(func(f calibrate.Fitted) float64 { return f.Temperature })))
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
			w.declareOutput(t, form.ProbabilityName(i), w.ofTarget(q, t), "probability of the class "+w.model.Label(t, i))
		}
		w.declareOutput(t, "class", w.mostProbable(powers, t), "number of the most probable class, from 0")
	}
	return nil
}

// mostProbable returns the number of the class of a target with the largest value, the first
// of several.
func (w *writer) mostProbable(values []onnx.Value, t int) onnx.Value {
	best := w.ofTarget(values[0], t)
	class := w.By(best, 0)
	for i, v := range values[1:] {
		v = w.ofTarget(v, t)
		larger := w.Compare("Greater", v, best)
		class = w.Where(larger, w.Plus(w.By(v, 0), float64(i+1)), class)
		best = w.Binary("Max", v, best)
	}
	return class
}

// ofTarget returns the values of one target, [rows].
func (w *writer) ofTarget(v onnx.Value, t int) onnx.Value {
	return w.Squeeze(w.Slice(v, 1, t, t+1), 1)
}

// declareTarget names the values of one target.
func (w *writer) declareTarget(t int, family distribution.Family, v values, form *experiment.Form) error {
	c := w.model.Targets[t]
	through := &transform{writer: w}
	if p := w.model.Preparation; p != nil && p.Targets != nil {
		through.Transform = p.Targets[t]
	}
	if through.Name != "" && v.std.Name != "" && family.Levels == nil && family.Name != distribution.Normal.Name {
		return fmt.Errorf("the target %s was transformed by %s, and a distribution of the family %s cannot be exported with a transform", c.Name, through.Name, family.Name)
	}
	back := func(v onnx.Value) onnx.Value { return w.Plus(w.By(w.ofTarget(v, t), c.Std), c.Mean) }
	mean := back(v.mean)
	named := len(form.Levels)
	quantiles := make([]onnx.Value, min(named+2, len(v.quantiles)))
	for i := range quantiles {
		quantiles[i] = through.invert(back(v.quantiles[i]))
	}
	for i, level := range form.Levels[:min(named, len(quantiles))] {
		w.declareOutput(t, "q"+strconv.FormatFloat(level, 'g', -1, 64), quantiles[i], "quantile")
	}
	if v.std.Name == "" {
		w.declareOutput(t, "mean", through.invert(mean), "in the target's unit")
		return nil
	}
	std := w.By(w.ofTarget(v.std, t), c.Std)
	z := through.normalQuantiles()
	if family.Levels != nil && through.Name != "" {
		var columns []onnx.Value
		for _, q := range v.quantiles[named+2:] {
			columns = append(columns, w.Unsqueeze(w.Div(w.Sub(back(q), mean), std), 1))
		}
		z = w.Concat(1, columns...)
	}
	mean, std = through.moments(mean, std, z)
	w.declareOutput(t, "mean", mean, "in the target's unit")
	w.declareOutput(t, "std", std, "standard deviation")
	for _, part := range v.components {
		w.declareOutput(t, part.name, w.componentInUnit(w.ofTarget(part.std, t), w.ofTarget(v.std, t), std), "part of the standard deviation")
	}
	says := fmt.Sprintf("of the interval of %.6g", form.Coverage)
	w.declareOutput(t, "lower", quantiles[named], says)
	w.declareOutput(t, "upper", quantiles[named+1], says)
	return nil
}

// declareOutput declares v, a value of a target, as an output of the file. The target's name stands before
// the output's if there are several targets, or if the file already has the output's name.
func (w *writer) declareOutput(target int, name string, v onnx.Value, says string) {
	if of := w.model.Targets[target].Name; len(w.model.Targets) > 1 || w.Taken(name) {
		name = of + "_" + name
	}
	w.Output(name, v, says, rowDims()...)
}
