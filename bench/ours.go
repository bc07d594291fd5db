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

// work is a case that is ready to run on one of our engines.
type work struct {
	once       func() error // does the work once
	operations int64        // multiplications and additions of its matrix products; 0 if not known
	close      func() error
}

// timer returns a timer of the work on a number of threads. The timer sets GOMAXPROCS.
func (w work) timer(threads int) timer {
	return func(repetitions int) (float64, error) {
		runtime.GOMAXPROCS(threads) // in each turn, as other sides have other numbers of threads
		start := time.Now()
		for range repetitions {
			if err := w.once(); err != nil {
				return 0, err
			}
		}
		const nanosecondsPerMicrosecond = 1e3
		return float64(time.Since(start).Nanoseconds()) / nanosecondsPerMicrosecond / float64(repetitions), nil
	}
}

// countOperations returns the number of multiplications and additions in the matrix products of a
// compiled graph: 2·m·n·k for a product of [m, k] and [k, n]. Padding, with which kernels fill up
// vectors, does not count. It returns 0 for another engine, which has no program.
func countOperations(r *graph.Runner) int64 {
	program := r.Program()
	if program == nil {
		return 0
	}
	var operations int64
	for _, instruction := range program.Instructions() {
		if !strings.HasPrefix(instruction.Kernel, "product") {
			continue
		}
		var m, n, k int64
		fmt.Sscanf(instruction.Size, "[%d %d %d]", &m, &n, &k)
		operations += 2 * m * n * k
	}
	return operations
}

// method returns the method that a case trains. Predictions are made with sml.
func (b benchmark) method() string {
	if method, isStep := strings.CutSuffix(b.Case, "-step"); isStep {
		return method
	}
	return "sml"
}

// newExperiment returns the experiment that "sml train" would run for a case, on a random table with the
// given number of batches.
func newExperiment(b benchmark, engine graph.Engine, batches int, seed uint64) (*experiment.Experiment, error) {
	rows := batches * b.Rows
	table := &data.Table{
		Name:    "normal",
		Targets: []string{"y"},
		X:       normalNumbers(rows * b.Inputs),
		Y:       normalNumbers(rows),
	}
	for j := range b.Inputs {
		table.Columns = append(table.Columns, fmt.Sprint("x", j+1))
	}
	architecture := models.Architecture{Inputs: b.Inputs, Targets: 1, Hidden: []int{b.Width, b.Width}, Dropout: 0.1}
	spec, err := models.NewSpec(b.method(), nil, architecture)
	if err != nil {
		return nil, err
	}
	settings := experiment.Settings{
		Spec:     spec,
		Training: trainers.Settings{Batch: b.Rows, Seed: seed, Engine: engine},
	}
	return experiment.Prepare(context.Background(), settings, experiment.NewTable(table))
}

// training is the training of one network, step by step. It repeats the loop of package trainers, so
// that a single step can be timed.
type training struct {
	*models.Step
	spec     models.Spec
	settings trainers.Settings
	params   *graph.Params
	adam     optimizer.State
	masks    graph.MaskKey // key of the dropout masks of the last step
	pool     *graph.Pool   // nil for one thread

	batches int
	order   []int32               // indexes of the rows in random order; a batch is a part of it
	inputs  *kernels.Standardised // standardised inputs of all rows
	targets *kernels.Standardised // standardised targets of all rows
	steps   int                   // steps done
}

// newTraining returns the training of a case before its first step.
func newTraining(b benchmark, engine graph.Engine, seed uint64) (*training, error) {
	e, err := newExperiment(b, engine, b.batches(), seed)
	if err != nil {
		return nil, err
	}
	table := e.Data()
	t := &training{
		spec:     e.Spec,
		settings: e.Training,
		masks:    graph.MaskKey{Seed: e.Training.Seed},
		batches:  b.batches(),
		order:    randomOrder(b.batches()*e.Training.Batch, seed),
		inputs:   kernels.Standardise(table.X, b.Inputs, e.Inputs.Means(), e.Inputs.Stds()),
		targets:  kernels.Standardise(table.Y, 1, e.Targets.Means(), e.Targets.Stds()),
	}
	t.params, err = t.spec.NewParams(t.settings.Seed)
	if err != nil {
		return nil, err
	}
	t.Step, err = t.spec.NewStep(t.settings.Engine, t.params, t.settings.Batch)
	if err != nil {
		return nil, err
	}
	t.adam, err = newAdam(t.params.Len())
	return t, err
}

// randomOrder returns the numbers 0, …, n−1 in random order.
func randomOrder(n int, seed uint64) []int32 {
	const stream = 2
	order := make([]int32, n)
	for i, j := range rand.New(rand.NewPCG(seed, stream)).Perm(n) {
		order[i] = int32(j)
	}
	return order
}

// newAdam returns the state of Adam, with its default hyperparameters, for a number of weights.
func newAdam(weights int) (optimizer.State, error) {
	adam, _ := optimizer.Lookup("adam")
	hyperparameters, _ := adam.Choose(nil) // its defaults
	return adam.Start(hyperparameters, weights)
}

// next does a whole step: it gathers a batch, draws dropout masks and noise, computes the objective and
// its gradients, and updates the weights with Adam.
func (t *training) next() error {
	batch := t.settings.Batch
	rows := t.order[t.steps%t.batches*batch:][:batch]
	t.inputs.CopyRows(t.X, rows)
	t.targets.CopyRows(t.Y, rows)
	t.masks.Step = uint32(t.steps)
	position := models.Position{Step: t.steps, Steps: t.settings.Epochs * t.batches, Rows: len(t.order), Masks: t.masks}
	if err := t.Run(position); err != nil {
		return err
	}
	t.steps++
	info := optimizer.StepInfo{Step: t.steps, Rate: t.settings.LearningRate} // counts steps from 1
	t.adam.Step(t.params.Float32s(), t.Gradient(), info)
	return nil
}

// startPool starts a pool of threads, which share the work of each training step until Close.
func (t *training) startPool(threads int) error {
	t.pool = graph.NewPool(threads)
	if user, ok := t.adam.(optimizer.PoolUser); ok {
		user.UsePool(t.pool)
	}
	return t.UsePool(t.pool)
}

// Close frees the graph and ends the pool.
func (t *training) Close() error {
	t.pool.Close()
	return t.Step.Close()
}

// predictionWork returns the work of a prediction: an untrained network samples sub-networks (200 by
// default) for each row.
func predictionWork(b benchmark, engine graph.Engine) (work, error) {
	const batches, seed = 1, 1
	e, err := newExperiment(b, engine, batches, seed)
	if err != nil {
		return work{}, err
	}
	params, err := e.Spec.NewParams(e.Training.Seed)
	if err != nil {
		return work{}, err
	}
	model := &models.Model{
		Spec:    e.Spec,
		Inputs:  e.Inputs,
		Targets: e.Targets,
		Members: []*graph.Params{params},
	}
	rows := e.Gather(model, nil) // all rows
	sampling := e.Sampling()
	sampling.Workers = 1
	predict := func() error {
		_, err := evaluation.Predict(context.Background(), model, rows, sampling)
		return err
	}
	return work{once: predict, close: func() error { return nil }}, nil
}

// normalNumbers returns n normally distributed random numbers, the same in each call.
func normalNumbers(n int) []float64 {
	const seed, stream = 3, 4
	r := rand.New(rand.NewPCG(seed, stream))
	values := make([]float64, n)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	return values
}
