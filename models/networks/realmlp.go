package networks

import (
	"math"
	"slices"

	"sml/graph"
	"sml/models"
)

var realMLP = models.Network{
	Name:        "realmlp",
	Title:       "RealMLP",
	Summary:     "the MLP with a learned factor for each input, and weights that are divided by the square root of a layer's inputs",
	Source:      "Holzmüller et al. 2024, small variant RealMLP-TD-S",
	Activations: activationsFrom("mish"),
	Build:       buildRealMLP,
}

// activationsFrom returns the names of all activation functions, the given one first.
func activationsFrom(first string) []string {
	others := slices.DeleteFunc(Activations(), func(name string) bool { return name == first })
	return slices.Insert(others, 0, first)
}

// buildRealMLP returns the network of RealMLP's small variant: each input is multiplied by a factor that starts at 1,
// and the layers have the neural tangent parametrisation. As in MLP, units of the layers in a.Drop are dropped after
// the activation.
//
// Source: Holzmüller et al. 2024, section 3 and its small variant. The paper's preparation of the inputs (centred by
// the median, divided by the interquartile range, clipped smoothly) and its factors of the learning rate (6 for the
// factors of the inputs, 0.1 for biases) belong to the training: parameter groups set learning rates. The larger
// variant shifts the biases by rows of the training set; the small variant, and so this network, does not.
func buildRealMLP(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		factors := b.Param("inputs.factor", 1, x.Shape()[1], graph.Fill(1))
		dense := func(name string, h *graph.Node, units int) *graph.Node {
			return tangentDense(b, name, h, units, graph.Normal(1))
		}
		h := hiddenLayers(b, b.Mul(x, factors), a, pass, dense)
		return tangentDense(b, "output", h, a.Outputs, graph.Fill(0))
	}
}

// tangentDense returns the fully connected linear layer h·weight/√inputs + bias in the neural tangent parametrisation:
// [rows, units] for h [rows, inputs]. The parameters are name.weight [inputs, units] and name.bias [1, units], which
// start from init.
func tangentDense(b *graph.Builder, name string, h *graph.Node, units int, init graph.Init) *graph.Node {
	inputs := h.Shape()[1]
	weight := b.Weight(name+".weight", inputs, units, init)
	bias := b.Param(name+".bias", 1, units, init)
	return b.Linear(h, b.Scale(1/math.Sqrt(float64(inputs)), weight), bias)
}
