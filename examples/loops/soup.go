package main

import (
	"context"

	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// trainSoup trains a network, trains it further with four learning rates, and returns a model with the
// mean of the four networks' weights. Source: Wortsman et al. 2022, a uniform soup.
func trainSoup(p *problem) (*models.Model, error) {
	ctx := context.Background()
	rows := p.table.Subset(nil, p.inputs, p.targets) // nil: all rows
	first := trainers.Settings{Epochs: 20, Batch: batch, LearningRate: 0.003, Seed: seed}
	start, err := trainers.Train(ctx, p.spec, rows, first, trainers.Options{})
	if err != nil {
		return nil, err
	}
	var networks []*graph.Params
	for i, rate := range []float64{0.0003, 0.0005, 0.001, 0.002} {
		further := trainers.Settings{Epochs: 10, Batch: batch, LearningRate: rate, Seed: seed + uint64(i)}
		result, err := trainers.Train(ctx, p.spec, rows, further, trainers.Options{Initial: start.Members})
		if err != nil {
			return nil, err
		}
		networks = append(networks, result.Members[0])
	}
	return p.model(average(networks)), nil
}

// average replaces the weights of the first network by the means over all networks, and returns the first
// network.
func average(networks []*graph.Params) *graph.Params {
	mean := networks[0].Float32s()
	for i := range mean {
		sum := 0.0
		for _, n := range networks {
			sum += float64(n.Float32s()[i])
		}
		mean[i] = float32(sum / float64(len(networks)))
	}
	return networks[0]
}
