package models

import (
	"fmt"
	"slices"

	"sml/graph"
)

// HessianStep computes products of a vector with the Hessian, the matrix of the second derivatives of the objective
// with respect to all parameters. As everywhere, nothing is differentiated through a StopGradient. Its inputs are those
// of Step; CopyBatch fills them as in another step.
type HessianStep struct {
	*Step
	parts []hessianPart
}

// hessianPart is the part of the vector and of the product for one parameter.
type hessianPart struct {
	index  int       // index of the parameter in Params.List
	vector []float32 // input of the graph
	output int       // output of the graph with the product; 0, the index of the loss, if the product is 0
}

// NewHessianStep returns a step that computes Hessian-vector products besides what NewStep computes. It returns an
// error if the objective has a mistake, if an operation has no second derivative, or if terms train only some parameters:
// the gradient is then no derivative of one loss.
func (s Spec) NewHessianStep(engine graph.Engine, params *graph.Params, rows int) (*HessianStep, error) {
	h := new(HessianStep)
	products := 0 // number of further outputs
	addProducts := func(b *graph.Builder, loss *graph.Node) (nodes graph.Nodes) {
		h.parts, nodes = hessianProducts(b, params, loss)
		products = len(nodes)
		return nodes
	}
	var err error
	h.Step, err = s.buildStep(engine, params, rows, stepOutputs{gradients: true, further: addProducts})
	if err != nil {
		return nil, err
	}
	if h.HasCompetingTerms {
		return nil, fmt.Errorf("the objective of method %s has terms that train only some parameters: it has no Hessian", s.Method)
	}
	first := h.outputs + len(h.updatedBuffers) + len(h.Watched)
	for i := range h.parts {
		h.parts[i].vector = h.Input(vectorName(params.List()[h.parts[i].index]))
		if i < products {
			h.parts[i].output = first + i
		}
	}
	return h, nil
}

// vectorName returns the name of the input with the vector's part for p.
func vectorName(p graph.Param) string { return "vector of " + p.Name }

// hessianProducts adds to the graph of the loss an input for each part of the vector, and returns the parts and the
// nodes of the product: the gradient of the scalar g·v, where g is the gradient of the loss and v the vector. The
// parameters on which g·v depends come first, in the order of the nodes.
// Source: Pearlmutter 1994, in the form of two reverse passes.
func hessianProducts(b *graph.Builder, params *graph.Params, loss *graph.Node) (parts []hessianPart, products graph.Nodes) {
	index := make(map[string]int) // of each parameter
	for i, p := range params.List() {
		index[p.Name] = i
	}
	graph.Inspect(b).Filler = "" // NewHessianStep fills the vectors, which no method reads
	weights := b.ParametersOf(loss)
	dot := b.Const(0)
	for i, gradient := range b.Grad(loss, weights...) {
		p := params.List()[index[weights[i].Name()]]
		v := b.Input(vectorName(p), p.Rows, p.Columns)
		dot = b.Add(dot, b.Sum(b.Mul(gradient, v)))
	}
	curved := b.ParametersOf(dot)
	if len(curved) > 0 {
		products = b.Grad(dot, curved...)
	}
	others := slices.DeleteFunc(slices.Clone(weights), func(w *graph.Node) bool { return slices.Contains(curved, w) })
	for _, w := range slices.Concat(curved, others) {
		parts = append(parts, hessianPart{index: index[w.Name()]})
	}
	return parts, products
}

// Product runs the step on the batch that CopyBatch copied, and writes to product the Hessian times v. Both have the
// length and the order of all parameters' values.
func (h *HessianStep) Product(product, v []float32) error {
	for _, p := range h.parts {
		copy(p.vector, graph.ParamValues(h.params, v, p.index))
	}
	if err := h.Runner.Run(); err != nil {
		return err
	}
	clear(product)
	for _, p := range h.parts {
		if p.output > 0 {
			copy(graph.ParamValues(h.params, product, p.index), h.Output(p.output))
		}
	}
	return nil
}
