package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

var methodOf = map[string]string{"sml-step": "sml", "mc-step": "mc", "pu-step": "pu", "predict": "sml"}

// experimentOf is a case as "sml train" would run it, on a made table of so many
// batches.
func experimentOf(b benchmark, engine graph.Engine, batches int) (*experiment.Experiment, error) {
	rows := batches * b.Batch
	t := &data.Table{Name: "normal", Targets: []string{"y"}, X: normal(rows * b.Features), Y: normal(rows)}
	for j := range b.Features {
		t.Columns = append(t.Columns, fmt.Sprint("x", j+1))
	}
	spec, err := models.NewSpec(methodOf[b.Case], nil, models.Architecture{Inputs: b.Features, Targets: 1, Hidden: []int{50, 50}, Dropout: 0.1})
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
		key := b.Case + string(rune(b.Features)) + string(rune(b.Batch))
		once, ok := ready[key]
		if !ok {
			var err error
			if b.Case == "predict" {
				once, err = predictor(b, engine)
			} else {
				once, err = stepper(b, engine)
			}
			if err != nil {
				return 0, err
			}
			ready[key] = once
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

// stepper returns one whole training step: gather a batch, draw masks,
// objective and gradients, Adam.
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
	return func() error {
		rows := order[step%batches*s.Batch:][:s.Batch]
		graph.Gather(run.X, table.X, b.Features, rows, x.Mean, x.Std)
		graph.Gather(run.Y, table.Y, 1, rows, y.Mean, y.Std)
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
