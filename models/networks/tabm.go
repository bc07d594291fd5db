package networks

import (
	"slices"

	"sml/graph"
	"sml/models"
)

var tabM = models.Network{
	Name:        "tabm",
	Title:       "TabM",
	Summary:     "copies of the MLP that share their weight matrices and predict as an ensemble; each copy has factors and biases of its own, and an output layer",
	Source:      "Gorishniy et al. 2025, section 3, with the scalings behind the shared layers",
	Activations: Activations(),
	Copies:      8,
	Build:       buildTabM,
}

// buildTabM returns a.Copies copies of the MLP, side by side. They share the weight matrices of the hidden layers.
// Each copy has a factor and a bias for each hidden unit, and an output layer of its own. At the start the
// copies differ in the factors of the first layer, from N(0, 1), in the biases and in the output layers. All other
// factors are 1.
//
// Source: Gorishniy et al. 2025, section 3.3. The paper multiplies the inputs of the first layer by random factors,
// so that its product is computed for each copy. Here its units are multiplied, and the product is computed once.
// The factors in front of the later layers are left out: those behind the layer before do the same, exactly so
// if they are positive and the activation is ReLU.
func buildTabM(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		layers := &copiedLayers{b: b, copies: a.CopyCount()}
		inputs := a.Inputs
		factors := graph.Normal(1)
		dense := func(name string, h *graph.Node, units int) *graph.Node {
			h = layers.dense(name, h, inputs, units, factors)
			inputs = units // of the next layer
			factors = graph.Fill(1)
			return h
		}
		h := hiddenLayers(b, x, a, pass, dense)
		return layers.output("output", h, inputs, a.Outputs)
	}
}

// copiedLayers builds the layers of copies of a network. The inputs of a layer are [rows, inputs] if they are the
// same for all copies, and otherwise [rows, copies·inputs], the inputs of each copy side by side.
type copiedLayers struct {
	b      *graph.Builder
	copies int
}

// dense returns the hidden layer (h·weight)·factor + bias before its activation, [rows, copies·units]. The
// parameter name.weight [inputs, units] is the same for all copies; name.factor and name.bias
// [1, copies·units] have numbers for each copy.
func (l *copiedLayers) dense(name string, h *graph.Node, inputs, units int, factors graph.Init) *graph.Node {
	b := l.b
	rows := h.Shape()[0]
	weight := weightMatrix(b, name, inputs, units)
	var product *graph.Node
	if l.isShared(h, inputs) {
		product = l.repeat(b.MatMul(h, weight))
	} else {
		rowPerCopy := b.Reshape(h, rows*l.copies, inputs)
		product = b.Reshape(b.MatMul(rowPerCopy, weight), rows, l.copies*units)
	}
	factor := b.Param(name+".factor", 1, l.copies*units, factors)
	bias := b.Param(name+".bias", 1, l.copies*units, graph.Uniform(initialBound(inputs)))
	return b.Add(b.Mul(product, factor), bias)
}

// output returns the output layer, [rows, copies·outputs]. Each copy has rows of its own in the parameter
// name.weight [copies·outputs, inputs], and numbers in name.bias [1, copies·outputs].
func (l *copiedLayers) output(name string, h *graph.Node, inputs, outputs int) *graph.Node {
	b := l.b
	rows := h.Shape()[0]
	bound := initialBound(inputs)
	weight := b.Weight(name+".weight", l.copies*outputs, inputs, graph.Uniform(bound))
	bias := b.Param(name+".bias", 1, l.copies*outputs, graph.Uniform(bound))
	if l.isShared(h, inputs) {
		return b.Linear(h, b.Transpose(weight), bias)
	}
	weights := b.Reshape(weight, l.copies, outputs, inputs)
	columns := b.Reshape(b.Transpose(h), l.copies, inputs, rows) // a column for each row of the batch
	products := b.Reshape(b.BatchMatMul(weights, columns), l.copies*outputs, rows)
	return b.Add(b.Transpose(products), bias)
}

// isShared reports whether all copies have the same inputs h.
func (l *copiedLayers) isShared(h *graph.Node, inputs int) bool { return h.Shape()[1] == inputs }

// repeat returns h [rows, units] once for each copy, side by side.
func (l *copiedLayers) repeat(h *graph.Node) *graph.Node {
	if l.copies == 1 {
		return h
	}
	return l.b.Concat(slices.Repeat([]*graph.Node{h}, l.copies)...)
}
