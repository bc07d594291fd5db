package main

import "sml/graph"

// convolution returns a 3×3 convolution of images 16×16 to twice their channels, with
// bias and ReLU, and all gradients: of the images, the kernel, and the bias.
func convolution(b benchmark, engine graph.Engine) (func() error, error) {
	const size = 16
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	x := g.Param("x", b.Batch, size*size*b.Features, graph.Normal(1))
	w := g.Param("kernel", 9*b.Features, 2*b.Features, graph.Normal(0.1))
	y := g.Conv2D(g.Reshape(x, b.Batch, size, size, b.Features), w, g.Param("bias", 1, 2*b.Features, graph.Normal(0.1)), graph.Window{Height: 3, Width: 3, Padding: 1})
	y = g.Reshape(g.ReLU(y), b.Batch*size*size, 2*b.Features)
	loss := g.Sum(g.Mul(y, g.Input("weights", y.Shape()[0], y.Shape()[1])))
	return filled(g, params, engine, append(graph.Nodes{loss}, g.Gradients(loss)...)...)
}

// products returns the three products of a convolution by themselves: that of patches
// and kernel, and those of their gradients.
func products(b benchmark, engine graph.Engine) (func() error, error) {
	const places = 16 * 16
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	patches, kernel := g.Input("patches", b.Batch*places, 9*b.Features), g.Input("kernel", 9*b.Features, 2*b.Features)
	slope := g.Input("slope", b.Batch*places, 2*b.Features)
	return filled(g, params, engine, g.MatMul(patches, kernel), g.MatMul(g.Transpose(patches), slope), g.MatMul(slope, g.Transpose(kernel)))
}

// filled returns the run of outputs, with random parameters and inputs.
func filled(g *graph.Builder, params *graph.Params, engine graph.Engine, outputs ...*graph.Node) (func() error, error) {
	run, err := graph.NewRunner(engine, g, outputs...)
	if err != nil {
		return nil, err
	}
	params.Initialise(1)
	for _, name := range run.Inputs() {
		input := run.Input(name)
		for i, v := range normal(len(input)) {
			input[i] = float32(v)
		}
	}
	return run.Run, nil
}
