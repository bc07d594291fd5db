package export

import (
	"errors"
	"fmt"
	"slices"

	"sml/evaluation/export/onnx"
	"sml/graph"
	"sml/models"
)

// prediction is models.PredictionNodes as values of the file, [rows, targets] each.
type prediction struct {
	models.PredictionForm
	parameters   []onnx.Value // distribution parameters
	stds         []onnx.Value // components of the standard deviation
	correlations []onnx.Value // correlations of all targets with each target; empty if the targets are independent
}

// newPrediction returns a prediction with values in the order of models.PredictionNodes.Values.
func newPrediction(form models.PredictionForm, values []onnx.Value) prediction {
	parameters := len(form.Family.Parameters)
	components := parameters + len(form.Components)
	return prediction{
		PredictionForm: form,
		parameters:     values[:parameters:parameters],
		stds:           values[parameters:components],
		correlations:   values[components:],
	}
}

// values returns all values, in the order of newPrediction.
func (p prediction) values() []onnx.Value { return slices.Concat(p.parameters, p.stds, p.correlations) }

// component is a part of the standard deviation.
type component struct {
	name     string
	fraction onnx.Value // component divided by the standard deviation
}

// formula builds a graph in double precision for both numbers of rows of onnx.RowCounts. Its inputs are
// values of the file.
type formula struct {
	*writer
	builders [2]*graph.Builder
	inputs   map[string]onnx.Value // by the name of the graph's input
	nodes    [2][]*graph.Node      // results
}

