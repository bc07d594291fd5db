package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/graph"
	"sml/internal/kernels"
	"sml/models"
	"sml/trainers"
	"sml/trainers/optimizer"
)

// work is a case on one of this project's engines.
type work struct {
	once       func() error
	operations int64 // of its products, 0 for what is not known
	close      func() error
}

// timer times the repetitions of a case, in microseconds each.
func (w work) timer(threads int) timer {
	return func(repetitions int) (float64, error) {
		runtime.GOMAXPROCS(threads)
		start := time.Now()
		for range repetitions {
			if err := w.once(); err != nil {
				return 0, err
			}
		}
		return float64(time.Since(start).Nanoseconds()) / 1e3 / float64(repetitions), nil
	}
}

// operations counts what the products of a compiled graph multiply and add, each of
// [m k]·[k n] 2·m·n·k, of the columns that there are, not of those that vectors fill up.
// On another engine it is 0.
func operations(r *graph.Runner) int64 {
	var sum int64
	if p := r.Program(); p != nil {
		for _, s := range p.Instructions() {
			if strings.HasPrefix(s.Kernel, "product") {
				var m, n, k int64
				fmt.Sscanf(s.Size, "[%d %d %d]", &m, &n, &k)
				sum += 2 * m * n * k
			}
		}
	}
	return sum
}

// method is what a case trains, or predicts with.
func (b benchmark) method() string {
	if m, ok := strings.CutSuffix(b.Case, "-step"); ok {
		return m
	}
	return "sml"
}

// experimentOf is a case as "sml train" would run it, on a made table of so many
// batches.
func experimentOf(b benchmark, engine graph.Engine, batches int, seed uint64) (*experiment.Experiment, error) {
	rows := batches * b.Rows
	t := &data.Table{Name: "normal", Targets: []string{"y"}, X: normal(rows * b.Inputs), Y: normal(rows)}
	for j := range b.Inputs {
		t.Columns = append(t.Columns, fmt.Sprint("x", j+1))
	}
	spec, err := models.NewSpec(b.method(), nil, models.Architecture{Inputs: b.Inputs, Targets: 1, Hidden: []int{b.Width, b.Width}, Dropout: 0.1})
	if err != nil {
		return nil, err
	}
	return experiment.Prepare(context.Background(), experiment.Settings{
		Spec: spec, Training: trainers.Settings{Batch: b.Rows, Seed: seed, Engine: engine},
	}, experiment.NewTable(t))
}

// training is that of one member.
type training struct {
	*models.Step
	next    func() error // a whole step: gather a batch, draw masks and noise, objective and gradients, Adam
	spec    models.Spec
	params  *graph.Params
	descent optimizer.State
	masks   graph.MaskKey // of the last step
	pool    *graph.Pool   // nil for one thread
}

func newTraining(b benchmark, engine graph.Engine, seed uint64) (*training, error) {
	e, err := experimentOf(b, engine, b.batches(), seed)
	if err != nil {
		return nil, err
	}
	s := e.Training
	t := &training{spec: e.Spec, masks: graph.MaskKey{Seed: s.Seed}}
	if t.params, err = t.spec.NewParams(s.Seed); err != nil {
		return nil, err
	}
	if t.Step, err = t.spec.NewStep(s.Engine, t.params, s.Batch); err != nil {
		return nil, err
	}
	x, y := e.Inputs, e.Targets
	order := make([]int32, b.batches()*s.Batch)
	for i, j := range rand.New(rand.NewPCG(seed, 2)).Perm(len(order)) {
		order[i] = int32(j)
	}
	adam, err := optimizer.Lookup("adam")
	if err != nil {
		return nil, err
	}
	h, err := adam.Choose(nil)
	if err != nil {
		return nil, err
	}
	if t.descent, err = adam.Start(h, t.params.Len()); err != nil {
		return nil, err
	}
	step, table := 0, e.Data()
	xs, ys := kernels.Standardise(table.X, b.Inputs, x.Means(), x.Stds()), kernels.Standardise(table.Y, 1, y.Means(), y.Stds())
	t.next = func() error {
		rows := order[step%b.batches()*s.Batch:][:s.Batch]
		t.SetProgress(models.Progress{Step: step, Steps: s.Epochs * b.batches(), Rows: len(order)})
		xs.CopyRows(t.X, rows)
		ys.CopyRows(t.Y, rows)
		t.masks.Step = uint32(step)
		t.SampleMasks(t.masks)
		if err := t.Run(); err != nil {
			return err
		}
		step++
		t.descent.Step(t.params.Float32s(), t.Gradient(), optimizer.StepInfo{Step: step, Rate: s.LearningRate})
		return nil
	}
	return t, nil
}

// startPool starts a pool of threads, which share the work of each training step until Close.
func (t *training) startPool(threads int) error {
	t.pool = graph.NewPool(threads)
	if d, ok := t.descent.(optimizer.PoolUser); ok {
		d.UsePool(t.pool)
	}
	return t.UsePool(t.pool)
}

func (t *training) Close() error {
	t.pool.Close()
	return t.Step.Close()
}

// predictor is the sampling of 200 sub-networks for each row.
func predictor(b benchmark, engine graph.Engine) (work, error) {
	e, err := experimentOf(b, engine, 1, 1)
	if err != nil {
		return work{}, err
	}
	params, err := e.Spec.NewParams(e.Training.Seed)
	if err != nil {
		return work{}, err
	}
	inputs, targets := e.Inputs, e.Targets
	model := &models.Model{Spec: e.Spec, Inputs: inputs, Targets: targets, Members: []*graph.Params{params}}
	rows, sampling := e.Gather(model, nil), e.Sampling()
	sampling.Workers = 1
	return work{once: func() error {
		_, err := evaluation.Predict(context.Background(), model, rows, sampling)
		return err
	}, close: func() error { return nil }}, nil
}

func normal(n int) []float64 {
	r := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	return values
}
