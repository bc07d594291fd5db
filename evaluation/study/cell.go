package study

import (
	"context"
	"errors"
	"fmt"

	"sml/data"
	"sml/data/strict"
	"sml/evaluation"
	"sml/models"
	"sml/trainers"
)

// trained is the model of a cell with its rows.
type trained struct {
	model    *models.Model
	warnings []string
	first    []string // warnings of the first member, if it were alone
	dataset  *dataset
	cut      *cut
}

// rows gathers rows in the model's units.
func (t *trained) rows(numbers []int) data.Subset {
	return t.dataset.table.Subset(numbers, t.cut.x, t.cut.y)
}

// train trains a cell on one goroutine. tell is told the share that is done.
func (c Cell) train(ctx context.Context, d *dataset, tell func(share float64)) (*trained, error) {
	cut := d.cuts[c.cutName()]
	if cut.err != nil {
		return nil, cut.err
	}
	t := &trained{dataset: d, cut: cut}
	result, err := trainers.Train(ctx, c.Spec, t.rows(d.train(cut)), c.Settings, trainers.Options{
		Workers: 1,
		Progress: func(p trainers.Progress) {
			tell((float64(p.Member) + float64(p.Epoch)/float64(p.Epochs)) / float64(p.Members))
		},
	})
	if err != nil {
		return nil, err
	}
	t.model, t.warnings, t.first = result.Model(c.Spec, d.table, cut.x, cut.y), result.Warnings, result.FirstWarnings
	return t, nil
}

// only returns a model of the first member, as a model of the method that it is.
func (t *trained) only(spec models.Spec) *trained {
	m := *t.model
	m.Spec = spec
	m.Members = m.Members[:1]
	m.History.Rows = nil
	for _, row := range t.model.History.Rows {
		if row.Member == 0 {
			m.History.Rows = append(m.History.Rows, row)
		}
	}
	return &trained{model: &m, warnings: t.first, first: t.first, dataset: t.dataset, cut: t.cut}
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
func (c Cell) judge(ctx context.Context, t *trained) (Result, map[string][]byte, error) {
	target := t.model.Targets[0]
	train := t.dataset.train(t.cut)
	r := Result{Warnings: t.warnings, Loss: strict.Number(lastLoss(t.model.History)), TrainRows: len(train), TargetMean: strict.Number(target.Mean), TargetStd: strict.Number(target.Std)}
	test, predictions, err := c.score(ctx, t, t.cut.test)
	if err != nil {
		return r, nil, err
	}
	r.Test = test
	if kindOf(c.Split).Train != "" {
		if r.Train, _, err = c.score(ctx, t, train); err != nil {
			return r, nil, err
		}
	}
	files, err := c.keep(ctx, t, predictions)
	return r, files, err
}

func (c Cell) score(ctx context.Context, t *trained, rows []int) (*Judged, *evaluation.Predictions, error) {
	s := evaluation.Sampling{Samples: c.Samples, Seed: c.Settings.RandomSeed(), Workers: 1, Engine: c.Settings.Engine}
	if c.Predict == bySubNetworks {
		s.Predict = models.SubNetworks
	}
	p, err := evaluation.Predict(ctx, t.model, t.rows(rows), s)
	if err != nil {
		return nil, nil, err
	}
	e, err := evaluation.Evaluate(p, t.dataset.table.TargetsOf(rows), t.model.Targets, c.Protocol)
	if err != nil {
		return nil, nil, err
	}
	return judged(e), p, nil
}

// guarded runs a cell's work and turns a panic into an error, so that one
// broken cell does not end a study.
func guarded(work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return work()
}

// interrupted tells whether an error only says that the study was stopped.
func interrupted(err error) bool {
	var i *trainers.Interrupted
	return errors.As(err, &i) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
