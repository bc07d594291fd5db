package networks

import (
	"fmt"
	"math"

	"sml/graph"
	"sml/models"
)

var bayes = models.Network{
	Name:        "bayes",
	Title:       "Bayes MLP",
	Summary:     "fully connected layers with a normal distribution over each weight, drawn anew by each sub-network",
	Source:      "Blundell et al. 2015, section 3.2",
	Activations: Activations(),
	Build:       Bayes,
}

// initialSpread is the ρ that weights start with: their std is softplus(ρ), 0.018.
const initialSpread = -4

// Bayes is the MLP with weights N(μ, softplus(ρ)²): the full pass has their means, and a
// sub-network weights of its own, the same for all rows, in the layers behind those
// that a.Drop names. It says the penalties "log std", Σ log σ, and "squares",
// Σ (μ² + σ²), over all drawn weights: ½ squares − log std is the divergence from
// N(0, 1), up to a constant.
func Bayes(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		stream := 0
		draw := func(name string, rows, columns int, bound float64, drawn bool) *graph.Node {
			mean := b.Param(name, rows, columns, graph.Uniform(bound))
			if !drawn {
				return mean
			}
			rho := b.Param(name+".rho", rows, columns, graph.Filled(initialSpread))
			if pass == graph.Full {
				return mean
			}
			std := b.Softplus(rho)
			b.Penalty("log std", b.Sum(b.Log(std)))
			b.Penalty("squares", b.Add(b.Sum(b.Square(mean)), b.Sum(b.Square(std))))
			stream++
			return b.Add(mean, b.Mul(std, b.Normal(graph.Noise{Pass: pass, Stream: stream - 1, Shared: true}, rows, columns)))
		}
		layer := func(name string, h *graph.Node, units int, drawn bool) *graph.Node {
			inputs := h.Shape()[1]
			bound := 1 / math.Sqrt(float64(inputs))
			return b.Linear(h, draw(name+".weight", inputs, units, bound, drawn), draw(name+".bias", 1, units, bound, drawn))
		}
		if a.Drop == models.NoLayers {
			b.Penalty("log std", b.Const(0))
			b.Penalty("squares", b.Const(0))
		}
		h := x
		for i, width := range a.Hidden {
			h = act(layer(fmt.Sprintf("hidden%d", i+1), h, width, a.Drop.Drops(i, len(a.Hidden))))
		}
		return layer("output", h, a.Outputs, a.Drop != models.NoLayers)
	}
}
