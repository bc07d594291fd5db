package export

import (
	"cmp"
	"encoding/json"
	"fmt"

	"sml/evaluation/export/onnx"
	"sml/graph"
	"sml/models"
)

// memberOutputs has the outputs of a member's networks as values of the file.
type memberOutputs struct {
	full  onnx.Value // [rows, outputs]
	draws onnx.Value // [samples, rows, outputs]; no name if there are no sub-networks

	// Mean and variance over all sub-networks, [rows, outputs]; no names unless moments are analytic.
	mean, variance onnx.Value

	// layer writes the output of the hidden layer with this name, [rows, units], and returns it
	// with its number of units.
	layer func(name string) (v onnx.Value, units int, err error)
}

// memberGraphs has the graphs of a member's networks. Each is built twice, for both numbers of rows of
// onnx.RowCounts: package onnx compares the two to find which dimensions are numbers of rows.
type memberGraphs struct {
	builders    [2]*graph.Builder  // builders of the full network
	subBuilders [2]*graph.Builder  // builders of the sub-networks: builders, unless the sub-networks have stored weights
	full, sub   onnx.NodePair      // outputs of the full network and of a sub-network
	passes      [2]models.FullPass // passes of the full network

	mean, variance onnx.NodePair // moments of the sub-networks' outputs; nil unless they are analytic

	draws  []graph.Draw       // dropout masks and noise of the sub-networks
	stored models.SubNetworks // stored weights of the sub-networks; empty if masks make the sub-networks
}

// buildGraphs builds the graphs of a member's networks.
func (w *writer) buildGraphs(member int) (memberGraphs, error) {
	g := memberGraphs{stored: w.model.SubNetworks(member)}
	for i, rows := range onnx.RowCounts {
		b, forward, err := w.openNetwork(member, rows)
		if err != nil {
			return g, err
		}
		g.passes[i] = models.NewFullPass(b, forward)
		g.full[i] = g.passes[i].Output
		g.builders[i], g.subBuilders[i] = b, b
		if g.stored.Len() > 0 {
			g.subBuilders[i], forward, err = w.openNetwork(member, rows)
			if err != nil {
				return g, err
			}
		}
		switch {
		case w.isAnalytic():
			g.mean[i], g.variance[i] = g.builders[i].DropoutMoments(forward(graph.Drop(0)))
		case w.Masks != masksNone:
			g.sub[i] = forward(g.stored.Pass())
		}
		if err := cmp.Or(b.Err(), g.subBuilders[i].Err()); err != nil {
			return g, err
		}
	}
	g.draws = graph.Inspect(g.subBuilders[0]).Draws()
	return g, nil
}

// openNetwork returns the forward pass of a member's network for a number of rows, and the builder
// of its graph.
func (w *writer) openNetwork(member, rows int) (*graph.Builder, models.Forward, error) {
	b := graph.New(graph.Float32, w.model.Members[member])
	inspection := graph.Inspect(b) // its errors say that a prediction gives values only to the inputs X
	inspection.Filler = "a prediction"
	inspection.FillerInputs = []string{models.InputX}
	inspection.OneDraw = !w.isAnalytic()
	forward, err := w.model.Forward(b, rows)
	return b, forward, err
}

// writeNetworks writes the networks of all members and returns their outputs. x has the networks'
// inputs, [rows, inputs].
func (w *writer) writeNetworks(x onnx.Value) ([]memberOutputs, error) {
	members := make([]memberGraphs, len(w.model.Members))
	for k := range members {
		g, err := w.buildGraphs(k)
		if err != nil {
			return nil, err
		}
		members[k] = g
	}
	masks := w.maskValues(members)
	outputs := make([]memberOutputs, len(members))
	for k, g := range members {
		translation := &onnx.Translation{Builders: g.builders, Rows: w.rows, Leaf: w.leafResolver(k, x)}
		translation.SetGraph(w.Graph)
		var err error
		outputs[k].full, err = translation.Translate(g.full)
		if err != nil {
			return nil, fmt.Errorf("the network: %w", err)
		}
		outputs[k].layer = g.layerWriter(translation)
		if w.isAnalytic() {
			if err := outputs[k].translateMoments(g, translation); err != nil {
				return nil, err
			}
			continue
		}
		if w.Masks == masksNone {
			continue
		}
		outputs[k].draws, err = w.writeSubNetworks(k, g, translation, masks[k])
		if err != nil {
			return nil, fmt.Errorf("sub-networks: %w", err)
		}
	}
	return outputs, nil
}

// translateMoments writes the moments of a member's sub-networks and sets mean and variance.
func (o *memberOutputs) translateMoments(g memberGraphs, t *onnx.Translation) (err error) {
	o.mean, err = t.Translate(g.mean)
	if err == nil {
		o.variance, err = t.Translate(g.variance)
	}
	if err != nil {
		return fmt.Errorf("moments of sub-networks: %w", err)
	}
	return nil
}

