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
	seed      = 1    // of tables, weights and batches
	tableRows = 1000 // rows of the training table, and of the table for scores
	batch     = 50   // rows of a step
)

// problem is a table and the network to learn it.
type problem struct {
	table   *data.Table
	inputs  data.Scalers // mean and standard deviation of each input column
	targets data.Scalers // mean and standard deviation of each target column
	spec    models.Spec  // method pu, which predicts mean and standard deviation of a normal distribution
}

// newProblem returns a table of Friedman's function, and a network with two hidden layers for it.
func newProblem() (*problem, error) {
	table := data.Friedman(tableRows, seed)
	inputs := data.FitScalers(table.X, table.Columns, nil)
	targets := data.FitScalers(table.Y, table.Targets, nil)
	architecture := models.Architecture{
		Inputs:  len(inputs),
		Targets: len(targets),
		Hidden:  []int{30, 30},
	}
	spec, err := models.NewSpec("pu", nil, architecture)
	if err != nil {
		return nil, err
	}
	return &problem{table: table, inputs: inputs, targets: targets, spec: spec}, nil
}

// runStep computes the loss and the gradient of the rows with the given indices, as many as the step has.
// number counts the steps of the training from 0; there are steps of them.
func (p *problem) runStep(step *models.Step, rows []int, number, steps int) error {
	standardise(step.X, p.table.X, p.inputs, rows)
	standardise(step.Y, p.table.Y, p.targets, rows)
	return step.Run(models.Position{Step: number, Steps: steps, Rows: p.table.Rows()})
}

// standardise writes standardised values of a table, row by row, to dst. rows are the indices of the rows,
// and scalers has one element for each column.
func standardise(dst []float32, values []float64, scalers data.Scalers, rows []int) {
	columns := len(scalers)
	for i, row := range rows {
		for column, s := range scalers {
			dst[i*columns+column] = float32((values[row*columns+column] - s.Mean) / s.Std)
		}
	}
}

// newAdam returns Adam with its default hyperparameters, for all weights, before the first step.
func newAdam(params *graph.Params) (optimizer.State, error) {
	adam, err := optimizer.Lookup("adam")
	if err != nil {
		return nil, err
	}
	h, err := adam.Choose(nil) // nothing is chosen: the defaults
	if err != nil {
		return nil, err
	}
	return adam.Start(h, params.Len())
}

// model returns the network with its trained weights as a model, which can be saved.
func (p *problem) model(params *graph.Params) *models.Model {
	return &models.Model{
		Spec:    p.spec,
		Inputs:  p.inputs,
		Targets: p.targets,
		Members: []*graph.Params{params},
	}
}

// score returns the scores of a model on a table with the same distribution and other rows.
func (p *problem) score(m *models.Model) (measure.Scores, error) {
	table := data.Friedman(tableRows, seed+1)
	rows := table.Subset(nil, p.inputs, p.targets)
	predictions, err := evaluation.Predict(context.Background(), m, rows, evaluation.Sampling{})
	if err != nil {
		return nil, err
	}
	truth := evaluation.Truth{Y: table.Y, Columns: p.targets}
	scores, err := evaluation.Evaluate(predictions, truth, data.Sound, nil)
	if err != nil {
		return nil, err
	}
	return scores.Standardised, nil
}
