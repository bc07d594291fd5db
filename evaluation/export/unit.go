package export

import (
	"fmt"
	"slices"
	"strconv"

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
}

// values writes values of a prediction, standardised.
func (w *writer) values(p prediction, form *experiment.Form) (values, error) {
	v := values{components: p.components, levels: form.Levels}
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
		for _, level := range v.levels {
			q := d.Quantile(level)
			if q == nil {
				b.Fail(fmt.Errorf("distributions of the family %s have no quantiles as a graph", p.family.Name))
			}
			nodes = append(nodes, q)
		}
		return nodes
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
		w.declareClasses(p)
		return nil
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

// declareClasses names the probabilities of the classes.
func (w *writer) declareClasses(p prediction) {
	for t := range w.model.Targets {
		for i, logP := range p.parameters {
			w.declareOutput(t, "p"+strconv.Itoa(i), w.Unary("Exp", w.ofTarget(logP, t)), "probability of a class")
		}
	}
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
	matched := through.Name != "" && family.Levels != nil && v.std.Name != "" // moments are computed from quantiles
	if through.Name != "" && !matched && family.Name != distribution.Normal.Name && family.Name != distribution.Point.Name {
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
	var std onnx.Value
	if matched {
		var columns []onnx.Value
		for _, q := range v.quantiles[named+2:] {
			columns = append(columns, w.Unsqueeze(back(q), 1))
		}
		mean, std = through.momentsOf(through.invert(w.Concat(1, columns...)))
	} else {
		mean, std = through.moments(mean, w.By(w.ofTarget(v.std, t), c.Std))
	}
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
