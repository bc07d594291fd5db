package main

import "sml/graph"

// convolution is a 3×3 convolution of images 16×16, each kernel a channel, with
// bias and ReLU, and all gradients: of the images, the kernel, and the bias.
func convolution(b benchmark, engine graph.Engine) (work, error) {
	const size = 16
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	x := g.Param("x", b.Rows, size*size*b.Inputs, graph.Normal(1))
	w := g.Param("kernel", 9*b.Inputs, b.Width, graph.Normal(0.1))
	y := g.Conv2D(g.Reshape(x, b.Rows, size, size, b.Inputs), w, g.Param("bias", 1, b.Width, graph.Normal(0.1)), graph.Window{Height: 3, Width: 3, Padding: 1})
	y = g.Reshape(g.ReLU(y), b.Rows*size*size, b.Width)
	loss := g.Sum(g.Mul(y, g.Input("weights", y.Shape()[0], y.Shape()[1])))
	return filled(g, params, engine, append(graph.Nodes{loss}, g.Gradients(loss)...)...)
}

// products are the three products of a convolution by themselves: that of patches
// and kernel, and those of their gradients.
func products(b benchmark, engine graph.Engine) (work, error) {
	const places = 16 * 16
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	patches, kernel := g.Input("patches", b.Rows*places, 9*b.Inputs), g.Input("kernel", 9*b.Inputs, b.Width)
	slope := g.Input("slope", b.Rows*places, b.Width)
	return filled(g, params, engine, g.MatMul(patches, kernel), g.MatMul(g.Transpose(patches), slope), g.MatMul(slope, g.Transpose(kernel)))
}

// filled is the run of outputs, with random parameters and inputs.
func filled(g *graph.Builder, params *graph.Params, engine graph.Engine, outputs ...*graph.Node) (work, error) {
	run, err := graph.NewRunner(engine, g, outputs...)
	if err != nil {
		return work{}, err
	}
	params.Initialise(1)
	for _, name := range run.Inputs() {
		input := run.Input(name)
		for i, v := range normal(len(input)) {
			input[i] = float32(v)
		}
	}
	return work{run.Run, operations(run), run.Close}, nil
}
