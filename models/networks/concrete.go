package networks

import (
	"sml/graph"
	"sml/internal/portable"
	"sml/models"
)

var concrete = models.Network{
	Name:        "concrete",
	Title:       "Concrete dropout",
	Summary:     "fully connected layers that learn how often they drop an input or a unit",
	Source:      "Gal et al. 2017, equation 5, and its reference implementation",
	Activations: Activations(),
	Hyperparameters: []models.Hyperparameter{ // the default is the reference implementation's
		{Name: "temperature", Default: 0.1, Range: models.Range{Min: 0.01, Max: 10}, Help: "of the relaxed coin: the smaller, the closer to dropping or keeping"},
	},
	Build: Concrete,
}

// Concrete is the MLP with dropout of learned rates p in front of its layers: of the
// inputs if a.Drop is AllLayers, and of the units of each hidden layer that a.Drop names.
// Rates start at a.Dropout; a rate of 0 is never dropped. In a sub-network a unit h is
// kept in part,
//
//	h (1 − sigmoid((log p − log(1−p) + log u − log(1−u)) / temperature)) / (1 − p)
//
// with u uniform. A sub-network says two penalties: "weights", the sum over all layers of
// the squared weights over 1 − p, and "entropy", the sum of p log p + (1−p) log(1−p) over
// all inputs and units that may be dropped.
func Concrete(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		dropped := false
		// layer is a dense layer behind dropout, whose rate is the parameter from.dropout.
		layer := func(name, from string, h *graph.Node, units, stream int, drop bool) *graph.Node {
			inputs := h.Shape()[1]
			squares := b.Sum(b.Square(weight(b, name, inputs, units)))
			if drop && a.Dropout > 0 {
				logit := b.Param(from+".dropout", 1, 1, graph.Filled(portable.Log(a.Dropout/(1-a.Dropout))))
				if pass != graph.Full {
					var keep *graph.Node
					h, keep = concreteDropout(b, h, logit, a.Float("temperature"), graph.Noise{Pass: pass, Stream: stream})
					squares = b.Div(squares, keep)
					dropped = true
				}
			}
			if pass != graph.Full {
				b.Penalty("weights", squares)
			}
			return Dense(b, name, h, units)
		}
		h, from := x, "input"
		drop := a.Drop == models.AllLayers
		for i, width := range a.Hidden {
			name := layerName(i)
			h = act(layer(name, from, h, width, i, drop))
			b.Layer(name, h)
			from, drop = name, a.Drop.Drops(i, len(a.Hidden))
		}
		out := layer("output", from, h, a.Outputs, len(a.Hidden), drop)
		if !dropped && pass != graph.Full {
			b.Penalty("entropy", b.Const(0)) // an objective may ask for it all the same
		}
		return out
	}
}

// concreteDropout drops units h [rows, units] by a relaxed coin of the rate sigmoid(logit),
// says the penalty "entropy", and returns what is left and the share 1 − p that is kept.
func concreteDropout(b *graph.Builder, h, logit *graph.Node, temperature float64, noise graph.Noise) (left, keep *graph.Node) {
	rows, units := h.Shape()[0], h.Shape()[1]
	keep = b.Sum(b.Sigmoid(b.Neg(logit)))
	// p log p + (1−p) log(1−p) is p·logit + log(1−p), and log(1−p) = −softplus(logit).
	b.Penalty("entropy", b.Scale(float64(units), b.Sum(b.Sub(b.Mul(b.Sigmoid(logit), logit), b.Softplus(logit)))))
	coin := b.Add(b.Logit(b.Uniform(noise, rows, units)), logit)
	return b.Mul(h, b.Mul(b.Sigmoid(b.Scale(-1/temperature, coin)), b.Pow(keep, -1))), keep
}
