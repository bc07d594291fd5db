package graph_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"sml/data"
	"sml/graph"
	"sml/graph/internal/pool"
	"sml/internal/expect"
	"sml/internal/kernels"
	"sml/models"
	_ "sml/models/methods"
	"sml/trainers"
)

// countShares makes pools share all work, however small, and counts how often they do.
func countShares(t *testing.T) (times *atomic.Int64) {
	t.Helper()
	least := pool.MinSharedWork
	times = new(atomic.Int64)
	pool.MinSharedWork, pool.OnShare = 0, func(int) { times.Add(1) }
	t.Cleanup(func() { pool.MinSharedWork, pool.OnShare = least, nil })
	return times
}

// waves returns a table with the given numbers of rows and inputs.
func waves(rows, inputs int) data.Subset {
	var r data.Subset
	for i := range rows {
		y := 0.0
		for j := range inputs {
			x := math.Sin(float64((2*j+3)*i + j*j))
			r.X = append(r.X, x)
			y += float64(x / float64(j+1))
		}
		r.Y = append(r.Y, math.Sin(2*y))
	}
	return r
}

func specFor(t *testing.T, method string, inputs int, hidden ...int) models.Spec {
	t.Helper()
	s := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: inputs, Targets: 1, Hidden: hidden, Activation: "relu", Dropout: 0.1}))
	return s
}

// trainWithThreads returns the final weights and the losses of a training with the given number of
// goroutines.
func trainWithThreads(t *testing.T, spec models.Spec, rows data.Subset, s trainers.Settings, threads int) (weights [][]float32, losses [][]float64) {
	t.Helper()
	r := expect.Must(trainers.Train(t.Context(), spec, rows, s, trainers.Options{Workers: 1, Threads: threads}))
	for _, p := range r.Members {
		weights = append(weights, p.Float32s())
	}
	for _, e := range r.History.Rows {
		losses = append(losses, e.Values)
	}
	return weights, losses
}

func sameBits(a, b [][]float32) bool {
	return slices.EqualFunc(a, b, func(x, y []float32) bool {
		return slices.EqualFunc(x, y, func(v, w float32) bool { return math.Float32bits(v) == math.Float32bits(w) })
	})
}

// Every method gives the same weights and losses for any number of goroutines, on every
// path of the kernels, with every step shared that can be. On the portable path the race
// detector sees what kernels do.
func TestThreadsChangeNoByte(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	times := countShares(t)
	defer kernels.UseImplementation(kernels.Implementation())
	for _, m := range models.Methods() {
		if m.Source == "a test" {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			rows := waves(100, 5)
			if m.PredictsClasses() {
				for i, y := range rows.Y {
					rows.Y[i] = math.Floor(1.5 + 1.4*math.Tanh(y)) // 0, 1 or 2
				}
			}
			spec := specFor(t, m.Name, 5, 40, 36)
			s := trainers.Settings{Epochs: 2, Batch: 64, Seed: 5, Protocol: data.Sound, Validation: 0.2, Clip: 3}
			if m.Members > 1 {
				s.Members = 2
			}
			want, history := trainWithThreads(t, spec, rows, s, 1)
			for _, path := range kernels.Implementations() {
				expect.NoError(t, kernels.UseImplementation(path))
				for _, threads := range []int{1, 2, 3, 8, 16} {
					times.Store(0)
					got, losses := trainWithThreads(t, spec, rows, s, threads)
					if !sameBits(got, want) || fmt.Sprint(losses) != fmt.Sprint(history) {
						t.Errorf("%s kernels, %d goroutines: other weights or losses", path, threads)
					}
					if steps := 4 * max(1, s.Members); threads > 1 && int(times.Load()) < 5*steps {
						t.Errorf("%s kernels, %d goroutines: work was shared %d times in %d steps", path, threads, times.Load(), steps)
					} else if threads == 1 && times.Load() > 0 {
						t.Error("one goroutine shares work")
					}
				}
			}
		})
	}
}

// Small networks, such as the paper's, are trained by one goroutine.
func TestSmallStepsAreNotShared(t *testing.T) {
	pool.OnShare = func(int) { t.Error("work is shared") }
	defer func() { pool.OnShare = nil }()
	before := runtime.NumGoroutine()
	for _, method := range []string{"sml", "pu-de", "concrete", "evidential", "bayes"} {
		trainWithThreads(t, specFor(t, method, 13, 50, 50), waves(100, 13), trainers.Settings{Epochs: 1, Batch: 100}, 4)
	}
	trainWithThreads(t, specFor(t, "sml", 90, 50, 50), waves(500, 90), trainers.Settings{Epochs: 1, Batch: 500}, 4)
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left", n-before)
	}
}

