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
	Hyperparameters: []models.Hyperparameter{ // the default is from the reference implementation
		{Name: "temperature", Default: 0.1, Range: models.Range{Min: 0.01, Max: 10}, Help: "softness of the dropout: the smaller, the closer each unit is to fully dropped or fully kept"},
	},
	Build: buildConcrete,
}

// buildConcrete returns the MLP with dropout of learned rates p in front of its layers: of the inputs if
// a.Drop is AllLayers, and of the units of each hidden layer in a.Drop. Rates start at a.Dropout;
// with a.Dropout = 0 nothing is dropped. A sub-network multiplies a unit by a number between 0 and
// 1/(1 − p),
//
//	(1 − sigmoid((log p − log(1−p) + log u − log(1−u)) / temperature)) / (1 − p)
//
// with u uniform between 0 and 1, through which a gradient reaches p.
//
// Each sub-network adds two penalties: "weights", the sum over all layers of the squared weights
// over 1 − p, and "entropy", the sum of p log p + (1−p) log(1−p) over all inputs and units that may
// be dropped. Source: Gal et al. 2017, equation 5.
func buildConcrete(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	activation := Activation(b, a.Activation)
	return func(pass graph.Pass) *graph.Node {
		layers := &concreteLayers{b: b, architecture: a, pass: pass}
		h := x
		previous := "input"                      // name of the layer h
		dropsUnits := a.Drop == models.AllLayers // whether units of h are dropped
		for i, width := range a.Hidden {
			name := layerName(i)
			h = activation(layers.dense(name, previous, h, width, dropsUnits))
			h = b.Layer(name, h)
			previous = name
			dropsUnits = a.Drop.Drops(i, len(a.Hidden))
		}
		output := layers.dense("output", previous, h, a.Outputs, dropsUnits)
		if !layers.hasDropped && pass != graph.Full {
			b.Penalty("entropy", b.Const(0)) // nothing was dropped, and an objective may still use the penalty
		}
		return output
	}
}

// concreteLayers builds the layers of one pass of the Concrete network.
type concreteLayers struct {
	b            *graph.Builder
	architecture models.Architecture
	pass         graph.Pass

	layerCount int  // layers built so far: each has a noise stream of its own
	hasDropped bool // whether a layer built so far drops its inputs in this pass
}

// dense returns a fully connected layer with the given name and number of units on h, the layer named
// previous. If dropsInputs is set, the units of h have a learned dropout rate, sigmoid of the parameter
// "PREVIOUS.dropout", and a sub-network drops them. A sub-network also adds the layer's penalties.
func (l *concreteLayers) dense(name, previous string, h *graph.Node, units int, dropsInputs bool) *graph.Node {
	b := l.b
	noise := graph.Noise{Pass: l.pass, Stream: l.layerCount}
	l.layerCount++
	inputs := h.Shape()[1]
	squares := b.Sum(b.Square(weightMatrix(b, name, inputs, units))) // Dense below has the same parameter
	if dropsInputs && l.architecture.Dropout > 0 {
		rate := l.architecture.Dropout
		logit := b.Param(previous+".dropout", 1, 1, graph.Fill(portable.Log(rate/(1-rate))))
		if l.pass != graph.Full {
			var keepRate *graph.Node
			h, keepRate = concreteDropout(b, h, logit, l.architecture.Float("temperature"), noise)
			squares = b.Div(squares, keepRate)
			l.hasDropped = true
		}
	}
	if l.pass != graph.Full {
		b.Penalty("weights", squares)
	}
	return Dense(b, name, h, units)
}

// concreteDropout returns the units h [rows, units] after dropout at the rate p = sigmoid(logit),
// and 1 − p, a scalar. It adds the penalty "entropy". Every unit is multiplied by a number that is mostly
// close to 0 or close to 1/(1 − p), by the formula in the comment of buildConcrete; unlike a mask of zeros and
// ones, it has a derivative with respect to p.
func concreteDropout(b *graph.Builder, h, logit *graph.Node, temperature float64, noise graph.Noise) (dropped, keepRate *graph.Node) {
	rows, units := h.Shape()[0], h.Shape()[1]
	keepRate = b.Sum(b.Sigmoid(b.Neg(logit)))
	// p log p + (1−p) log(1−p) is p·logit + log(1−p), and log(1−p) = −softplus(logit).
	negativeEntropy := b.Sum(b.Sub(b.Mul(b.Sigmoid(logit), logit), b.Softplus(logit)))
	b.Penalty("entropy", b.Scale(float64(units), negativeEntropy))
	dropLogit := b.Add(b.Logit(b.Uniform(noise, rows, units)), logit)
	keptFraction := b.Sigmoid(b.Scale(-1/temperature, dropLogit)) // 1 − sigmoid(z) = sigmoid(−z)
	return b.Mul(h, b.Mul(keptFraction, b.Pow(keepRate, -1))), keepRate
}
