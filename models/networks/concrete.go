package networks

import (
	"fmt"

	"sml/data/portable"
	"sml/graph"
	"sml/models"
)

var concrete = models.Network{
	Name:        "concrete",
	Title:       "Concrete dropout",
	Summary:     "fully connected layers that learn how often they drop a unit",
	Source:      "Gal et al. 2017, equation 5",
	Activations: Activations(),
	Build:       Concrete,
}

// temperature of the relaxed coin: the reference implementation's.
const temperature = 0.1

// Concrete is the MLP with a learned dropout rate p of each hidden layer that a.Drop
// names, which starts at a.Dropout. In a sub-network a unit is kept in part,
//
//	h (1 − sigmoid((log p − log(1−p) + log u − log(1−u)) / 0.1)) / (1 − p)
//
// with u uniform. For each such layer it says the penalties "weights", the sum of
// squares of what follows it over 1 − p, and "entropy", p log p + (1−p) log(1−p) for
// each of its units.
func Concrete(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	act := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		h := x
		var keep *graph.Node // 1 − p of the layer before
		if a.Dropout == 0 || a.Drop == models.NoLayers || len(a.Hidden) == 0 {
			b.Penalty("weights", b.Const(0))
			b.Penalty("entropy", b.Const(0))
		}
		layer := func(name string, units int) *graph.Node {
			if keep != nil {
				b.Penalty("weights", b.Div(b.Sum(b.Square(weight(b, name, h.Shape()[1], units))), keep))
			}
			return Dense(b, name, h, units)
		}
		for i, width := range a.Hidden {
			name := fmt.Sprintf("hidden%d", i+1)
			h = act(layer(name, width))
			if keep = nil; a.Dropout == 0 || !a.Drop.Drops(i, len(a.Hidden)) {
				continue
			}
			logit := b.Param(name+".dropout", 1, 1, graph.Filled(portable.Log(a.Dropout/(1-a.Dropout))))
			if pass == graph.Full {
				continue
			}
			keep = b.Sum(b.Sigmoid(b.Neg(logit)))
			// p log p + (1−p) log(1−p) is p·logit + log(1−p), and log(1−p) = −softplus(logit).
			b.Penalty("entropy", b.Scale(float64(width), b.Sum(b.Sub(b.Mul(b.Sigmoid(logit), logit), b.Softplus(logit)))))
			u := b.Uniform(graph.Noise{Pass: pass, Stream: i}, h.Shape()[0], width)
			coin := b.Add(b.Logit(u), logit)
			h = b.Mul(h, b.Mul(b.Sigmoid(b.Scale(-1/temperature, coin)), b.Pow(keep, -1)))
		}
		return layer("output", a.Outputs)
	}
}