func TestSharedStepsAllocateNothing(t *testing.T) {
	times := countShares(t)
	for _, method := range []string{"sml", "bayes", "concrete"} {
		p := graph.NewPool(3)
		spec := specFor(t, method, 5, 40, 36)
		step := expect.Must(spec.NewStep(graph.Compiled, expect.Must(spec.NewParams(3)), 64))
		expect.NoError(t, step.UsePool(p))
		clear(step.X)
		clear(step.Y)
		position := models.Position{Steps: 1, Rows: 64}
		allocated := testing.AllocsPerRun(50, func() {
			position.Masks.Step++
			expect.NoError(t, step.Run(position))
		})
		if allocated != 0 {
			t.Errorf("%s: %v allocations for each step", method, allocated)
		}
		step.Close()
		p.Close()
	}
	if times.Load() < 50*3*10 {
		t.Errorf("work was shared %d times", times.Load())
	}
}

// Every operation of the Builder, convolutions among them, has the same value and
// gradients to the bit where it is shared.
func TestSharedOperations(t *testing.T) {
	times := countShares(t)
	p := graph.NewPool(3)
	defer p.Close()
	for _, o := range operations() {
		for _, dtype := range []any{graph.Float32, graph.Float64} {
			want, got := o.evaluate(t, graph.Compiled, dtype), o.evaluateWith(t, p, graph.Compiled, dtype)
			for i := range want {
				if !slices.EqualFunc(got[i], want[i], func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Errorf("%s, %v: output %d is %v, not shared %v", o.name, dtype, i, got[i], want[i])
				}
			}
		}
	}
	if n := times.Load(); n < 500 {
		t.Errorf("work was shared %d times", n)
	}
}

// A panic of a user's function, on whatever goroutine, is the error of the run, as it is
// without a pool, and the pool goes on.
func TestPanicsOfSharedSteps(t *testing.T) {
	times := countShares(t)
	b := graph.New(graph.Float32, new(graph.Params))
	x := b.Input("x", 5000, 1)
	y := b.Elementwise("root", x, func(v float64) float64 {
		if v < 0 {
			panic(fmt.Sprintf("no root of %v", v))
		}
		return math.Sqrt(v)
	}, func(v float64) float64 { return 0.5 / math.Sqrt(v) })
	r := newRunner(t, graph.Compiled, b, y)
	in := r.Input("x")
	in[4100], in[2100] = -3, -2
	want := fmt.Sprint(r.Run())
	p := graph.NewPool(4)
	defer p.Close()
	expect.NoError(t, r.UsePool(p))
	for range 20 {
		if err := r.Run(); fmt.Sprint(err) != want {
			t.Errorf("the error is %v, without a pool %v", err, want)
		}
	}
	in[4100], in[2100] = 3, 9
	if err := r.Run(); err != nil || r.Output(0)[2100] != 3 {
		t.Errorf("%v, %v after a panic", err, r.Output(0)[2100])
	}
	if times.Load() == 0 {
		t.Error("nothing was shared")
	}
}

// However a training ends, no goroutine is left.
func TestTrainingsLeaveNoGoroutine(t *testing.T) {
	times := countShares(t)
	before := runtime.NumGoroutine()
	spec, rows := specFor(t, "sml", 5, 40, 36), waves(100, 5)
	options := trainers.Options{Threads: 8}
	ctx, cancel := context.WithCancel(t.Context())
	options.Progress = func(trainers.Progress) { cancel() }
	var interrupted *trainers.InterruptedError
	if _, err := trainers.Train(ctx, spec, rows, trainers.Settings{Epochs: 100, Batch: 50}, options); !errors.As(err, &interrupted) {
		t.Errorf("an interrupted training ends in %v", err)
	}
	options.Progress = nil
	var diverged *trainers.DivergedError
	steep := waves(100, 5)
	for i := range steep.Y {
		steep.Y[i] *= 1e30
	}
	if _, err := trainers.Train(t.Context(), spec, steep, trainers.Settings{Epochs: 100, Batch: 50}, options); !errors.As(err, &diverged) {
		t.Errorf("a training whose loss overflows ends in %v", err)
	}
	if _, err := trainers.Train(t.Context(), specFor(t, "pu-de", 5, 40, 36), rows, trainers.Settings{Epochs: 2, Batch: 50}, options); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines are left", runtime.NumGoroutine()-before)
		}
	}
	if times.Load() == 0 {
		t.Error("nothing was shared")
	}
}
