package trainers

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"sml/data"
	_ "sml/examples/plain"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// A training on either engine follows the same losses: 300 steps, each on all
// rows, so that the history has every step's. The engines add up in different
// orders, and the differences go on into Adam's steps; losses stay the same
// within 1e-5 of the loss (of 0.1, where it is smaller), a hundred units in the
// last place of float32. With ReLU that is true of the first 100 steps: sooner or
// later a hidden unit is on one side of 0 in one engine and on the other in the
// other for some row, which changes a gradient by more than rounding, and from
// there on the trainings part. The labels are noisy for a like reason: without
// noise the σ of a Gaussian likelihood goes towards 0.
func TestBothEnginesFollowTheSameLosses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	rows := wave(100)
	random := rand.New(rand.NewPCG(6, 0))
	for i := range rows.Y {
		rows.Y[i] += 0.5 * random.NormFloat64()
	}
	for _, m := range shipped() {
		if m.MemberMethod != "" {
			continue // an ensemble of one is its member's method: TestIdentities
		}
		for activation, steps := range map[string]int{"tanh": 300, "relu": 100} {
			switch {
			case m.Name == "mdn" && activation == "tanh":
				steps = 200 // then a component narrows on a few rows, and steps jump
			case m.Name == "bayes":
				steps = 80 // then weights lie where the prior's narrow part ends, which bends within a thousandth
			}
			t.Run(m.Name+" "+activation, func(t *testing.T) {
				t.Parallel()
				compareEngines(t, m.Name, activation, rowsFor(m.Name, rows), steps)
			})
		}
	}
}

// compareEngines trains a method on both engines and compares the losses of all steps.
func compareEngines(t *testing.T, method, activation string, rows data.Subset, steps int) {
	t.Helper()
	spec := expect.Must(models.NewSpec(method, nil, architecture(method, models.Architecture{Inputs: 2, Targets: 1, Hidden: []int{20, 20}, Activation: activation, Dropout: 0.1})))
	history := func(e graph.Engine) []models.Epoch {
		s := Settings{Epochs: steps, Batch: 100, LearningRate: 0.001, Members: 1, Seed: 1, Engine: e}
		return mustTrain(t, spec, rows, s, Options{}).History.Rows
	}
	compiled, tape := history(graph.Compiled), history(graph.Tape)
	column := 0
	if method == "bayes" { // whose divergence counts more and more: its likelihood
		column = 1
	}
	if first, last := tape[0].Values[column], tape[steps-1].Values[column]; !(last < first-0.2) {
		t.Errorf("the loss goes from %v to %v: nothing is learnt", first, last)
	}
	const tolerance = 1e-5
	worst := 0.0
	for i := range tape {
		for j, want := range tape[i].Values {
			worst = math.Max(worst, math.Abs(compiled[i].Values[j]-want)/math.Max(math.Abs(want), 0.1))
		}
	}
	if !(worst <= tolerance) {
		t.Errorf("losses differ by %.2g", worst)
	}
}

// childResult is set for a child process: the file to write results to.
const childResult = "SML_TEST_RESULT"

// results trains with every method, in the paper's way and otherwise, and
// returns all weights and histories.
func results(t *testing.T) []byte {
	var b bytes.Buffer
	for _, m := range shipped() {
		for _, s := range []Settings{
			{Epochs: 6, Batch: 16, Seed: 3, Validation: 0.2},
			{Epochs: 3, Batch: 15, Seed: 4, Protocol: data.Sound, Schedule: models.Schedule{Shape: "cosine"}, Clip: 0.5, Decay: 0.01},
		} {
			s.Members = min(m.Members, 2)
			r := train(t, m.Name, s, Options{})
			for _, p := range r.Members {
				binary.Write(&b, binary.LittleEndian, p.Float32s())
			}
			for _, e := range r.History.Rows {
				binary.Write(&b, binary.LittleEndian, e.Values)
			}
		}
	}
	return b.Bytes()
}