// writeSubNetworks writes the sub-networks of a member and returns their outputs, [samples, rows,
// outputs]. masks has a value for each of g.draws, and full is the translation of the full network.
func (w *writer) writeSubNetworks(member int, g memberGraphs, full *onnx.Translation, masks []onnx.Value) (onnx.Value, error) {
	if g.stored.Len() > 0 {
		translation := &onnx.Translation{Builders: g.subBuilders, Rows: w.rows, Leaf: full.Leaf} // which writes the buffers of both once
		translation.SetGraph(w.Graph)
		parameters, values := w.subNetworkWeights(member, g)
		return translation.TranslateInLoop(g.sub, parameters, values)
	}
	if len(g.draws) == 0 { // all sub-networks are the same
		one, err := full.Translate(g.sub)
		if err != nil {
			return onnx.Value{}, err
		}
		return w.Unsqueeze(one, 0), nil
	}
	var nodes []*graph.Node // of dropout masks and noise
	for _, d := range g.draws {
		nodes = append(nodes, d.Node)
	}
	return full.TranslateInLoop(g.sub, nodes, masks)
}

// subNetworkWeights returns the parameters of a member's stored sub-networks as nodes, and for each
// node its values in w.Samples sub-networks, [samples, rows, columns].
func (w *writer) subNetworkWeights(member int, g memberGraphs) (parameters []*graph.Node, values []onnx.Value) {
	offset := 0 // of a parameter among a sub-network's numbers
	for _, p := range w.model.Members[member].List() {
		if p.Buffer {
			continue
		}
		node := graph.Inspect(g.subBuilders[0]).Parameter(p.Name)
		if node != nil {
			var weights []float32
			for sample := range w.Samples {
				weights = append(weights, g.stored.Parameters(sample)[offset:offset+p.Len()]...)
			}
			name := memberPrefix(member) + "sub-networks." + p.Name
			parameters = append(parameters, node)
			values = append(values, w.Weights(name, []int{w.Samples, p.Rows, p.Columns}, weights))
		}
		offset += p.Len()
	}
	return parameters, values
}

// layerWriter returns memberOutputs.layer for a translation of the full network.
func (g memberGraphs) layerWriter(t *onnx.Translation) func(name string) (onnx.Value, int, error) {
	return func(name string) (onnx.Value, int, error) {
		var twin onnx.NodePair
		for i := range onnx.RowCounts {
			layer, err := g.passes[i].FindLayer(name)
			if err != nil {
				return onnx.Value{}, 0, err
			}
			twin[i] = layer.Node
		}
		v, err := t.Translate(twin)
		return v, twin[0].Shape()[1], err
	}
}

// leafResolver returns a function that returns the value of the file for an input or a parameter of
// a member's graph. It writes the weights of each parameter once.
func (w *writer) leafResolver(member int, x onnx.Value) func(graph.Role, string) (onnx.Value, error) {
	params := w.model.Members[member]
	written := make(map[string]onnx.Value)
	return func(role graph.Role, name string) (onnx.Value, error) {
		if role == graph.Input && name == models.InputX {
			return x, nil
		}
		v, isWritten := written[name]
		if isWritten && role == graph.Parameter {
			return v, nil
		}
		for i, p := range params.List() {
			if p.Name == name && role == graph.Parameter {
				weights := graph.ParamValues(params, params.Float32s(), i)
				written[name] = w.Weights(memberPrefix(member)+name, []int{p.Rows, p.Columns}, weights)
				return written[name], nil
			}
		}
		return onnx.Value{}, fmt.Errorf("the graph's input %q has no value in a prediction; noise has one in sub-networks only: give it the pass of the forward pass (graph.Noise.Pass), which is not graph.Full there", name)
	}
}

// maskNote describes an input of the file for dropout masks or noise. The file's metadata has it as
// JSON under the name of the input.
type maskNote struct {
	Kind string  `json:"kind"`           // dropout, normal or uniform
	Keep float64 `json:"keep,omitempty"` // keep probability of dropout: an element is 1/Keep with this probability, else 0
	Dims [2]int  `json:"dims"`           // dimensions after the samples; the first is 1, or the rows of noise for weights
}

// maskValues returns the dropout masks and noise of each member's sub-networks, [samples, …] each:
// drawn by the file or as its inputs.
func (w *writer) maskValues(members []memberGraphs) [][]onnx.Value {
	masks := make([][]onnx.Value, len(members))
	if w.Masks == masksNone {
		return masks
	}
	pools := w.newMaskPools(members)
	for member, g := range members {
		for _, draw := range g.draws {
			note := maskNote{Kind: draw.Kind, Keep: draw.Keep, Dims: [2]int(draw.Node.Shape())}
			if w.Masks == masksDrawn {
				masks[member] = append(masks[member], pools.next(note))
				continue
			}
			masks[member] = append(masks[member], w.declareMask(member, draw, note))
		}
	}
	return masks
}

