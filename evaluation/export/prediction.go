package export

import (
	"errors"
	"fmt"
	"slices"

	"sml/graph"
	"sml/internal/onnx"
	"sml/models"
	"sml/models/distribution"
)

// prediction is models.PredictionNodes as values of the file, [rows, targets] each.
type prediction struct {
	family     distribution.Family
	parameters []onnx.Value
	components []component
}

// component is a part of the standard deviation.
type component struct {
	name string
	std  onnx.Value
}

// formula builds a graph of double precision for each of onnx.Rows, whose inputs are
// values of the file.
type formula struct {
	*writer
	builders [2]*graph.Builder
	inputs   map[string]onnx.Value
	nodes    [2][]*graph.Node
}

// newFormula calls build for each number of rows; build returns nodes and declares their
// inputs by formula.input.
func (w *writer) newFormula(what string, build func(f *formula, i int, b *graph.Builder) []*graph.Node) (f *formula, err error) {
	f = &formula{writer: w, inputs: make(map[string]onnx.Value)}
	defer graph.Recover(&err, fmt.Sprintf("the %s of method %s", what, w.method.Name))
	for i := range onnx.Rows {
		f.builders[i] = graph.New(graph.Float64, new(graph.Params))
		f.nodes[i] = build(f, i, f.builders[i])
		if err := f.builders[i].Err(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// input is a node that a value stands for, [rows, targets].
func (f *formula) input(i int, name string, v onnx.Value) *graph.Node {
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

// put writes the nodes into the file. A nil node has no value.
func (f *formula) write() ([]onnx.Value, error) {
	t := f.translation(f.inputs)
	values := make([]onnx.Value, len(f.nodes[0]))
	for k := range values {
		if f.nodes[0][k] == nil {
			continue
		}
		var err error
		if values[k], err = t.Put(onnx.Twin{f.nodes[0][k], f.nodes[1][k]}); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// predictionOf returns values, parameters and then components, as a prediction like nodes.
func newPrediction(nodes models.PredictionNodes, values []onnx.Value) prediction {
	n := len(nodes.Parameters)
	p := prediction{family: nodes.Family, parameters: values[:n]}
	for i, c := range nodes.Components {
		p.components = append(p.components, component{c.Name, values[n+i]})
	}
	return p
}

// listOf returns the nodes of a prediction, parameters and then components.
func predictionNodes(p models.PredictionNodes) []*graph.Node {
	nodes := slices.Clone(p.Parameters)
	for _, c := range p.Components {
		nodes = append(nodes, c.Std)
	}
	return nodes
}

// parts are the outputs that belong to a target, one by one, in double precision: along
// the last axis of x there are the first of all targets, then the second.
func (w *writer) splitOutputs(x onnx.Value, axis int) []onnx.Value {
	x = w.Cast(x, onnx.Double)
	targets := w.model.Architecture.Targets
	var parts []onnx.Value
	for o := range w.model.Architecture.OutputsPerTarget() {
		parts = append(parts, w.Slice(x, axis, o*targets, (o+1)*targets))
	}
	return parts
}

// prediction returns the model's prediction from the outputs of all members' networks.
func (w *writer) combinedPrediction(said []memberOutputs) (prediction, error) {
	members := make([]prediction, len(said))
	for k, s := range said {
		var err error
		if members[k], err = w.memberPrediction(s, w.model.StoredOf(k)); err != nil {
			return prediction{}, err
		}
	}
	if len(members) == 1 {
		return members[0], nil
	}
	var combined models.PredictionNodes
	f, err := w.newFormula("combiner", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		nodes := make([]models.PredictionNodes, len(members))
		for k, m := range members {
			nodes[k] = models.PredictionNodes{Family: m.family, Parameters: f.inputList(i, fmt.Sprint("parameters of member ", k), m.parameters)}
			for _, c := range m.components {
				input := f.input(i, fmt.Sprintf("%s of member %d", c.name, k), c.std)
				nodes[k].Components = append(nodes[k].Components, models.Component{Name: c.name, Std: input})
			}
		}
		combined = w.method.Combine(b, nodes)
		return predictionNodes(combined)
	})
	if err != nil {
		return prediction{}, err
	}
	values, err := f.write()
	if err != nil {
		return prediction{}, err
	}
	return newPrediction(combined, values), nil
}

// predicted returns the prediction of one member, which has these stored matrices.
func (w *writer) memberPrediction(s memberOutputs, stored []models.Matrix) (prediction, error) {
	p := &predictor{writer: w, outputs: s, stored: stored, full: w.splitOutputs(s.full, 1)}
	if w.method.Stochastic {
		p.mean, p.std, p.draws = w.drawMoments(s)
	}
	var nodes models.PredictionNodes
	f, err := w.newFormula("predictor", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		nodes = w.method.Predict(b, p.methodInputs(f, i, b))
		return predictionNodes(nodes)
	})
	if err != nil {
		return prediction{}, err
	}
	if err := p.writeDrawMeans(f); err != nil {
		return prediction{}, err
	}
	values, err := f.write()
	if err != nil {
		return prediction{}, err
	}
	return newPrediction(nodes, values), nil
}

// predictor writes the method's predictor for one member.
type predictor struct {
	*writer
	outputs memberOutputs
	stored  []models.Matrix

	full, mean, std, draws []onnx.Value // output by output; only full without sub-networks

	overDraws [2]graph.Nodes // arguments of Moments.OverDraws, for each of onnx.Rows
}

// moments returns the inputs of the method's predictor as nodes of a formula.
func (p *predictor) methodInputs(f *formula, i int, b *graph.Builder) models.Moments {
	m := models.Moments{
		Hyperparameters: p.model.Hyperparameters,
		Full:            f.inputList(i, "full", p.full),
		Mean:            f.inputList(i, "mean", p.mean),
		Std:             f.inputList(i, "std", p.std),
	}
	m.TargetMean, m.TargetStd = p.targetScalers(b)
	m.Layer = func(name string) *graph.Node { return f.layer(i, p.outputs, name) }
	m.Stored = func(name string) *graph.Node { return storedConstant(b, p.stored, name) }
	if !p.method.Draws {
		return m
	}
	outputs := f.inputList(i, "draw", p.draws)
	m.OverDraws = func(of func([]*graph.Node) *graph.Node) *graph.Node {
		call := len(p.overDraws[i])
		p.overDraws[i] = append(p.overDraws[i], of(outputs))
		return b.Input(overDrawsInput(call), onnx.Rows[i], p.model.Architecture.Targets)
	}
	m.EachDraw = func(func([]*graph.Node) *graph.Node) []*graph.Node {
		b.Fail(errors.New("an exported model does not keep the draws of its sub-networks (Moments.EachDraw)"))
		return m.Full
	}
	return m
}

// overDrawsInput names the input of a formula that stands for a call of Moments.OverDraws.
func overDrawsInput(call int) string { return fmt.Sprint("over draws ", call) }

// putOverDraws writes the means over the draws that the predictor asked for.
func (p *predictor) writeDrawMeans(f *formula) error {
	t := f.translation(f.inputs)
	t.Elements = true
	for call := range p.overDraws[0] {
		v, err := t.Put(onnx.Twin{p.overDraws[0][call], p.overDraws[1][call]})
		if err != nil {
			return err
		}
		f.inputs[overDrawsInput(call)] = p.Mean(v, 0, false)
	}
	return nil
}

// layer is a node that the output of a hidden layer stands for, [rows, units].
func (f *formula) layer(i int, s memberOutputs, name string) *graph.Node {
	b := f.builders[i]
	v, units, err := s.layer(name)
	if err != nil {
		b.Fail(err)
		return b.Const(0)
	}
	input := "layer " + name
	if n := graph.Inspect(b).Input(input); n != nil {
		return n
	}
	f.inputs[input] = f.Cast(v, onnx.Double)
	return b.Input(input, onnx.Rows[i], units)
}

// storedConstant returns a stored matrix as a constant.
func storedConstant(b *graph.Builder, stored []models.Matrix, name string) *graph.Node {
	for _, m := range stored {
		if m.Name != name {
			continue
		}
		values := make([]float64, len(m.Values))
		for i, v := range m.Values {
			values[i] = float64(v)
		}
		return b.Constant(m.Rows, m.Columns, values)
	}
	b.Fail(fmt.Errorf("the model stores no matrix %q", name))
	return b.Const(0)
}

// scale returns the scalers of the targets, [1 targets].
func (w *writer) targetScalers(b *graph.Builder) (mean, std *graph.Node) {
	var means, stds []float64
	for _, c := range w.model.Targets {
		means, stds = append(means, c.Mean), append(stds, c.Std)
	}
	return b.Constant(1, len(means), means), b.Constant(1, len(stds), stds)
}

// moments are mean and sample standard deviation of each output over the sub-networks,
// and the outputs of each, [samples, rows, targets].
func (w *writer) drawMoments(s memberOutputs) (mean, std, draws []onnx.Value) {
	if w.Masks == masksNone {
		s.draws = w.Unsqueeze(s.full, 0)
	}
	draws = w.splitOutputs(s.draws, 2)
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
