// Package plain has a network and an objective that call Gorgonia's own functions wherever they can: the
// functions of graph.Builder are a shorter way to write the same. Start with objective, then network.
// Importing the package registers the network "plain" and the methods "plain", which trains this network
// with dropout, and "plain-de", an ensemble of three.
package plain

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// init registers the network and both methods, which differ only in the fields of an ensemble.
func init() {
	models.RegisterNetwork(models.Network{
		Name:    "plain",
		Summary: "layers of half a tanh, in plain Gorgonia",
		Source:  "an example",
		Build:   network,
	})
	m := models.Method{
		Name:        "plain",
		Title:       "Plain",
		Summary:     "squared error and a cosine, in plain Gorgonia",
		Source:      "an example",
		Network:     "plain",
		Objective:   objective,
		DropLayers:  models.AllLayers,
		SubNetworks: models.SubNetworkMoments,
		Predict:     methods.PredictFullWithShift,
	}
	models.Register(m)
	m.Name = "plain-de"
	m.Title = "Plain-DE"
	m.Summary = "an ensemble of three plain networks"
	m.Members = 3
	m.MemberMethod = "plain"
	m.Combine = models.CombineAsNormal
	models.Register(m)
}

// half returns the constant ½ in the number type of the graph. Every graph needs a constant of its own,
// because several graphs may be built at the same time.
func half(b *graph.Builder) *graph.Node {
	if b.Dtype() == graph.Float32 {
		return gorgonia.NewConstant(float32(0.5))
	}
	return gorgonia.NewConstant(0.5)
}

// network returns a network with hidden layers tanh(z)/2 + z/2 for z = h·W + bias, where h is the layer
// before. gorgonia.Must panics after an error, and sml reports the panic as an error of the network.
func network(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			z := linear(b, fmt.Sprintf("hidden%d", i+1), h, width)
			sum := gorgonia.Must(gorgonia.Add(gorgonia.Must(gorgonia.Tanh(z)), z))
			h = gorgonia.Must(gorgonia.HadamardProd(sum, b.Graph().AddNode(half(b))))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return linear(b, "output", h, a.Outputs)
	}
}

// linear returns the layer h·W + bias [rows, units] for h [rows, inputs]. Its parameters are name.weight
// and name.bias, which start between −½ and ½.
func linear(b *graph.Builder, name string, h *graph.Node, units int) *graph.Node {
	inputs := h.Shape()[1]
	weight := b.Weight(name+".weight", inputs, units, graph.Uniform(0.5))
	product := gorgonia.Must(gorgonia.Mul(h, weight))
	bias := b.Param(name+".bias", 1, units, graph.Uniform(0.5))
	repeatRows := []byte{0} // BroadcastAdd repeats the bias along axis 0
	return gorgonia.Must(gorgonia.BroadcastAdd(product, bias, nil, repeatRows))
}

// objective returns the mean over rows of (f − y)² + (1 − cos(g − y)), a scalar, for the full network f
// and a sub-network g.
func objective(b *graph.Builder, t *models.Task) *graph.Node {
	one := b.Const(1)
	fullError := gorgonia.Must(gorgonia.Sub(t.Forward(graph.Full), t.Y))
	square := gorgonia.Must(gorgonia.Square(fullError))
	subError := gorgonia.Must(gorgonia.Sub(t.Forward(graph.Drop(0)), t.Y))
	wave := gorgonia.Must(gorgonia.Sub(one, gorgonia.Must(gorgonia.Cos(subError))))
	return gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Add(square, wave))))
}
