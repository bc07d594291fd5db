package study

import (
	"context"
	"errors"
	"slices"

	"sml/data"
	"sml/data/strict"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// train trains a cell. tell is told the share that is done.
func (c Cell) train(ctx context.Context, t *experiment.Table, o trainers.Options, tell func(share float64)) (_ *experiment.Trained, err error) {
	defer recovered(&err)
	e, err := experiment.Prepare(ctx, c.Settings, t)
	if err != nil {
		return nil, err
	}
	done := make([]float64, c.Training.Members) // of each the share
	sum := 0.0
	now := func(member, epoch int) {
		sum -= done[member]
		done[member] = float64(epoch) / float64(c.Training.Epochs) / float64(len(done))
		sum += done[member]
		tell(sum)
	}
	for i, s := range o.Resume {
		now(i, s.Epoch)
	}
	o.Progress = func(p trainers.Progress) { now(p.Member, p.Epoch) }
	return e.Train(ctx, o)
}

// only is the first member, as a model of its own method.
func only(t *experiment.Trained, spec models.Spec) *experiment.Trained {
	m := *t.Model
	m.Spec = spec
	m.Spec.Architecture.Inputs = t.Model.Architecture.Inputs // those of the fold
	m.Members = m.Members[:1]
	m.History.Rows = slices.DeleteFunc(slices.Clone(m.History.Rows), func(row models.Epoch) bool { return row.Member > 0 })
	return &experiment.Trained{Model: &m, Experiment: t.Experiment, Warnings: t.FirstWarnings, FirstWarnings: t.FirstWarnings}
}

// lastLoss is the mean of the members' last losses.
func lastLoss(h models.History) float64 {
	last := make(map[int]float64)
	for _, row := range h.Rows {
		last[row.Member] = row.Values[0]
	}
	sum := 0.0
	for k := range len(last) {
		sum += last[k]
	}
	return sum / float64(len(last))
}

// judge scores a trained cell, and returns what is to be kept beside.
func (c Cell) judge(ctx context.Context, t *experiment.Trained, workers int) (_ Result, _ map[string][]byte, err error) {
	defer recovered(&err)
	target, train := t.Targets[0], t.Experiment.TrainRows()
	r := Result{Warnings: t.Warnings, Loss: strict.Number(lastLoss(t.History)), TrainRows: len(train), TargetMean: strict.Number(target.Mean), TargetStd: strict.Number(target.Std)}
	test, predictions, err := score(ctx, t, t.Experiment.TestRows(), workers)
	if err != nil {
		return r, nil, err
	}
	r.Test = test
	var fitted *evaluation.Predictions
	if c.judgesTraining() {
		if r.Train, fitted, err = score(ctx, t, train, workers); err != nil {
			return r, nil, err
		}
	}
	if r.Train != nil && c.Training.Protocol == data.Paper && c.Training.Calibrate == 0 {
		if err := r.recalibrate(t, fitted, predictions); err != nil {
			return r, nil, err
		}
	}
	files, err := c.keep(ctx, t, predictions)
	return r, files, err
}

// judgesTraining tells whether the rows that are trained on are judged as well.
func (c Cell) judgesTraining() bool {
	return kindOf(c.Training.Split).Train != "" && c.Training.Inner.Folds == 0
}

func score(ctx context.Context, t *experiment.Trained, rows []int, workers int) (*RowScores, *evaluation.Predictions, error) {
	s := t.Experiment.Sampling()
	s.Workers = workers
	e, p, err := t.Experiment.Judge(ctx, t.Model, rows, s)
	if err != nil {
		return nil, nil, err
	}
	return &RowScores{Rows: e.Rows, Scores: e.Standardised, DropShare: e.DropShare}, p, nil
}

// recovered turns a panic into an error, so that one broken cell does not end a
// study.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = graph.Panicked("the cell", r)
	}
}

// interrupted tells whether an error only says that the study was stopped.
func interrupted(err error) bool {
	var i *trainers.Interrupted
	return errors.As(err, &i) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
