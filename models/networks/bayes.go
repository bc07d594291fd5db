package networks

import (
	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

var bayes = models.Network{
	Name:        "bayes",
	Title:       "Bayes MLP",
	Summary:     "fully connected layers with a normal distribution over each weight, from which each sub-network draws its weights",
	Source:      "Blundell et al. 2015, sections 3.2 and 3.3; constants of the prior from its section 5.1",
	Activations: Activations(),

	DrawsWeights: true,
	Hyperparameters: []models.Hyperparameter{
		{Name: "prior-weight", Default: 0.5, Range: models.Range{Min: 1e-3, Max: 1 - 1e-3}, Help: "weight π of the wide normal distribution in the prior of a weight"},
		{Name: "prior-std", Default: 1, Range: models.Range{Min: 0.01, Max: 100}, Help: "standard deviation σ₁ of the wide normal distribution in the prior of a weight"},
	},
	Build: buildBayes,
}

// initialRho is the initial ρ of a weight, whose standard deviation is softplus(ρ): 0.018.
const initialRho = -4

// buildBayes returns the MLP with weights and biases distributed as N(μ, softplus(ρ)²) in the hidden layers
// that a.Drop selects and, unless it selects none, in the output layer. The full pass uses the means μ. A
// sub-network draws its own weights, the same for all rows.
//
// Each sub-network adds the penalty "divergence", Σ log q(w) − log P(w) over all drawn weights w.
// Its mean over many draws is the Kullback-Leibler divergence of the weights' distribution q from
// the prior P. Drawn weights have no weight decay: the prior takes its place. Source: Blundell et
// al. 2015, sections 3.2 and 3.3.
func buildBayes(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		layers := &bayesLayers{
			b:     b,
			prior: weightPrior{wideWeight: a.Float("prior-weight"), wideStd: a.Float("prior-std")},
			pass:  pass,
		}
		if a.Drop == models.NoLayers {
			b.Penalty("divergence", b.Const(0)) // no weights are drawn, and an objective may still use the penalty
		}
		h := x
		for i, width := range a.Hidden {
			drawsWeights := a.Drop.Drops(i, len(a.Hidden)) // where the MLP would drop units
			h = activation(layers.dense(layerName(i), h, width, drawsWeights))
			h = b.Layer(layerName(i), h)
		}
		drawsWeights := a.Drop != models.NoLayers
		return layers.dense("output", h, a.Outputs, drawsWeights)
	}
}

// bayesLayers builds the layers of one pass of the Bayes network.
type bayesLayers struct {
	b     *graph.Builder
	prior weightPrior
	pass  graph.Pass

	noiseStreams int // noise streams used in this pass: each matrix of weights has its own
}

// dense returns a fully connected layer on h [rows, inputs]. If drawsWeights is set, a sub-network draws the
// layer's weights; otherwise it is the layer Dense.
func (l *bayesLayers) dense(name string, h *graph.Node, units int, drawsWeights bool) *graph.Node {
	if !drawsWeights {
		return Dense(l.b, name, h, units)
	}
	inputs := h.Shape()[1]
	bound := initialBound(inputs)
	weight := l.drawWeights(name+".weight", inputs, units, bound)
	bias := l.drawWeights(name+".bias", 1, units, bound)
	return l.b.Linear(h, weight, bias)
}

// drawWeights returns a matrix of weights: their means in the full pass, and drawn weights in a
// sub-network, whose divergence from the prior it adds to the penalty. The means start from
// U(−bound, bound).
func (l *bayesLayers) drawWeights(name string, rows, columns int, bound float64) *graph.Node {
	b := l.b
	mean := b.Param(name, rows, columns, graph.Uniform(bound))
	rho := b.Param(name+".rho", rows, columns, graph.Fill(initialRho))
	if l.pass == graph.Full {
		return mean
	}
	// Shared: the same noise for all rows of a batch.
	noise := b.Normal(graph.Noise{Pass: l.pass, Stream: l.noiseStreams, Shared: true}, rows, columns)
	l.noiseStreams++
	std := b.Softplus(rho)
	weights := b.Add(mean, b.Mul(std, noise))
	b.Penalty("divergence", l.prior.divergence(b, weights, std, noise))
	return weights
}

// weightPrior is the distribution of a weight before the training, the mixture
// π N(0, σ₁²) + (1 − π) N(0, σ₂²) of a wide and a narrow normal distribution. Blundell et al. 2015
// choose π from ¼, ½ and ¾, −log σ₁ from 0, 1 and 2, and −log σ₂ from 6, 7 and 8.
type weightPrior struct {
	wideWeight float64 // π
	wideStd    float64 // σ₁
}

// logNarrowStd is log σ₂ of the weightPrior.
const logNarrowStd = -6

// divergence returns Σ log q(w) − log P(w), a scalar, for weights w = μ + std·noise, whose density is q, and
// the prior's density P. As (w − μ)/std is the noise, log q(w) = −noise²/2 − log std. Both densities are
// without their factor 1/√2π, which cancels.
func (p weightPrior) divergence(b *graph.Builder, w, std, noise *graph.Node) *graph.Node {
	logPosterior := b.Sub(b.Scale(-0.5, b.Square(noise)), b.Log(std))
	squares := b.Square(w)
	wide := logComponent(b, squares, p.wideWeight, portable.Log(p.wideStd))
	narrow := logComponent(b, squares, 1-p.wideWeight, logNarrowStd)
	logPrior := b.LogSumExpOf(wide, narrow)
	return b.Sum(b.Sub(logPosterior, logPrior))
}

// logComponent returns log(weight · N(w; 0, σ²)) for the squares w², without the factor 1/√2π.
func logComponent(b *graph.Builder, squares *graph.Node, weight, logStd float64) *graph.Node {
	precision := portable.Exp(-2 * logStd) // 1/σ²
	return b.Shift(b.Scale(-0.5*precision, squares), portable.Log(weight)-logStd)
}
