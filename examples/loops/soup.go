package main

import (
	"context"

	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// trainSoup trains a network, trains it further by four learning rates, and averages the weights
// of the four. Source: Wortsman et al. 2022, a uniform soup.
func trainSoup(p *problem) (*models.Model, error) {
	rows := p.table.Subset(nil, p.x, p.y)
	start, err := trainers.Train(context.Background(), p.spec, rows, trainers.Settings{Epochs: 20, Batch: batch, LearningRate: 0.003, Seed: seed}, trainers.Options{})
	if err != nil {
		return nil, err
	}
	var soup []*graph.Params
	for i, rate := range []float64{0.0003, 0.0005, 0.001, 0.002} {
		settings := trainers.Settings{Epochs: 10, Batch: batch, LearningRate: rate, Seed: seed + uint64(i)}
		result, err := trainers.Train(context.Background(), p.spec, rows, settings, trainers.Options{Initial: start.Members})
		if err != nil {
			return nil, err
		}
		soup = append(soup, result.Members[0])
	}
	return p.model(average(soup)), nil
}

// average writes the mean of the weights of all networks into the first, and returns it.
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
