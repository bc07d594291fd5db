package models_test

import (
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// Masks and noise without a row for each row of the batch are refused, unless they are for weights: a
// prediction would depend on the place of its row.
func TestNoiseOfOtherRows(t *testing.T) {
	for name, drop := range map[string]func(b builder, h node, p graph.Pass) node{
		"of weights": func(b builder, h node, p graph.Pass) node {
			return b.MatMul(h, b.Dropout(b.Param("w", 4, 4, graph.Uniform(1)), p, 1, 0.5))
		},
		"of as many weights as rows": func(b builder, h node, p graph.Pass) node {
			return b.MatMul(b.Columns(h, 0, 2), b.Dropout(b.Param("w", 2, 4, graph.Uniform(1)), p, 1, 0.5))
		},
		"of tokens": func(b builder, h node, p graph.Pass) node {
			rows := h.Shape()[0]
			if p == graph.Full {
				return h
			}
			return b.Reshape(b.Mul(b.Reshape(h, 2*rows, 2), b.Normal(graph.Noise{Pass: p}, 2*rows, 2)), rows, 4)
		},
	} {
		m := registered(t, mistake{
			name:    "noise " + name,
			method:  models.Method{Objective: squared, DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks},
			network: dropping(drop),
		})
		expect.Error(t, spec(t, m.Name, nil).Examine(1), "predictions would depend on other rows")
	}
}

// A buffer that follows units which a pass drops is no mask of the next pass.
func TestBufferOfDroppedUnits(t *testing.T) {
	m := registered(t, mistake{
		name: "follows dropped units",
		method: models.Method{DropLayers: models.AllLayers, SubNetworks: models.SubNetworkMoments, Predict: methods.PredictSubNetworks, Objective: func(b builder, t task) node {
			return t.MSE(b.MeanOf(t.SubNetworks(2)...), t.Y)
		}},
		network: dropping(func(b builder, h node, p graph.Pass) node {
			h = b.Dropout(h, p, 0, 0.3)
			centre := b.Buffer("centre", 1, 4, graph.Fill(0))
			b.Update("centre", b.MeanRows(h))
			return b.Sub(h, centre)
		}),
	})
	expect.NoError(t, spec(t, m.Name, nil).Examine(1))
}
