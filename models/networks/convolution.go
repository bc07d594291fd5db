package networks

import (
	"math"

	"sml/graph"
)

// Conv2D is a convolution of images x [rows, height, width, channels] to so many
// channels, with parameters name.weight [k.Height·k.Width·channels, out] and name.bias
// [1, out], which start from U(−1/√n, 1/√n) for n rows of the weight, as
// torch.nn.Conv2d's. See graph.Builder.Conv2D.
func Conv2D(b *graph.Builder, name string, x *graph.Node, out int, k graph.Window) *graph.Node {
	return convolution(b, b.Conv2D, name, x, out, k, k.Height*k.Width)
}

// Conv1D is a convolution of sequences x [rows, length, channels], with parameters
// like those of Conv2D. See graph.Builder.Conv1D.
func Conv1D(b *graph.Builder, name string, x *graph.Node, out int, k graph.Window) *graph.Node {
	return convolution(b, b.Conv1D, name, x, out, k, k.Width)
}

func convolution(b *graph.Builder, conv func(x, w, bias *graph.Node, k graph.Window) *graph.Node, name string, x *graph.Node, out int, k graph.Window, pixels int) *graph.Node {
	if x.Dims() < 3 || pixels < 1 {
		return conv(x, nil, nil, k) // says what is wrong
	}
	inputs := pixels * x.Shape()[x.Dims()-1]
	start := graph.Uniform(1 / math.Sqrt(float64(inputs)))
	return conv(x, b.Weight(name+".weight", inputs, out, start), b.Param(name+".bias", 1, out, start), k)
}
