// Package plain is a method whose network and objective call Gorgonia's own
// functions wherever they can: what a graph.Builder offers is a shorter way to
// say the same. Importing the package registers the network "plain" and the methods
// "plain", which trains it with dropout, and "plain-de", an ensemble of three.
package plain

import (
	"gorgonia.org/gorgonia"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

func init() {
	models.RegisterNetwork(models.Network{Name: "plain", Summary: "layers of half a tanh, in plain Gorgonia", Source: "an example", Build: network})
	m := models.Method{
		Name: "plain", Title: "Plain", Summary: "squared error and a cosine, in plain Gorgonia",
		Source:          "an example",
		Network:         "plain",
		Objective:       objective,
		DropLayers:      models.AllLayers,
		UsesSubNetworks: true,
		Predict:         methods.PredictFullWithShift,
	}
	models.Register(m)
	m.Name = "plain-de"
	m.Title = "Plain-DE"
	m.Summary = "an ensemble of three plain networks"
	m.Members = 3
	m.MemberMethod = "plain"
	m.Combine = methods.CombineAsNormal
	models.Register(m)
}

// half returns a constant for one graph. Graphs must not share it, because several may be
// built at the same time.
func half(b *graph.Builder) *graph.Node {
	if b.Dtype() == graph.Float32 {
		return gorgonia.NewConstant(float32(0.5))
	}
	return gorgonia.NewConstant(0.5)
}

// network has hidden layers of tanh(h·W + bias)/2 + (h·W + bias)/2.
func network(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	layer := func(name string, h *graph.Node, units int) *graph.Node {
		inputs := h.Shape()[1]
		product := gorgonia.Must(gorgonia.Mul(h, b.Weight(name+".weight", inputs, units, graph.Uniform(0.5))))
		return gorgonia.Must(gorgonia.BroadcastAdd(product, b.Param(name+".bias", 1, units, graph.Uniform(0.5)), nil, []byte{0}))
	}
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i, width := range a.Hidden {
			z := layer("hidden"+string(rune('1'+i)), h, width)
			h = gorgonia.Must(gorgonia.Add(gorgonia.Must(gorgonia.Tanh(z)), z))
			h = gorgonia.Must(gorgonia.HadamardProd(h, b.Graph().AddNode(half(b))))
			if a.Drop.Drops(i, len(a.Hidden)) {
				h = b.Dropout(h, pass, i, a.Dropout)
			}
		}
		return layer("output", h, a.Outputs)
	}
}

// objective is the mean over rows of (f − y)² + (1 − cos(f~ − y)), for the full
// network f and a sub-network f~.
func objective(b *graph.Builder, t *models.Task) *graph.Node {
	one := b.Const(1)
	square := gorgonia.Must(gorgonia.Square(gorgonia.Must(gorgonia.Sub(t.Forward(graph.Full), t.Y))))
	wave := gorgonia.Must(gorgonia.Sub(one, gorgonia.Must(gorgonia.Cos(gorgonia.Must(gorgonia.Sub(t.Forward(graph.Drop(0)), t.Y))))))
	return gorgonia.Must(gorgonia.Mean(gorgonia.Must(gorgonia.Add(square, wave))))
}
