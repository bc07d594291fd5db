package main

import (
	"fmt"

	"sml/graph"
	"sml/models"
)

func init() {
	models.Register(models.Method{
		Name: "sml-residual", Title: "SML-R", Summary: "the second-moment loss on a residual network",
		Source:          "Sicking et al. 2021, equation 1; He et al. 2016",
		Network:         residual,
		Objective:       models.SecondMoment,
		Hyperparameters: secondMomentSettings(),
		Drop:            models.AllLayers,
		Stochastic:      true,
		Predict:         models.FullWithShift,
	})
}

func secondMomentSettings() []models.Hyperparameter {
	m, err := models.Lookup("sml")
	if err != nil {
		panic(err)
	}
	return m.Hyperparameters
}

// residual is a network whose hidden layers, after the first, add to what
// comes in. All hidden layers have the first one's width.
func residual(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
	return func(pass graph.Pass) *graph.Node {
		h := x
		for i := range a.Hidden {
			block := b.ReLU(models.Dense(b, fmt.Sprintf("block%d", i+1), h, a.Hidden[0]))
			block = b.Dropout(block, pass, i, a.Dropout)
			if i > 0 {
				block = b.Add(h, block)
			}
			h = block
		}
		return models.Dense(b, "output", h, a.Outputs)
	}
}
