package paper

import (
	"context"

	"sml/data"
	"sml/evaluation/experiment"
	"sml/models"
	"sml/trainers"
)

// Toy is a training on synthetic data that takes seconds.
type Toy struct {
	Dataset string
	Epochs  int
	Split   string // split whose fold 0 is held out; "" if all rows are training rows and test rows
}

// Toys are the two data sets of figure 1, and a table with a split.
var Toys = []Toy{
	{Dataset: "toy", Epochs: 1000},
	{Dataset: "toy-modulated", Epochs: 50}, // it has twenty times as many rows as toy
	{Dataset: "friedman", Epochs: 200, Split: "random"},
}

// Train trains a method with two hidden layers of 50 units. "sml train" with the same settings gives
// the same weights. The experiment has the prepared data on which the model was trained.
func (t Toy) Train(ctx context.Context, method string) (*experiment.Experiment, *models.Model, error) {
	s := experiment.Settings{
		Table:    experiment.Source{Name: t.Dataset},
		Training: trainers.Settings{Epochs: t.Epochs, Seed: 1, Protocol: data.Paper, Split: t.Split},
	}
	table, err := s.Table.Read(ctx, "", s.Training.Protocol)
	if err != nil {
		return nil, nil, err
	}
	s.Spec, err = models.NewSpec(method, nil, models.Architecture{
		Inputs:  len(table.Columns),
		Targets: len(table.Targets),
		Hidden:  []int{50, 50},
		Dropout: 0.1,
	})
	if err != nil {
		return nil, nil, err
	}
	e, err := experiment.Prepare(ctx, s, experiment.NewTable(table))
	if err != nil {
		return nil, nil, err
	}
	trained, err := e.Train(ctx, trainers.Options{})
	if err != nil {
		return nil, nil, err
	}
	return e, trained.Model, nil
}
