package main

import (
	"context"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models"
	_ "sml/models/methods"
	"sml/trainers/optimizer"
)

const (
	seed  = 1
	batch = 50 // rows of a step
)

// problem is a table and the network to learn it.
type problem struct {
	table *data.Table
	x, y  data.Scalers
	spec  models.Spec // of method pu: mean and standard deviation of a normal distribution
}

func newProblem() (*problem, error) {
	p := &problem{table: data.Friedman(1000, seed)}
	p.x = data.FitScalers(p.table.X, p.table.Columns, nil)
	p.y = data.FitScalers(p.table.Y, p.table.Targets, nil)
	var err error
	p.spec, err = models.NewSpec("pu", nil, models.Architecture{Inputs: len(p.x), Targets: len(p.y), Hidden: []int{30, 30}})
	return p, err
}

// runStep computes the loss and the gradient of some rows, as many as the step has. number
// counts the steps from 0.
func (p *problem) runStep(step *models.Step, rows []int, number int) error {
	standardise(step.X, p.table.X, p.x, rows)
	standardise(step.Y, p.table.Y, p.y, rows)
	step.SetProgress(models.Progress{Step: number})
	step.SampleMasks(graph.MaskKey{Seed: seed, Step: uint32(number)})
	return step.Run()
}

// standardise writes the standardised values of some rows of a table into a batch.
func standardise(batch []float32, values []float64, scalers data.Scalers, rows []int) {
	width := len(scalers)
	for i, row := range rows {
		for j, s := range scalers {
			batch[i*width+j] = float32((values[row*width+j] - s.Mean) / s.Std)
		}
	}
}

// newAdam returns Adam with its default hyperparameters, for all weights.
func newAdam(params *graph.Params) (optimizer.State, error) {
	adam, err := optimizer.Lookup("adam")
	if err != nil {
		return nil, err
	}
	h, err := adam.Choose(nil)
	if err != nil {
		return nil, err
	}
	return adam.Start(h, params.Len())
}

// model returns the network with its trained weights as a model, to be saved.
func (p *problem) model(params *graph.Params) *models.Model {
	return &models.Model{Spec: p.spec, Inputs: p.x, Targets: p.y, Members: []*graph.Params{params}}
}

// judge scores a model's predictions of 1000 other rows.
func (p *problem) judge(m *models.Model) (measure.Scores, error) {
	other := data.Friedman(1000, seed+1)
	predictions, err := evaluation.Predict(context.Background(), m, other.Subset(nil, p.x, p.y), evaluation.Sampling{})
	if err != nil {
		return nil, err
	}
	e, err := evaluation.Evaluate(predictions, evaluation.Truth{Y: other.Y, Columns: p.y}, data.Sound, nil)
	return e.Standardised, err
}
