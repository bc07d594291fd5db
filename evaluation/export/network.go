package export

import (
	"cmp"
	"encoding/json"
	"fmt"

	"sml/graph"
	"sml/internal/onnx"
	"sml/models"
)

// spoken is what a member's networks say.
type memberOutputs struct {
	full  onnx.Value // [rows, outputs]
	draws onnx.Value // [samples, rows, outputs]; none where there are no sub-networks

	// layer puts the output of a hidden layer into the file, by its name, and returns it with its
	// width: [rows, units].
	layer func(name string) (v onnx.Value, units int, err error)
}

// built is a member's network, for each of onnx.Rows.
type memberGraphs struct {
	builders    [2]*graph.Builder // of the full network
	subBuilders [2]*graph.Builder // of the sub-networks: builders, unless these have weights of their own
	full, sub   onnx.Twin
	layers      [2][]graph.Layer   // hidden layers of the full network
	draws       []graph.Draw       // what sub-networks depend on
	wide        []graph.Draw       // the same, of the other number of rows
	stored      models.SubNetworks // weights of the sub-networks; none if these have the weights of the full network
}

func (w *writer) buildGraphs(k int) (n memberGraphs, err error) {
	n.stored = w.model.SubNetworks(k)
	for i, rows := range onnx.Rows {
		b, f, err := w.openNetwork(k, rows)
		if err != nil {
			return n, err
		}
		n.full[i] = f(graph.Full)
		n.layers[i] = graph.Inspect(b).Layers
		n.builders[i], n.subBuilders[i] = b, b
		if n.stored.Len() > 0 {
			if n.subBuilders[i], f, err = w.openNetwork(k, rows); err != nil {
				return n, err
			}
		}
		if w.Masks != masksNone {
			n.sub[i] = f(graph.Drop(0))
		}
		if err := cmp.Or(b.Err(), n.subBuilders[i].Err()); err != nil {
			return n, err
		}
	}
	n.draws, n.wide = graph.Inspect(n.subBuilders[0]).Draws(), graph.Inspect(n.subBuilders[1]).Draws()
	return n, nil
}

// open returns the network of a member for a number of rows, and the builder of its graph.
func (w *writer) openNetwork(k, rows int) (*graph.Builder, models.Forward, error) {
	b := graph.New(graph.Float32, w.model.Members[k])
	inspection := graph.Inspect(b)
	inspection.Filler = "a prediction"
	inspection.FillerInputs = []string{models.InputX}
	f, err := w.model.Forward(b, rows)
	return b, f, err
}

// networks puts those of all members into the file.
func (w *writer) writeNetworks(x onnx.Value) ([]memberOutputs, error) {
	members := make([]memberGraphs, len(w.model.Members))
	for k := range members {
		var err error
		if members[k], err = w.buildGraphs(k); err != nil {
			return nil, err
		}
	}
	masks, err := w.maskValues(members)
	if err != nil {
		return nil, err
	}
	said := make([]memberOutputs, len(members))
	for k, n := range members {
		t := &onnx.Translation{Builders: n.builders, Rows: w.rows, Leaf: w.leafResolver(k, x)}
		t.Into(w.Graph)
		if said[k].full, err = t.Put(n.full); err != nil {
			return nil, fmt.Errorf("the network: %w", err)
		}
		said[k].layer = n.layerPutter(t)
		switch {
		case w.Masks == masksNone:
		case n.stored.Len() > 0:
			t := &onnx.Translation{Builders: n.subBuilders, Rows: w.rows, Leaf: w.leafResolver(k, x)}
			t.Into(w.Graph)
			weights, over := w.subNetworkWeights(k, n)
			if said[k].draws, err = t.PutLooped(n.sub, append(drawNodes(n.draws), weights...), append(masks[k], over...)); err != nil {
				return nil, fmt.Errorf("sub-networks: %w", err)
			}
		case len(n.draws) == 0:
			one, err := t.Put(n.sub)
			if err != nil {
				return nil, fmt.Errorf("the network: %w", err)
			}
			said[k].draws = w.Unsqueeze(one, 0)
		default:
			if said[k].draws, err = t.PutLooped(n.sub, drawNodes(n.draws), masks[k]); err != nil {
				return nil, fmt.Errorf("sub-networks: %w", err)
			}
		}
	}
	return said, nil
}