// The same training under every path of the kernels gives the same bytes. The
// path is chosen at start, so each takes a process of its own.
func TestEveryKernelPathGivesTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	if path := os.Getenv(childResult); path != "" {
		expect.NoError(t, os.WriteFile(path, results(t), 0o600))
		return
	}
	want := results(t)
	for _, kernels := range []string{"portable", "neon", "avx2", "avx512"} {
		t.Run(kernels, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "result")
			child := exec.Command(os.Args[0], "-test.run=^TestEveryKernelPathGivesTheSameBytes$")
			child.Env = append(os.Environ(), "SML_KERNELS="+kernels, childResult+"="+file)
			out, err := child.CombinedOutput()
			if strings.Contains(string(out), "this CPU cannot run the kernels") {
				t.Skipf("this CPU cannot run the %s kernels", kernels)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got := expect.Must(os.ReadFile(file))
			if len(want) == 0 || !bytes.Equal(got, want) {
				t.Error("weights or history differ from those of the kernels that this CPU chooses")
			}
		})
	}
}

// Members that train at the same time give the bytes of members that train one
// after another, on either engine, also with a network and an objective of plain
// Gorgonia functions; and so do trainings at the same time. Run with -race.
func TestTrainingsAtTheSameTime(t *testing.T) {
	for _, engine := range graph.Engines() {
		for _, method := range []string{"plain-de", "pu-de"} {
			s := Settings{Epochs: 2, Batch: 16, Protocol: "sound", Validation: 0.2, Members: 3, Seed: 6, Engine: engine}
			want := train(t, method, s, Options{Workers: 1})
			var group errgroup.Group
			for k := range 2 {
				group.Go(func() error {
					r, err := Train(t.Context(), specOf(t, method), wave(50), s, Options{Workers: 3})
					if err == nil && !equal(r, want) {
						err = fmt.Errorf("training %d gave other bytes than one worker", k)
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Errorf("%s, %s engine: %v", method, engine, err)
			}
		}
	}
}

// By hand: at a batch of 500 a layer 50×50 has 1.25 million multiplications, 256×256
// has 33 million and 1024×1024 has 524 million; two million are enough for a goroutine.
func TestMostThreads(t *testing.T) {
	for _, c := range []struct {
		inputs int
		hidden []int
		copies int
		batch  int
		want   int
	}{
		{13, []int{50, 50}, 0, 100, 1},
		{90, []int{50, 50}, 0, 500, 1},
		{90, []int{50, 50}, 0, 10_000, 21}, // 10,000·90·50
		{90, []int{256, 256}, 0, 500, 15},
		{90, []int{1024, 1024}, 0, 500, 250},
		{90, nil, 0, 500, 1},
		{13, []int{256, 256}, 8, 500, 125}, // 262 million: the rows of a later layer once for each copy
	} {
		a := models.Architecture{Inputs: c.inputs, Targets: 1, Hidden: c.hidden, Copies: c.copies}
		if c.copies > 0 {
			a.Network = "tabm"
		}
		spec := expect.Must(models.NewSpec("sml", nil, a))
		if got := UsefulThreads(spec, c.batch); got != c.want {
			t.Errorf("%d inputs, %v units, batches of %d: %d threads, want %d", c.inputs, c.hidden, c.batch, got, c.want)
		}
	}
}

// What trains at the same time has the cores once.
func TestAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for _, c := range []struct {
		given         Options
		members       int
		workers, each int
	}{
		{Options{}, 1, 8, 8},
		{Options{}, 5, 8, 1},
		{Options{}, 20, 8, 1},
		{Options{}, 2, 8, 4},
		{Options{Workers: 1}, 5, 1, 8},
		{Options{Workers: 3}, 5, 3, 2},
		{Options{Threads: 2}, 5, 4, 2},
		{Options{Threads: 16}, 5, 1, 16},
		{Options{Workers: 1, Threads: 1}, 5, 1, 1},
	} {
		o := c.given
		o.setParallelism(c.members)
		if o.Workers != c.workers || o.Threads != c.each {
			t.Errorf("%d workers and %d threads given, %d members: %d workers with %d threads each, want %d and %d", c.given.Workers, c.given.Threads, c.members, o.Workers, o.Threads, c.workers, c.each)
		}
	}
}
