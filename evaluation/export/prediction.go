package export

import (
	"fmt"

	"sml/graph"
	"sml/internal/onnx"
	"sml/models"
)

// prediction is models.PredictionNodes as values of the file, [rows, targets] each.
type prediction struct {
	mean, std, drop, shift   onnx.Value
	quantiles, probabilities []onnx.Value
}

// formula builds a graph of double precision for each of onnx.Rows, whose inputs are
// values of the file.
type formula struct {
	*writer
	builders [2]*graph.Builder
	inputs   map[string]onnx.Value
	nodes    [2]models.PredictionNodes
}

// newFormula builds one; input declares an input that a value stands for.
func (w *writer) newFormula(what string, build func(f *formula, i int, b *graph.Builder) (models.PredictionNodes, error)) (f *formula, err error) {
	f = &formula{writer: w, inputs: make(map[string]onnx.Value)}
	defer graph.Recover(&err, fmt.Sprintf("the %s of method %s", what, w.method.Name))
	for i := range onnx.Rows {
		f.builders[i] = graph.New(graph.Float64, new(graph.Params))
		if f.nodes[i], err = build(f, i, f.builders[i]); err == nil {
			err = f.builders[i].Err()
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// input is a node that a value stands for, [rows, targets].
func (f *formula) input(i int, name string, v onnx.Value) *graph.Node {
	if v.Name == "" {
		return nil
	}
	f.inputs[name] = v
	return f.builders[i].Input(name, onnx.Rows[i], f.model.Architecture.Targets)
}

func (f *formula) inputList(i int, name string, values []onnx.Value) []*graph.Node {
	var nodes []*graph.Node
	for j, v := range values {
		nodes = append(nodes, f.input(i, fmt.Sprint(name, " ", j), v))
	}
	return nodes
}

func (f *formula) translation(inputs map[string]onnx.Value) *onnx.Translation {
	t := &onnx.Translation{Builders: f.builders, Rows: f.rows, Leaf: func(_ graph.Role, name string) (onnx.Value, error) {
		if v, ok := inputs[name]; ok {
			return v, nil
		}
		return onnx.Value{}, fmt.Errorf("nothing fills %q", name)
	}}
	return t.Into(f.Graph)
}

// put puts the prediction into the file.
func (f *formula) put() (p prediction, err error) {
	t := f.translation(f.inputs)
	one := func(of func(models.PredictionNodes) *graph.Node) (v onnx.Value) {
		n := onnx.Twin{of(f.nodes[0]), of(f.nodes[1])}
		if n[0] == nil || err != nil {
			return v
		}
		v, err = t.Put(n)
		return v
	}
	p.mean = one(func(n models.PredictionNodes) *graph.Node { return n.Mean })
	p.std = one(func(n models.PredictionNodes) *graph.Node { return n.Std })
	p.drop = one(func(n models.PredictionNodes) *graph.Node { return n.StdDrop })
	p.shift = one(func(n models.PredictionNodes) *graph.Node { return n.MeanShift })
	for i := range f.nodes[0].Quantiles {
		p.quantiles = append(p.quantiles, one(func(n models.PredictionNodes) *graph.Node { return n.Quantiles[i] }))
	}
	for i := range f.nodes[0].Probabilities {
		p.probabilities = append(p.probabilities, one(func(n models.PredictionNodes) *graph.Node { return n.Probabilities[i] }))
	}
	if err == nil {
		f.complete(&p)
	}
	return p, err
}

// complete does what models does with what a predictor or a combiner returns.
func (w *writer) complete(p *prediction) {
	w.sort(p.quantiles)
	if len(p.probabilities) == 0 {
		return
	}
	for class, q := range p.probabilities {
		if v := w.By(q, float64(class)); class == 0 {
			p.mean = v
		} else {
			p.mean = w.Add(p.mean, v)
		}
	}
	mean, std := w.scale()
	p.mean = w.Div(w.Sub(p.mean, mean), std)
}

// sort puts values into ascending order, element by element.
func (w *writer) sort(values []onnx.Value) {
	if len(values) < 2 {
		return
	}
	var parts []onnx.Value
	for _, v := range values {
		parts = append(parts, w.Unsqueeze(v, 2))
	}
	sorted := w.Sorted(w.Concat(2, parts...), len(values))
	for i := range values {
		values[i] = w.Squeeze(w.Slice(sorted, 2, i, i+1), 2)
	}
}

// scale is that of the targets, [1, targets].
func (w *writer) scale() (mean, std onnx.Value) {
	var means, stds []float64
	for _, c := range w.model.Targets {
		means, stds = append(means, c.Mean), append(stds, c.Std)
	}
	dims := []int{1, len(means)}
	return w.Numbers(onnx.Double, dims, means...), w.Numbers(onnx.Double, dims, stds...)
}

// parts are the outputs that belong to a target, one by one, in double precision: along
// the last axis of x there are the first of all targets, then the second.
func (w *writer) parts(x onnx.Value, axis int) []onnx.Value {
	x = w.Cast(x, onnx.Double)
	targets := w.model.Architecture.Targets
	var parts []onnx.Value
	for o := range w.method.Outputs {
		parts = append(parts, w.Slice(x, axis, o*targets, (o+1)*targets))
	}
	return parts
}

// prediction is what the method makes of what all members say.
func (w *writer) prediction(said []spoken) (prediction, error) {
	members := make([]prediction, len(said))
	for k, s := range said {
		var err error
		if members[k], err = w.predicted(s); err != nil {
			return prediction{}, err
		}
	}
	if len(members) == 1 {
		return w.sampled(members[0]), nil
	}
	f, err := w.newFormula("combiner's graph", func(f *formula, i int, b *graph.Builder) (models.PredictionNodes, error) {
		nodes := make([]models.PredictionNodes, len(members))
		for k, m := range members {
			name := func(what string) string { return fmt.Sprintf("%s of member %d", what, k) }
			nodes[k] = models.PredictionNodes{
				Mean: f.input(i, name("mean"), m.mean), Std: f.input(i, name("std"), m.std),
				StdDrop: f.input(i, name("drop"), m.drop), MeanShift: f.input(i, name("shift"), m.shift),
				Quantiles: f.inputList(i, name("quantiles"), m.quantiles), Probabilities: f.inputList(i, name("probabilities"), m.probabilities),
			}
		}
		return w.method.CombineGraph(b, nodes), nil
	})
	if err != nil {
		return prediction{}, err
	}
	p, err := f.put()
	return w.sampled(p), err
}

// sampled is a prediction without what is said by sub-networks, where there are none.
func (w *writer) sampled(p prediction) prediction {
	if w.Masks == masksNone && w.method.Stochastic {
		return prediction{mean: p.mean}
	}
	return p
}

// predicted is what the method makes of what one member says.
func (w *writer) predicted(s spoken) (p prediction, err error) {
	full := w.parts(s.full, 1)
	var mean, std, draws []onnx.Value
	if w.method.Stochastic {
		mean, std, draws = w.moments(s)
	}
	over := [2]graph.Nodes{} // what the mean over draws is taken of
	f, err := w.newFormula("predictor's graph", func(f *formula, i int, b *graph.Builder) (models.PredictionNodes, error) {
		d := models.MomentNodes{Full: f.inputList(i, "full", full), Mean: f.inputList(i, "mean", mean), Std: f.inputList(i, "std", std)}
		if w.method.Draws {
			outputs := f.inputList(i, "draw", draws)
			d.OverDraws = func(of func([]*graph.Node) *graph.Node) *graph.Node {
				over[i] = append(over[i], of(outputs))
				return b.Input(fmt.Sprint("over draws ", len(over[i])-1), onnx.Rows[i], w.model.Architecture.Targets)
			}
		}
		return w.method.PredictGraph(b, d), nil
	})
	if err != nil {
		return p, err
	}
	t := f.translation(f.inputs)
	t.Elements = true
	for j := range over[0] {
		v, err := t.Put(onnx.Twin{over[0][j], over[1][j]})
		if err != nil {
			return p, err
		}
		f.inputs[fmt.Sprint("over draws ", j)] = w.Mean(v, 0, false)
	}
	return f.put()
}

// moments are mean and sample standard deviation of each output over the sub-networks,
// and the outputs of each, [samples, rows, targets].
func (w *writer) moments(s spoken) (mean, std, draws []onnx.Value) {
	if w.Masks == masksNone {
		s.draws = w.Unsqueeze(s.full, 0)
	}
	draws = w.parts(s.draws, 2)
	n := w.Cast(w.Slice(w.ShapeOf(s.draws), 0, 0, 1), onnx.Double)
	one := w.Number(onnx.Double, 1)
	freedom := w.Binary("Max", w.Sub(n, one), one)
	for _, d := range draws {
		m := w.Mean(d, 0, true)
		off := w.Sub(d, m)
		mean = append(mean, w.Squeeze(m, 0))
		std = append(std, w.Unary("Sqrt", w.Div(w.Sum(w.Mul(off, off), 0, false), freedom)))
	}
	return mean, std, draws
}
