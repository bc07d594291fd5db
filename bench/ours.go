package main

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/models"
)

var methodOf = map[string]string{"sml-step": "sml", "mc-step": "mc", "pu-step": "pu", "predict": "sml"}

func specOf(b benchmark) (models.Spec, error) {
	return models.NewSpec(methodOf[b.Case], nil, models.Architecture{
		Inputs: b.Features, Targets: 1, Hidden: []int{50, 50}, Activation: "relu", Dropout: 0.1,
	})
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
	spec, err := specOf(b)
	if err != nil {
		return nil, err
	}
	params, err := spec.NewParams(1)
	if err != nil {
		return nil, err
	}
	run, err := spec.NewStep(engine, params, b.Batch)
	if err != nil {
		return nil, err
	}
	const batches = 20
	x, y := normal(batches*b.Batch*b.Features), normal(batches*b.Batch)
	mean, std := make([]float64, b.Features), make([]float64, b.Features)
	for j := range std {
		std[j] = 1
	}
	order := make([]int32, batches*b.Batch)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(len(order)) {
		order[i] = int32(j)
	}
	m, v := make([]float32, params.Len()), make([]float32, params.Len())
	step := 0
	return func() error {
		rows := order[step%batches*b.Batch:][:b.Batch]
		graph.Gather(run.X, x, b.Features, rows, mean, std)
		graph.Gather(run.Y, y, 1, rows, mean[:1], std[:1])
		run.SampleMasks(graph.MaskKey{Seed: 1, Step: uint32(step)})
		if err := run.Run(); err != nil {
			return err
		}
		step++
		c1, c2 := 1/(1-math.Pow(0.9, float64(step))), 1/(1-math.Pow(0.999, float64(step)))
		graph.AdamStep(params.Float32s(), run.Gradient(), m, v, 0.001, 0.9, 0.999, 1e-8, float32(c1), float32(c2), 0)
		return nil
	}, nil
}

// predictor returns the sampling of 200 sub-networks for each row.
func predictor(b benchmark, engine graph.Engine) (func() error, error) {
	spec, err := specOf(b)
	if err != nil {
		return nil, err
	}
	params, err := spec.NewParams(1)
	if err != nil {
		return nil, err
	}
	model := &models.Model{Spec: spec, Members: []*graph.Params{params}}
	rows := data.Subset{X: normal(b.Batch * b.Features)}
	return func() error {
		_, err := evaluation.Predict(context.Background(), model, rows, evaluation.Sampling{Engine: engine, Workers: 1})
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
