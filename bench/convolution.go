package main

import "sml/graph"

// imageSize is the height and width of the images of convolutions, in pixels.
const imageSize = 16

// kernelArea is the number of pixels of a kernel of 3×3 pixels.
const kernelArea = 3 * 3

// convolutionWork returns the work of a layer of 3×3 convolutions with bias and ReLU, and its gradients
// by images, kernels and bias. b.Rows is the number of images, b.Inputs the number of their channels and
// b.Width the number of kernels.
func convolutionWork(b benchmark, engine graph.Engine) (work, error) {
	const pixels = imageSize * imageSize
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	images := g.Param("x", b.Rows, pixels*b.Inputs, graph.Normal(1)) // a parameter, as inputs have no gradients
	kernels := g.Param("kernel", kernelArea*b.Inputs, b.Width, graph.Normal(0.1))
	bias := g.Param("bias", 1, b.Width, graph.Normal(0.1))
	window := graph.Window{Height: 3, Width: 3, Padding: 1}
	out := g.Conv2D(g.Reshape(images, b.Rows, imageSize, imageSize, b.Inputs), kernels, bias, window)
	out = g.Reshape(g.ReLU(out), b.Rows*pixels, b.Width)
	// A weighted sum gives every output a slope of its own.
	weights := g.Input("weights", out.Shape()[0], out.Shape()[1])
	loss := g.Sum(g.Mul(out, weights))
	return randomWork(g, params, engine, append(graph.Nodes{loss}, g.Gradients(loss)...)...)
}

// convolutionProductsWork returns the work of the three matrix products that take most of the time of
// convolutionWork: patches of the images by kernels, and the products of both gradients.
func convolutionProductsWork(b benchmark, engine graph.Engine) (work, error) {
	positions := b.Rows * imageSize * imageSize // of a kernel on all images
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	patches := g.Input("patches", positions, kernelArea*b.Inputs)
	kernels := g.Input("kernel", kernelArea*b.Inputs, b.Width)
	slope := g.Input("slope", positions, b.Width) // of the loss, by the outputs
	return randomWork(g, params, engine,
		g.MatMul(patches, kernels),
		g.MatMul(g.Transpose(patches), slope),
		g.MatMul(slope, g.Transpose(kernels)))
}

// randomWork returns the work of computing the outputs of a graph with random parameters and inputs.
func randomWork(g *graph.Builder, params *graph.Params, engine graph.Engine, outputs ...*graph.Node) (work, error) {
	run, err := graph.NewRunner(engine, g, outputs...)
	if err != nil {
		return work{}, err
	}
	params.Initialise(1)
	for _, name := range run.Inputs() {
		input := run.Input(name)
		for i, v := range normalNumbers(len(input)) {
			input[i] = float32(v)
		}
	}
	return work{once: run.Run, operations: countOperations(run), close: run.Close}, nil
}
