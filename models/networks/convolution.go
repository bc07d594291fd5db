package networks

import "sml/graph"

// Conv2D returns a convolution of images x [rows, height, width, channels] with a kernel k:
// [rows, out height, out width, out]. Its parameters are name.weight
// [k.Height·k.Width·channels, out] and name.bias [1, out], which start from U(−1/√n, 1/√n) for n
// rows of the weight, as in torch.nn.Conv2d. See graph.Builder.Conv2D for the sizes and errors.
func Conv2D(b *graph.Builder, name string, x *graph.Node, out int, k graph.Window) *graph.Node {
	return convolve(b, b.Conv2D, name, x, out, k, k.Height*k.Width)
}

// Conv1D returns a convolution of sequences x [rows, length, channels] with a kernel k:
// [rows, out length, out]. Its parameters are those of Conv2D with k.Height = 1. See
// graph.Builder.Conv1D for the sizes and errors.
func Conv1D(b *graph.Builder, name string, x *graph.Node, out int, k graph.Window) *graph.Node {
	return convolve(b, b.Conv1D, name, x, out, k, k.Width)
}

// convolve declares the parameters of a convolution and returns operation, b.Conv1D or b.Conv2D, with them.
// out is the number of output channels, and positions the number of positions that the kernel k covers,
// each with all channels of x.
func convolve(b *graph.Builder, operation func(x, w, bias *graph.Node, k graph.Window) *graph.Node, name string, x *graph.Node, out int, k graph.Window, positions int) *graph.Node {
	if x.Dims() < 3 || positions < 1 {
		return operation(x, nil, nil, k) // makes the builder fail with an error about the shape or the kernel
	}
	channels := x.Shape()[x.Dims()-1]
	inputs := positions * channels
	initial := graph.Uniform(initialBound(inputs))
	weight := b.Weight(name+".weight", inputs, out, initial)
	bias := b.Param(name+".bias", 1, out, initial)
	return operation(x, weight, bias, k)
}