// declareMask declares a mask of a member as an input of the file, with its note.
func (w *writer) declareMask(member int, draw graph.Draw, note maskNote) onnx.Value {
	kind := "noise"
	if draw.Keep > 0 {
		kind = "mask"
	}
	name := fmt.Sprintf("%s%s%s.%d", memberPrefix(member), draw.Network, kind, draw.Layer)
	text, _ := json.Marshal(note) // cannot fail
	w.Notes = append(w.Notes, [2]string{name, string(text)})
	return w.Input(name, onnx.Float, string(text), onnx.Dim{Name: "samples"}, onnx.Dim{Size: note.Dims[0]}, onnx.Dim{Size: note.Dims[1]})
}

// maskPools draws the normal and the uniform numbers of all members and layers by one operation each, and hands
// out parts of them. With an operation for each layer, each would need its own seed, and the numbers of different
// seeds need not be independent: the numbers of ONNX Runtime begin with multiples of the seed.
type maskPools struct {
	*writer
	uniform, normal maskPool
}

// maskPool is the numbers of one distribution.
type maskPool struct {
	size  int        // numbers that all masks need together
	drawn onnx.Value // [samples, size]; no name before the first mask takes its numbers
	taken int        // numbers that have been handed out
}

// newMaskPools returns pools of the size that all masks need together.
func (w *writer) newMaskPools(members []memberGraphs) *maskPools {
	pools := &maskPools{writer: w}
	for _, g := range members {
		for _, draw := range g.draws {
			pool, _ := pools.ofKind(draw.Kind)
			pool.size += draw.Node.Shape().TotalSize()
		}
	}
	return pools
}

// ofKind returns the pool of a kind of mask or noise, and the operation that draws its numbers.
func (p *maskPools) ofKind(kind string) (pool *maskPool, operation string) {
	if kind == "normal" {
		return &p.normal, "RandomNormal"
	}
	return &p.uniform, "RandomUniform"
}

// next returns the next mask or noise from its pool, [samples, dimensions of the mask]. A dropout mask is
// made from uniform numbers: an element is 1/Keep if its number is below Keep, and otherwise 0.
func (p *maskPools) next(note maskNote) onnx.Value {
	pool, operation := p.ofKind(note.Kind)
	if pool.drawn.Name == "" {
		pool.drawn = p.Random(operation, p.Ints(p.Samples, pool.size), p.seedOf(operation))
	}
	count := note.Dims[0] * note.Dims[1]
	v := p.Slice(pool.drawn, 1, pool.taken, pool.taken+count)
	pool.taken += count
	switch note.Kind {
	case "uniform":
		const smallest = 0x1p-24 // keeps the numbers off 0 and, as a distance, off 1
		v = p.Binary("Min", p.Binary("Max", v, p.Number(onnx.Float, smallest)), p.Number(onnx.Float, 1-smallest))
	case "dropout":
		kept := p.Compare("Less", v, p.Number(onnx.Float, note.Keep))
		v = p.Where(kept, p.Number(onnx.Float, 1/note.Keep), p.Number(onnx.Float, 0))
	}
	return p.Reshape(v, 0, note.Dims[0], note.Dims[1]) // in ONNX, 0 keeps a dimension
}

// seedOf returns the seed of an operation that draws numbers, a whole number from 1 to 2^24−1, another one for each.
func (p *maskPools) seedOf(operation string) float32 {
	const seeds = 1<<24 - 1 // the seed of ONNX is a float32, which holds all whole numbers up to 2^24
	salt := uint64(0)
	if operation == "RandomNormal" {
		salt = 1
	}
	return float32(1 + graph.Seed(p.Seed, salt)%seeds)
}

// memberPrefix returns the prefix of the names of a member's tensors, as in files of weights.
func memberPrefix(member int) string { return fmt.Sprintf("members.%d.", member) }

// declareNetworkOutputs declares the outputs of each member's networks as outputs of the file.
func (w *writer) declareNetworkOutputs(members []memberOutputs) {
	rows := onnx.Dim{Name: "rows"}
	outputs := onnx.Dim{Size: w.model.Architecture.OutputColumns()}
	for k, m := range members {
		w.Output(memberPrefix(k)+"outputs", m.full, "of the full network, standardised", rows, outputs)
		if m.mean.Name != "" {
			w.Output(memberPrefix(k)+"mean", m.mean, "mean over all sub-networks, standardised", rows, outputs)
			w.Output(memberPrefix(k)+"variance", m.variance, "variance over all sub-networks, standardised", rows, outputs)
		}
		if m.draws.Name != "" {
			w.Output(memberPrefix(k)+"draws", m.draws, "of each sub-network, standardised", onnx.Dim{Name: "samples"}, rows, outputs)
		}
	}
}
