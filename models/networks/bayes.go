package networks

import (
	"math"

	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

var bayes = models.Network{
	Name:        "bayes",
	Title:       "Bayes MLP",
	Summary:     "fully connected layers with a normal distribution over each weight, drawn anew by each sub-network",
	Source:      "Blundell et al. 2015, sections 3.2 and 3.3; constants of the prior from its section 5.1",
	Activations: Activations(),
	Hyperparameters: []models.Hyperparameter{
		{Name: "prior-share", Default: 0.5, Range: models.Range{Min: 1e-3, Max: 1 - 1e-3}, Help: "weight π of the wide normal distribution in the prior of a weight"},
		{Name: "prior-std", Default: 1, Range: models.Range{Min: 0.01, Max: 100}, Help: "standard deviation σ₁ of the wide normal distribution"},
	},
	Build: Bayes,
}

// initialSpread is the ρ that weights start with: their std is softplus(ρ), 0.018.
const initialSpread = -4

// priorLogNarrow is log σ₂. The prior of a weight is π N(0, σ₁²) + (1 − π) N(0, σ₂²).
// Blundell et al. choose π from ¼, ½ and ¾, −log σ₁ from 0, 1 and 2, and −log σ₂ from 6, 7
// and 8.
const priorLogNarrow = -6

// Bayes is the MLP with weights and biases N(μ, softplus(ρ)²) in the layers behind those
// that a.Drop names: the full pass has their means, and a sub-network draws its own, the
// same for all rows. A sub-network says the penalty "divergence", Σ log q(w) − log P(w)
// over all drawn weights w, whose mean over draws is the divergence of their distribution
// q from the prior P. Drawn weights do not decay: the prior takes the decay's place.
func Bayes(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	prior := prior{share: a.Float("prior-share"), std: a.Float("prior-std")}
	return func(pass graph.Pass) *graph.Node {
		stream := 0
		draw := func(name string, rows, columns int, bound float64) *graph.Node {
			mean := b.Param(name, rows, columns, graph.Uniform(bound))
			rho := b.Param(name+".rho", rows, columns, graph.Filled(initialSpread))
			if pass == graph.Full {
				return mean
			}
			noise := b.Normal(graph.Noise{Pass: pass, Stream: stream, Shared: true}, rows, columns)
			stream++
			std := b.Softplus(rho)
			w := b.Add(mean, b.Mul(std, noise))
			b.Penalty("divergence", prior.divergence(b, w, std, noise))
			return w
		}
		layer := func(name string, h *graph.Node, units int, drawn bool) *graph.Node {
			if !drawn {
				return Dense(b, name, h, units)
			}
			inputs := h.Shape()[1]
			bound := 1 / math.Sqrt(float64(inputs))
			return b.Linear(h, draw(name+".weight", inputs, units, bound), draw(name+".bias", 1, units, bound))
		}
		if a.Drop == models.NoLayers {
			b.Penalty("divergence", b.Const(0))
		}
		h := x
		for i, width := range a.Hidden {
			h = act(layer(layerName(i), h, width, a.Drop.Drops(i, len(a.Hidden))))
			b.Layer(layerName(i), h)
		}
		return layer("output", h, a.Outputs, a.Drop != models.NoLayers)
	}
}

// prior is the distribution of a weight before the training.
type prior struct{ share, std float64 } // π and σ₁

// divergence returns Σ log q(w) − log P(w) for weights w = μ + std·noise. Both densities
// have the factor 1/√2π, which is left out.
func (p prior) divergence(b *graph.Builder, w, std, noise *graph.Node) *graph.Node {
	posterior := b.Sub(b.Scale(-0.5, b.Square(noise)), b.Log(std))
	squares := b.Square(w)
	component := func(share, logStd float64) *graph.Node {
		return b.AddConst(b.Scale(-0.5*portable.Exp(-2*logStd), squares), portable.Log(share)-logStd)
	}
	logPrior := b.LogSumExpOf(component(p.share, portable.Log(p.std)), component(1-p.share, priorLogNarrow))
	return b.Sum(b.Sub(posterior, logPrior))
}
