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
	return weighed(g, g.Reshape(g.ReLU(y), b.Batch*size*size, 2*b.Features), params, engine)
}

// products returns the three products of a convolution by themselves: that of patches
// and kernel, and their gradients.
func products(b benchmark, engine graph.Engine) (func() error, error) {
	const places = 16 * 16
	params := new(graph.Params)
	g := graph.New(graph.Float32, params)
	patches := g.Param("patches", b.Batch*places, 9*b.Features, graph.Normal(1))
	return weighed(g, g.MatMul(patches, g.Param("kernel", 9*b.Features, 2*b.Features, graph.Normal(0.1))), params, engine)
}

// weighed returns the run of Σ weights·y and its gradients.
func weighed(g *graph.Builder, y *graph.Node, params *graph.Params, engine graph.Engine) (func() error, error) {
	weights := g.Input("weights", y.Shape()[0], y.Shape()[1])
	loss := g.Sum(g.Mul(y, weights))
	run, err := graph.NewRunner(engine, g, append(graph.Nodes{loss}, g.Gradients(loss)...)...)
	if err != nil {
		return nil, err
	}
	params.Initialise(1)
	for i, v := range normal(len(run.Input("weights"))) {
		run.Input("weights")[i] = float32(v)
	}
	return run.Run, nil
}
