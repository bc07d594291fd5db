package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// method is what a case trains, or predicts with.
func (b benchmark) method() string {
	if m, ok := strings.CutSuffix(b.Case, "-step"); ok {
		return m
	}
	return "sml"
}

// experimentOf is a case as "sml train" would run it, on a made table of so many
// batches.
func experimentOf(b benchmark, engine graph.Engine, batches int) (*experiment.Experiment, error) {
	rows := batches * b.Batch
	t := &data.Table{Name: "normal", Targets: []string{"y"}, X: normal(rows * b.Features), Y: normal(rows)}
	for j := range b.Features {
		t.Columns = append(t.Columns, fmt.Sprint("x", j+1))
	}
	spec, err := models.NewSpec(b.method(), nil, models.Architecture{Inputs: b.Features, Targets: 1, Hidden: []int{50, 50}, Dropout: 0.1})
	if err != nil {
		return nil, err
	}
	return experiment.Prepare(context.Background(), experiment.Settings{
		Spec: spec, Training: trainers.Settings{Batch: b.Batch, Seed: 1, Engine: engine},
	}, experiment.Share(t))
}

// ours times a case on one of this project's engines.
func ours(engine graph.Engine) func(benchmark, int) (float64, error) {
	ready := make(map[string]func() error)
	return func(b benchmark, repetitions int) (float64, error) {
		once, ok := ready[b.String()]
		if !ok {
			build := stepper
			switch b.Case {
			case "predict":
				build = predictor
			case "convolution":
				build = convolution
			case "conv-products":
				build = products
			}
			var err error
			if once, err = build(b, engine); err != nil {
				return 0, err
			}
			ready[b.String()] = once
		}
		start := time.Now()
		for range repetitions {
			if err := once(); err != nil {
				return 0, err
			}
		}
		return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(repetitions), nil
	}
}

// stepper returns one whole training step of one member: gather a batch, draw masks and
// noise, objective and gradients, Adam.
func stepper(b benchmark, engine graph.Engine) (func() error, error) {
	const batches = 20
	e, err := experimentOf(b, engine, batches)
	if err != nil {
		return nil, err
	}
	s := e.Training
	params, err := e.Spec.NewParams(s.Seed)
	if err != nil {
		return nil, err
	}
	run, err := e.Spec.NewStep(s.Engine, params, s.Batch)
	if err != nil {
		return nil, err
	}
	inputs, targets := e.Scale()
	x, y := trainers.Scaler(inputs), trainers.Scaler(targets)
	order := make([]int32, batches*s.Batch)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(len(order)) {
		order[i] = int32(j)
	}
	m, v := make([]float32, params.Len()), make([]float32, params.Len())
	step, table := 0, e.Data()
	xs, ys := graph.Standardise(table.X, b.Features, x.Mean, x.Std), graph.Standardise(table.Y, 1, y.Mean, y.Std)
	return func() error {
		rows := order[step%batches*s.Batch:][:s.Batch]
		run.At(models.Progress{Step: step, Steps: s.Epochs * batches, Rows: len(order)})
		xs.Gather(run.X, rows)
		ys.Gather(run.Y, rows)
		run.SampleMasks(graph.MaskKey{Seed: s.Seed, Step: uint32(step)})
		if err := run.Run(); err != nil {
			return err
		}
		step++
		a := s.Adam
		c1, c2 := 1/(1-math.Pow(a.Beta1, float64(step))), 1/(1-math.Pow(a.Beta2, float64(step)))
		graph.AdamStep(params.Float32s(), run.Gradient(), m, v, float32(s.LearningRate), float32(a.Beta1), float32(a.Beta2), float32(a.Epsilon), float32(c1), float32(c2), 0)
		return nil
	}, nil
}

// predictor returns the sampling of 200 sub-networks for each row.
func predictor(b benchmark, engine graph.Engine) (func() error, error) {
	e, err := experimentOf(b, engine, 1)
	if err != nil {
		return nil, err
	}
	params, err := e.Spec.NewParams(e.Training.Seed)
	if err != nil {
		return nil, err
	}
	inputs, targets := e.Scale()
	model := &models.Model{Spec: e.Spec, Inputs: inputs, Targets: targets, Members: []*graph.Params{params}}
	rows, sampling := e.Gather(model, nil), e.Sampling()
	sampling.Workers = 1
	return func() error {
		_, err := evaluation.Predict(context.Background(), model, rows, sampling)
		return err
	}, nil
}

func normal(n int) []float64 {
	r := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	return values
}