// newFormula returns a formula whose two graphs build makes. build gets the index of the number of rows
// in onnx.RowCounts, declares inputs by formula.input and returns the nodes of the results. description
// names the formula in errors.
func (w *writer) newFormula(description string, build func(f *formula, i int, b *graph.Builder) []*graph.Node) (f *formula, err error) {
	f = &formula{writer: w, inputs: make(map[string]onnx.Value)}
	defer graph.Recover(&err, fmt.Sprintf("the %s of method %s", description, w.method.Name))
	for i := range onnx.RowCounts {
		f.builders[i] = graph.New(graph.Float64, nil)
		f.nodes[i] = build(f, i, f.builders[i])
		if err := f.builders[i].Err(); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// writeFormula writes the formula that build makes into the file and returns the values of its results, as
// formula.write does. The arguments are those of newFormula.
func (w *writer) writeFormula(description string, build func(f *formula, i int, b *graph.Builder) []*graph.Node) ([]onnx.Value, error) {
	f, err := w.newFormula(description, build)
	if err != nil {
		return nil, err
	}
	return f.write()
}

// input declares an input of the graph with index i that stands for a value of the file, [rows, targets],
// and returns its node.
func (f *formula) input(i int, name string, v onnx.Value) *graph.Node {
	f.inputs[name] = v
	return f.builders[i].Input(name, onnx.RowCounts[i], f.model.Architecture.Targets)
}

// inputList returns a node for each of several values of the file.
func (f *formula) inputList(i int, name string, values []onnx.Value) []*graph.Node {
	var nodes []*graph.Node
	for j, v := range values {
		nodes = append(nodes, f.input(i, fmt.Sprint(name, " ", j), v))
	}
	return nodes
}

// translation returns a translation of the formula into the file.
func (f *formula) translation() *onnx.Translation {
	t := &onnx.Translation{Builders: f.builders, Rows: f.rows, Leaf: func(_ graph.Role, name string) (onnx.Value, error) {
		if v, ok := f.inputs[name]; ok {
			return v, nil
		}
		return onnx.Value{}, fmt.Errorf("input %q has no value", name)
	}}
	return t.SetGraph(f.Graph)
}

// write writes the formula into the file and returns the values of its results. A nil node has a
// value without a name.
func (f *formula) write() ([]onnx.Value, error) {
	t := f.translation()
	values := make([]onnx.Value, len(f.nodes[0]))
	for k := range values {
		if f.nodes[0][k] == nil {
			continue
		}
		var err error
		if values[k], err = t.Translate(onnx.NodePair{f.nodes[0][k], f.nodes[1][k]}); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// splitOutputs returns the network outputs one by one in double precision, each with a number for
// each target. Along the axis, x has the first output of all targets, then the second, and so on.
func (w *writer) splitOutputs(x onnx.Value, axis int) []onnx.Value {
	x = w.Cast(x, onnx.Double)
	targets := w.model.Architecture.Targets
	var parts []onnx.Value
	for o := range w.model.Architecture.OutputsPerTarget() {
		parts = append(parts, w.Slice(x, axis, o*targets, (o+1)*targets))
	}
	return parts
}

// copyOutputs returns the outputs of each copy of a network, given the outputs of all copies side by side. A value
// without a name is absent.
func (w *writer) copyOutputs(all memberOutputs) []memberOutputs {
	copies := w.model.Architecture.CopyCount()
	if copies == 1 {
		return []memberOutputs{all}
	}
	const (
		outputAxis      = 1 // of [rows, outputs]
		drawsOutputAxis = 2 // of [draws, rows, outputs]
	)
	outputs := w.model.Architecture.Outputs
	list := make([]memberOutputs, copies)
	for i := range list {
		start := i * outputs
		end := start + outputs
		own := all
		own.full = w.Slice(all.full, outputAxis, start, end)
		if all.mean.Name != "" {
			own.mean = w.Slice(all.mean, outputAxis, start, end)
			own.variance = w.Slice(all.variance, outputAxis, start, end)
		}
		if all.draws.Name != "" {
			own.draws = w.Slice(all.draws, drawsOutputAxis, start, end)
		}
		list[i] = own
	}
	return list
}

// combinedPrediction returns the model's prediction from the outputs of all members' networks.
func (w *writer) combinedPrediction(outputs []memberOutputs) (prediction, error) {
	var members []prediction
	for k, output := range outputs {
		for _, own := range w.copyOutputs(output) {
			p, err := w.memberPrediction(own, k)
			if err != nil {
				return prediction{}, err
			}
			members = append(members, p)
		}
	}
	if len(members) == 1 {
		return members[0], nil
	}
	var combined models.PredictionNodes
	values, err := w.writeFormula("combiner", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		nodes := make([]models.PredictionNodes, len(members))
		for k, m := range members {
			nodes[k] = f.memberNodes(i, k, m)
		}
		combined = w.method.Combine(b, nodes)
		return combined.Values(b)
	})
	if err != nil {
		return prediction{}, err
	}
	return newPrediction(combined.Form(), values), nil
}

// memberNodes returns the prediction of a member as inputs of the formula.
func (f *formula) memberNodes(i, member int, p prediction) models.PredictionNodes {
	return p.Nodes(f.builders[i], f.inputList(i, fmt.Sprint("values of member ", member), p.values()))
}

// memberPrediction returns the prediction of a member, or of a copy of its network.
func (w *writer) memberPrediction(outputs memberOutputs, member int) (prediction, error) {
	p := &predictor{writer: w, outputs: outputs, member: member, full: w.splitOutputs(outputs.full, 1)}
	if w.method.UsesSubNetworks() {
		p.mean, p.std, p.draws = w.drawMoments(outputs)
	}
	var nodes models.PredictionNodes
	f, err := w.newFormula("predictor", func(f *formula, i int, b *graph.Builder) []*graph.Node {
		nodes = w.method.Predict(b, p.methodInputs(f, i, b))
		return nodes.Values(b)
	})
	if err != nil {
		return prediction{}, err
	}
	// The means over the draws are inputs of the formula, so they are written before it.
	if err := p.writeDrawMeans(f); err != nil {
		return prediction{}, err
	}
	values, err := f.write()
	if err != nil {
		return prediction{}, err
	}
	return newPrediction(nodes.Form(), values), nil
}

// predictor writes the predictions of one member.
type predictor struct {
	*writer
	outputs memberOutputs
	member  int // index of the member among the model's

	full []onnx.Value // value of each network output in the full network

	// Values of each network output in the sub-networks; nil if the method uses no sub-networks.
	mean  []onnx.Value // mean over the sub-networks
	std   []onnx.Value // sample standard deviation over the sub-networks
	draws []onnx.Value // output of every sub-network, [samples, rows, targets]

	// averaged has the arguments of the calls of Moments.MeanOverDraws in the order of the calls, for each
	// graph of the formula. meanOverDraws fills it while the formula is built; writeDrawMeans reads it.
	averaged [2]graph.Nodes
}

// methodInputs returns the inputs of the method's predictor as nodes of a formula. size is the index in
// onnx.RowCounts of the graph that b builds. The method calls the functions of the result while it builds
// its graph; they declare further inputs of the formula.
func (p *predictor) methodInputs(f *formula, size int, b *graph.Builder) models.Moments {
	m := models.Moments{
		Hyperparameters: p.model.Hyperparameters,
		Full:            f.inputList(size, "full", p.full),
		Mean:            f.inputList(size, "mean", p.mean),
		Std:             f.inputList(size, "std", p.std),
	}
	targets := p.model.Targets
	m.TargetMean = b.Constant(1, len(targets), targets.Means())
	m.TargetStd = b.Constant(1, len(targets), targets.Stds())
	m.Layer = func(name string) *graph.Node { return f.layer(size, p.outputs, name) }
	m.LinearLayers = func(which models.Layers) []models.LinearLayer {
		layers, err := p.model.LinearLayersOf(which, func(name string) *graph.Node { return f.layer(size, p.outputs, name) })
		b.Fail(err)
		return layers
	}
	m.Stored = func(name string) *graph.Node { return storedConstant(b, p.model.MemberMatrices(p.member), name) }
	m.Parameter = func(name string) *graph.Node {
		parameter, err := models.FindParameter(p.model.Members[p.member], name)
		b.Fail(err)
		return matrixConstant(b, parameter)
	}
	if p.method.SubNetworks != models.EachSubNetwork {
		return m
	}
	draw := f.inputList(size, "draw", p.draws) // one node for each network output stands for all draws
	m.MeanOverDraws = func(valueOf func(draw []*graph.Node) *graph.Node) *graph.Node {
		return p.meanOverDraws(b, size, valueOf(draw))
	}
	m.ForEachDraw = func(func([]*graph.Node) *graph.Node) []*graph.Node {
		b.Fail(errors.New("the method uses each draw of its sub-networks (Moments.ForEachDraw), which an exported model cannot do"))
		return m.Full
	}
	return m
}

// meanOverDraws returns a node that stands for the mean of value over the draws. A graph cannot compute this
// mean, because it sees one draw only. Therefore the node is an input without a value, and value waits in
// p.averaged until writeDrawMeans writes the mean into the file and makes it the value of the input.
func (p *predictor) meanOverDraws(b *graph.Builder, size int, value *graph.Node) *graph.Node {
	call := len(p.averaged[size])
	p.averaged[size] = append(p.averaged[size], value)
	return b.Input(overDrawsInput(call), onnx.RowCounts[size], p.model.Architecture.Targets)
}

// overDrawsInput returns the name of the formula's input that stands for the result of a call of
// Moments.MeanOverDraws.
func overDrawsInput(call int) string { return fmt.Sprint("over draws ", call) }

// writeDrawMeans writes the means over the draws that the method asked for by Moments.MeanOverDraws, and
// makes them the values of the inputs that stand for them. It must run before f.write, which needs all
// inputs. It returns an error if an argument of a mean is not computed element by element.
func (p *predictor) writeDrawMeans(f *formula) error {
	const samplesAxis = 0
	t := f.translation()
	t.ElementwiseOnly = true // the values have one more axis than the graph's nodes, the samples
	for call := range p.averaged[0] {
		v, err := t.Translate(onnx.NodePair{p.averaged[0][call], p.averaged[1][call]})
		if err != nil {
			return err
		}
		f.inputs[overDrawsInput(call)] = p.Mean(v, samplesAxis, false)
	}
	return nil
}

// layer returns a node that stands for the output of a hidden layer, [rows, units]. i is the index of the
// graph in onnx.RowCounts. The builder fails if there is no such layer.
func (f *formula) layer(i int, outputs memberOutputs, name string) *graph.Node {
	b := f.builders[i]
	v, units, err := outputs.layer(name)
	if err != nil {
		b.Fail(err)
		return b.Const(0) // any node: the builder has failed
	}
	input := "layer " + name
	if node := graph.Inspect(b).Input(input); node != nil {
		return node // the method asked for the layer before
	}
	f.inputs[input] = f.Cast(v, onnx.Double)
	return b.Input(input, onnx.RowCounts[i], units)
}

// storedConstant returns a stored matrix as a constant. The builder fails if there is no such
// matrix.
func storedConstant(b *graph.Builder, stored []models.Matrix, name string) *graph.Node {
	for _, m := range stored {
		if m.Name == name {
			return matrixConstant(b, m)
		}
	}
	b.Fail(fmt.Errorf("the model has no stored matrix %q", name))
	return b.Const(0)
}

// matrixConstant returns a matrix as a constant.
func matrixConstant(b *graph.Builder, m models.Matrix) *graph.Node {
	values := make([]float64, len(m.Values))
	for i, v := range m.Values {
		values[i] = float64(v)
	}
	return b.Constant(m.Rows, m.Columns, values)
}

// drawMoments returns, for each network output, the mean and the sample standard deviation over the
// sub-networks, [rows, targets], and the draws, [samples, rows, targets]. Without masks the full
// network is the only draw; with analytic moments there are no draws.
func (w *writer) drawMoments(outputs memberOutputs) (mean, std, draws []onnx.Value) {
	if w.isAnalytic() {
		for _, variance := range w.splitOutputs(outputs.variance, 1) {
			std = append(std, w.Unary("Sqrt", variance))
		}
		return w.splitOutputs(outputs.mean, 1), std, nil
	}
	if w.Masks == masksNone {
		outputs.draws = w.Unsqueeze(outputs.full, 0)
	}
	draws = w.splitOutputs(outputs.draws, 2)
	samples := w.Cast(w.Slice(w.ShapeOf(outputs.draws), 0, 0, 1), onnx.Double)
	one := w.Number(onnx.Double, 1)
	// The file computes the number of samples, since it is known only there if masks are given.
	degreesOfFreedom := w.Binary("Max", w.Sub(samples, one), one) // a single draw has the standard deviation 0
	for _, d := range draws {
		drawMean := w.Mean(d, 0, true) // over the first axis, the samples
		mean = append(mean, w.Squeeze(drawMean, 0))
		deviation := w.Sub(d, drawMean)
		squares := w.Sum(w.Mul(deviation, deviation), 0, false)
		std = append(std, w.Unary("Sqrt", w.Div(squares, degreesOfFreedom)))
	}
	return mean, std, draws
}