// drawNodes returns the nodes of masks and noise.
func drawNodes(draws []graph.Draw) []*graph.Node {
	var nodes []*graph.Node
	for _, d := range draws {
		nodes = append(nodes, d.Node)
	}
	return nodes
}

// subNetworkWeights returns the parameters of a member's stored sub-networks as nodes, and for each
// node its values in w.Samples sub-networks, [samples, rows, columns].
func (w *writer) subNetworkWeights(k int, n memberGraphs) (nodes []*graph.Node, over []onnx.Value) {
	params := w.model.Members[k]
	from := 0
	for _, p := range params.List() {
		if p.Buffer {
			continue
		}
		if node := graph.Inspect(n.subBuilders[0]).Parameter(p.Name); node != nil {
			var values []float32
			for i := range w.Samples {
				values = append(values, n.stored.Parameters(i)[from:from+p.Len()]...)
			}
			nodes = append(nodes, node)
			over = append(over, w.Weights(memberPrefix(k)+"sub-networks."+p.Name, []int{w.Samples, p.Rows, p.Columns}, values))
		}
		from += p.Len()
	}
	return nodes, over
}

// layerPutter returns spoken.layer for a translation of the network.
func (n memberGraphs) layerPutter(t *onnx.Translation) func(name string) (onnx.Value, int, error) {
	return func(name string) (onnx.Value, int, error) {
		var twin onnx.Twin
		for i := range onnx.Rows {
			l, err := graph.FindLayer(n.layers[i], name)
			if err != nil {
				return onnx.Value{}, 0, err
			}
			twin[i] = l.Node
		}
		v, err := t.Put(twin)
		return v, twin[0].Shape()[1], err
	}
}

// leaf is what stands for inputs and parameters of a member.
func (w *writer) leafResolver(k int, x onnx.Value) func(graph.Role, string) (onnx.Value, error) {
	params := w.model.Members[k]
	known := make(map[string]onnx.Value)
	return func(role graph.Role, name string) (onnx.Value, error) {
		if role == graph.Input && name == models.InputX {
			return x, nil
		}
		if v, ok := known[name]; ok && role == graph.Parameter {
			return v, nil
		}
		for i, p := range params.List() {
			if p.Name == name && role == graph.Parameter {
				known[name] = w.Weights(memberPrefix(k)+name, []int{p.Rows, p.Columns}, graph.ParamValues(params, params.Float32s(), i))
				return known[name], nil
			}
		}
		return onnx.Value{}, fmt.Errorf("%q is filled from elsewhere, and a file has only what a prediction has", name)
	}
}

// maskNote describes an input of the file that feeds a mask or noise. It stands as JSON in the
// metadata of the file, under the input's name.
type maskNote struct {
	Kind string  `json:"kind"`           // dropout, normal or uniform
	Keep float64 `json:"keep,omitempty"` // keep probability of dropout: an element is 1/Keep with this probability, else 0
	Dims [2]int  `json:"dims"`           // behind the samples; the first is of each row, unless it is Shared

	Shared bool `json:"shared,omitempty"` // it is not of rows
}

// masks are what the sub-networks of each member depend on, [samples, …] each.
func (w *writer) maskValues(members []memberGraphs) ([][]onnx.Value, error) {
	all := make([][]onnx.Value, len(members))
	from := &maskPools{writer: w, sizes: make(map[pool]int), drawn: make(map[pool]onnx.Value), taken: make(map[pool]int)}
	if w.Masks == masksDrawn {
		for _, n := range members {
			for i, d := range n.draws {
				from.sizes[poolFor(d)] += drawSize(d, n.wide[i])
			}
		}
	}
	for k, n := range members {
		for i, d := range n.draws {
			note := maskNote{Kind: d.Kind, Keep: d.Keep, Dims: [2]int(d.Node.Shape()), Shared: d.Shared}
			rows := onnx.Dim{Size: note.Dims[0]}
			if !d.Shared {
				each := note.Dims[0] / onnx.Rows[0]
				if each*onnx.Rows[0] != note.Dims[0] || each*onnx.Rows[1] != n.wide[i].Node.Shape()[0] {
					return nil, fmt.Errorf("%s of %d rows for a batch of %d: want as many, or a multiple", d.Kind, note.Dims[0], onnx.Rows[0])
				}
				note.Dims[0] = each
				if rows = (onnx.Dim{Name: "rows"}); each > 1 {
					rows.Name = fmt.Sprintf("%d*rows", each)
				}
			}
			if w.Masks == masksDrawn {
				all[k] = append(all[k], from.next(d, note))
				continue
			}
			name := fmt.Sprintf("%s%s%s.%d", memberPrefix(k), d.Network, map[bool]string{true: "mask", false: "noise"}[d.Keep > 0], d.Layer)
			text, err := json.Marshal(note)
			if err != nil {
				return nil, err
			}
			w.Notes = append(w.Notes, [2]string{name, string(text)})
			all[k] = append(all[k], w.Input(name, onnx.Float, string(text), onnx.Dim{Name: "samples"}, rows, onnx.Dim{Size: note.Dims[1]}))
		}
	}
	return all, nil
}

