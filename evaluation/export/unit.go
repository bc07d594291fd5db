package export

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"sml/evaluation/measure"
	"sml/internal/onnx"
)

// inUnits names the prediction's values in the unit of each target: evaluation.InUnit and
// evaluation.Quantile as operations of the file.
func (w *writer) inUnits(p prediction) error {
	levels, err := w.model.Levels()
	if err != nil {
		return err
	}
	pair, ok, err := w.pair(levels)
	if err != nil {
		return err
	}
	for t, c := range w.model.Targets {
		of := func(v onnx.Value) onnx.Value { // [rows]
			return w.Squeeze(w.Slice(v, 1, t, t+1), 1)
		}
		through := &transform{writer: w}
		if p := w.model.Preparation; p != nil && p.Targets != nil {
			through.Transform = p.Targets[t]
		}
		back := func(v onnx.Value) onnx.Value { return w.Plus(w.By(of(v), c.Std), c.Mean) }
		mean := back(p.mean)
		if p.std.Name == "" {
			w.declareOutput(t, "mean", through.invert(mean), "in the target's unit")
		}
		var quantiles []onnx.Value
		for i, q := range p.quantiles {
			quantiles = append(quantiles, through.invert(back(q)))
			w.declareOutput(t, "q"+strconv.FormatFloat(levels[i], 'g', -1, 64), quantiles[i], "quantile")
		}
		for i, q := range p.probabilities {
			w.declareOutput(t, "p"+strconv.Itoa(i), of(q), "probability of a class")
		}
		if ok {
			w.giveInterval(t, quantiles[pair[0]], quantiles[pair[1]], levels[pair[1]]-levels[pair[0]])
		}
		if p.std.Name == "" {
			continue
		}
		std := w.By(of(p.std), c.Std)
		shape, above := w.shape(t), float64((1+w.Coverage)/2)
		limit := func(level float64) onnx.Value {
			return through.invert(w.Add(mean, w.By(std, shape.Quantile(level))))
		}
		low, high := limit(1-above), limit(above)
		mean, std = through.moments(mean, std)
		w.declareOutput(t, "mean", mean, "in the target's unit")
		w.declareOutput(t, "std", std, "standard deviation")
		if p.drop.Name != "" {
			w.declareOutput(t, "std_drop", w.componentInUnit(of(p.drop), of(p.std), std), "spread of the sub-networks")
		}
		if p.shift.Name != "" {
			w.declareOutput(t, "offset", w.componentInUnit(of(p.shift), of(p.std), std), "of the sub-networks' mean from the full network")
		}
		if levels == nil { // a method that predicts quantiles has no other interval
			w.giveInterval(t, low, high, w.Coverage)
		}
	}
	return nil
}

func (w *writer) giveInterval(t int, low, high onnx.Value, coverage float64) {
	says := fmt.Sprintf("of the interval of %.6g", coverage)
	w.declareOutput(t, "lower", low, says)
	w.declareOutput(t, "upper", high, says)
}

// pair are the places of the quantiles that the interval is between, if there are any.
func (w *writer) pair(levels []float64) (pair [2]int, ok bool, err error) {
	if levels == nil {
		return pair, false, nil
	}
	if w.asked == 0 {
		pair, ok = measure.CentralPair(levels)
		return pair, ok, nil
	}
	for i, level := range []float64{(1 - w.asked) / 2, (1 + w.asked) / 2} {
		pair[i] = slices.IndexFunc(levels, func(l float64) bool { return math.Abs(l-level) < 1e-9 })
		if pair[i] < 0 {
			return pair, false, fmt.Errorf("an interval of %v: the quantiles of method %s are at %v, and none of them at %.6g", w.asked, w.method.Name, levels, level)
		}
	}
	return pair, true, nil
}

// declareOutput declares v, a value of a target, as an output of the file. The target's name stands before
// the output's if there are several targets, or if the file already has the output's name.
func (w *writer) declareOutput(target int, name string, v onnx.Value, says string) {
	if of := w.model.Targets[target].Name; len(w.model.Targets) > 1 || w.Taken(name) {
		name = of + "_" + name
	}
	w.Output(name, v, says, rowDims()...)
}