// pool is a kind of random numbers that are drawn by one operation: two with seeds of
// their own need not be independent of each other. ONNX Runtime's begin with multiples
// of their seeds.
type pool struct {
	normal, shared bool
}

func poolFor(d graph.Draw) pool { return pool{d.Kind == "normal", d.Shared} }

// sizeOf is how many numbers are drawn for each row, or at all.
func drawSize(d, wide graph.Draw) int {
	if d.Shared {
		return d.Node.Shape().TotalSize()
	}
	return wide.Node.Shape().TotalSize() - d.Node.Shape().TotalSize()
}

// pools hands out parts of what is drawn.
type maskPools struct {
	*writer
	sizes map[pool]int
	drawn map[pool]onnx.Value
	taken map[pool]int
}

// take is the next mask, or noise.
func (p *maskPools) next(d graph.Draw, note maskNote) onnx.Value {
	of := poolFor(d)
	axis := 2 // of [samples, rows, numbers], or of [samples, numbers]
	if d.Shared {
		axis = 1
	}
	if _, ok := p.drawn[of]; !ok {
		op, salt := "RandomUniform", uint64(0)
		if of.normal {
			op, salt = "RandomNormal", 1
		}
		if of.shared {
			salt += 2
		}
		shape := []onnx.Value{p.Ints(p.Samples), p.rows, p.Ints(p.sizes[of])}
		if d.Shared {
			shape = []onnx.Value{shape[0], shape[2]}
		}
		p.drawn[of] = p.Random(op, p.Concat(0, shape...), float32(1+graph.Seed(p.Seed, salt)%(1<<24-1)))
	}
	n := note.Dims[0] * note.Dims[1]
	v := p.Slice(p.drawn[of], axis, p.taken[of], p.taken[of]+n)
	p.taken[of] += n
	switch {
	case d.Kind == "uniform": // neither 0 nor 1
		v = p.Binary("Min", p.Binary("Max", v, p.Number(onnx.Float, 0x1p-24)), p.Number(onnx.Float, 1-0x1p-24))
	case d.Keep > 0:
		kept := p.Compare("Less", v, p.Number(onnx.Float, d.Keep))
		v = p.Where(kept, p.Number(onnx.Float, 1/d.Keep), p.Number(onnx.Float, 0))
	}
	if d.Shared {
		return p.Reshape(v, 0, note.Dims[0], note.Dims[1])
	}
	if note.Dims[0] > 1 {
		return p.Reshape(v, 0, -1, note.Dims[1])
	}
	return v
}

// memberPrefix returns the prefix of the names of a member's tensors. Files of weights use the same
// prefix.
func memberPrefix(k int) string { return fmt.Sprintf("members.%d.", k) }

// declareNetworkOutputs declares the outputs of each member's networks as outputs of the file.
func (w *writer) declareNetworkOutputs(said []memberOutputs) {
	outputs := onnx.Dim{Size: w.model.Architecture.Outputs}
	for k, s := range said {
		w.Output(memberPrefix(k)+"outputs", s.full, "of the full network, standardised", onnx.Dim{Name: "rows"}, outputs)
		if s.draws.Name != "" {
			w.Output(memberPrefix(k)+"draws", s.draws, "of each sub-network, standardised", onnx.Dim{Name: "samples"}, onnx.Dim{Name: "rows"}, outputs)
		}
	}
}
