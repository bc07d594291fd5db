package trainers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

// The callback sees every step of every member once, in order, and the means over an epoch of what
// it sees are the history.
func TestAfterStepSeesEveryStep(t *testing.T) {
	spec, rows, s := small(t)
	spec = expect.Must(models.NewSpec("sml", nil, spec.Architecture))
	s.Validation, s.Patience, s.Members = 0, 0, 1
	s.Schedule = models.Schedule{Shape: "linear", From: 1, To: 0.5, End: 1}
	var steps []int
	var losses, regression, rates []float64
	seen := Options{AfterStep: func(r StepReport) error {
		if r.Member != 0 || r.Members != 1 || r.Epochs != 6 || r.Epoch != (r.Step-1)/5+1 {
			t.Errorf("step %+v", r)
		}
		steps = append(steps, r.Step)
		losses = append(losses, r.Loss)
		rates = append(rates, r.LearningRate)
		if r.Terms[0].Name != "regression" {
			t.Errorf("terms %v", r.Terms)
		}
		regression = append(regression, r.Terms[0].Value)
		return nil
	}}
	with := mustTrain(t, spec, rows, s, seen)
	without := mustTrain(t, spec, rows, s, Options{})
	if !slices.Equal(with.Members[0].Float32s(), without.Members[0].Float32s()) || !reflect.DeepEqual(with.History, without.History) || with.Ended != nil {
		t.Error("the callback changed the training")
	}
	if len(steps) != 30 || steps[0] != 1 || !slices.IsSorted(steps) {
		t.Errorf("steps %v", steps)
	}
	// 30 steps: the factor before step 15, number 16, is 1 − 15/30·0.5.
	if want := 0.001 * 0.75; math.Abs(rates[15]-want) > 1e-12 {
		t.Errorf("learning rate %v, want %v", rates[15], want)
	}
	for i, list := range [][]float64{losses, regression} {
		sum := 0.0
		for _, v := range list[25:] {
			sum += v
		}
		if got, want := with.History.Rows[5].Values[i], sum/5; got != want {
			t.Errorf("column %d of the last epoch is %v, want %v", i, got, want)
		}
	}
}

// A member that the callback stops ends with the weights of that moment, and its epoch is the mean
// over the steps that it made; the other member trains on.
func TestAfterStepStopsAMember(t *testing.T) {
	spec, rows, s := small(t)
	s.Validation, s.Patience = 0, 0
	whole := mustTrain(t, spec, rows, s, Options{})
	var losses []float64
	stopped := mustTrain(t, spec, rows, s, Options{AfterStep: func(r StepReport) error {
		if r.Member != 0 {
			return nil
		}
		losses = append(losses, r.Loss)
		if r.Step == 12 { // the second of five steps in epoch 3
			return fmt.Errorf("here: %w", Stop("low enough"))
		}
		return nil
	}})
	if !slices.Equal(stopped.Ended, []string{"low enough", ""}) {
		t.Errorf("ended: %q", stopped.Ended)
	}
	if len(losses) != 12 || stopped.Steps != 12+30 {
		t.Errorf("%d steps of the member, %d of both", len(losses), stopped.Steps)
	}
	if !slices.Equal(stopped.Members[1].Float32s(), whole.Members[1].Float32s()) {
		t.Error("the other member was changed")
	}
	last := stopped.History.Rows[2]
	if last.Number != 3 || stopped.History.Rows[3].Member != 1 {
		t.Fatalf("history %v", stopped.History.Rows)
	}
	if want := (losses[10] + losses[11]) / 2; last.Values[0] != want {
		t.Errorf("loss of the last epoch %v, want %v", last.Values[0], want)
	}
	model := stopped.Model(spec, nil, nil)
	if !slices.Equal(model.EndReasons, stopped.Ended) {
		t.Errorf("the model says %q", model.EndReasons)
	}
}

// A stopped member has its validation loss and its best weights, and a checkpoint keeps that it was
// stopped.
func TestStoppedMemberResumes(t *testing.T) {
	spec, rows, s := small(t)
	stop := func(r StepReport) error {
		if r.Member == 0 && r.Step == 6 {
			return Stop("")
		}
		return nil
	}
	want := mustTrain(t, spec, rows, s, Options{Workers: 1, AfterStep: stop})
	states := interrupted(t, Options{AfterStep: stop})
	got := mustTrain(t, spec, rows, s, Options{Resume: states, AfterStep: func(r StepReport) error {
		if r.Member == 0 {
			t.Error("the stopped member went on")
		}
		return nil
	}})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("resumed: %+v, want %+v", got, want)
	}
	if len(got.History.Rows[1].Values) != 2 || len(got.Ended) != 2 {
		t.Errorf("history %v, ended %q", got.History.Rows[1], got.Ended)
	}
	states[0].Step = 0
	expect.Error(t, trainError(t, spec, rows, s, Options{Resume: states}), "was stopped after 0 steps, in epoch 2")
}

// An error of the callback is the error of the training.
func TestAfterStepFails(t *testing.T) {
	spec, rows, s := small(t)
	broken := errors.New("no room")
	_, err := Train(t.Context(), spec, rows, s, Options{AfterStep: func(r StepReport) error {
		if r.Member == 1 && r.Step == 3 {
			return fmt.Errorf("log: %w", broken)
		}
		return nil
	}})
	if !errors.Is(err, broken) || err.Error() != "after step 3 of member 1, in epoch 1: log: no room" {
		t.Errorf("%v", err)
	}
}

// A panic in a function of Options, which a goroutine of a member calls, is an error with its line.
func TestPanicsOfOptions(t *testing.T) {
	spec, rows, s := small(t)
	for _, o := range map[string]Options{
		"AfterStep":       {AfterStep: func(StepReport) error { panic("no room") }},
		"Progress":        {Progress: func(Progress) { panic("no room") }},
		"AfterCheckpoint": {AfterCheckpoint: func(error) { panic("no room") }, CheckpointInterval: 1, Checkpoint: t.TempDir() + "/c"},
	} {
		_, err := Train(t.Context(), spec, rows, s, o)
		expect.Error(t, err, "no room (", "after_step_test.go:")
	}
}

// After a deadline the error says so, as of any function of a context.
func TestDeadline(t *testing.T) {
	spec, rows, s := small(t)
	for want, end := range map[error]func(context.Context) (context.Context, context.CancelFunc){
		context.DeadlineExceeded: func(c context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(c, 0) },
		context.Canceled: func(c context.Context) (context.Context, context.CancelFunc) {
			c, cancel := context.WithCancel(c)
			cancel()
			return c, cancel
		},
	} {
		ctx, cancel := end(t.Context())
		defer cancel()
		_, err := Train(ctx, spec, rows, s, Options{})
		var interrupted *InterruptedError
		if !errors.Is(err, want) || !errors.As(err, &interrupted) {
			t.Errorf("%v: %v", want, err)
		}
	}
}

// Steps allocate nothing for a callback, with one and without.
func TestAfterStepAllocatesNothing(t *testing.T) {
	spec, rows, s := small(t)
	s = expect.Must(Resolve(spec, s))
	members := expect.Must(newMembers(spec, rows, s, Options{}))
	defer members[0].close()
	defer members[1].close()
	step := expect.Must(members[0].trainingStep(4))
	members[0].loadRows(step, members[0].trainRows[:4], 1)
	expect.NoError(t, step.Run(models.Position{}))
	calls := 0
	count := func(StepReport) error { calls++; return nil }
	for _, o := range []Options{{}, {AfterStep: count}} {
		members[0].options = o
		if n := testing.AllocsPerRun(10, func() { members[0].reportStep(step, 0.001) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
	if calls == 0 {
		t.Error("no call")
	}
}

// watchingNetwork returns the Build of a network with dropout that watches its hidden units if
// watch is set.
func watchingNetwork(watch bool) func(*graph.Builder, *graph.Node, models.Architecture) models.Forward {
	return func(b *graph.Builder, x *graph.Node, a models.Architecture) models.Forward {
		return func(pass graph.Pass) *graph.Node {
			h := b.ReLU(networks.Dense(b, "hidden1", x, 8))
			if watch {
				b.Watch("hidden", h)
			}
			return networks.Dense(b, "output", b.Dropout(h, pass, 0, 0.2), a.Outputs)
		}
	}
}

// watchingObjective is a second-moment loss that watches targets, a node between operations that
// the engine fuses, a parameter and a node that the loss does not need.
func watchingObjective(watch bool) func(*graph.Builder, *models.Task) *graph.Node {
	return func(b *graph.Builder, t *models.Task) *graph.Node {
		full, sub := t.Forward(graph.Full), t.Forward(graph.Drop(0))
		spread := b.Abs(b.Sub(sub, b.StopGradient(full)))
		residual := b.Sub(t.Y, full)
		if watch {
			b.Watch("targets", t.Y)
			b.Watch("residual", residual)
			b.Watch("spread", spread)
			b.Watch("output weights", b.ParametersOf(full)[2])
			b.Watch("logarithm", b.Log(b.Sub(b.Const(0), b.Square(full))))
		}
		return b.WeightedSum(
			graph.Term{Name: "regression", Weight: 1, Value: b.Mean(b.Square(residual))},
			graph.Term{Name: "spread", Weight: 0.5, Value: b.MSE(spread, b.Abs(b.StopGradient(residual)))},
		)
	}
}

var watchedColumns = []string{"loss", "regression", "spread",
	"hidden.mean", "hidden.min", "hidden.max", "targets.mean", "targets.min", "targets.max",
	"residual.mean", "residual.min", "residual.max", "spread.mean", "spread.min", "spread.max",
	"output weights.mean", "output weights.min", "output weights.max",
	"logarithm.mean", "logarithm.min", "logarithm.max", "validation loss"}

// Watched nodes change no bit of a weight or a loss, on both engines. A training with them that is
// interrupted and resumed has the same history.
func TestWatchChangesNothing(t *testing.T) {
	methods := make(map[bool]models.Spec)
	for _, watch := range []bool{false, true} {
		methods[watch] = registered(t, fmt.Sprintf("watching-%v", watch), models.Method{Objective: watchingObjective(watch), DropLayers: models.AllLayers}, watchingNetwork(watch))
	}
	for _, engine := range graph.Engines() {
		s := Settings{Epochs: 6, Batch: 16, Seed: 3, Protocol: data.Sound, Validation: 0.2, Engine: engine}
		plain := mustTrain(t, methods[false], wave(50), s, Options{})
		watched := mustTrain(t, methods[true], wave(50), s, Options{})
		if !slices.EqualFunc(weights(plain), weights(watched), slices.Equal[[]float32]) {
			t.Errorf("%s: watching changed weights", engine)
		}
		if !slices.Equal(watched.History.Columns, watchedColumns) {
			t.Fatalf("%s: columns %q", engine, watched.History.Columns)
		}
		last := len(watchedColumns) - 1
		for i, row := range watched.History.Rows {
			want := plain.History.Rows[i].Values
			if got := append(slices.Clone(row.Values[:3]), row.Values[last]); !slices.Equal(got, want) {
				t.Errorf("%s: losses of epoch %d are %v, and %v without watching", engine, i+1, got, want)
			}
			if !math.IsNaN(row.Values[last-1]) {
				t.Errorf("%s: the logarithm of negative numbers is at most %v", engine, row.Values[last-1])
			}
		}
		if resumed := resumedAfter(t, methods[true], s, 3); fmt.Sprint(resumed.History) != fmt.Sprint(watched.History) {
			t.Errorf("%s: the history of a resumed training differs", engine)
		}
	}
}

// The history of watched targets has their mean, minimum and maximum, for any batches. In an epoch of one
// step, the history of a watched parameter has its initial values.
func TestWatchLogsMeanMinimumAndMaximum(t *testing.T) {
	spec := registered(t, "watching-values", models.Method{Objective: watchingObjective(true), DropLayers: models.AllLayers}, watchingNetwork(false))
	rows := wave(50)
	mean, low, high := 0.0, math.Inf(1), math.Inf(-1)
	for _, y := range rows.Y {
		mean += y / 50
		low, high = min(low, y), max(high, y)
	}
	for _, batch := range []int{16, 50} {
		r := mustTrain(t, spec, rows, Settings{Epochs: 1, Batch: batch, Seed: 3, Protocol: data.Sound}, Options{})
		values := r.History.Rows[0].Values
		at := slices.Index(r.History.Columns, "targets.mean")
		for i, want := range []float64{mean, low, high} {
			if got := values[at+i]; math.Abs(got-want) > 1e-7 { // targets are rounded to float32
				t.Errorf("batches of %d: %s is %v, want %v", batch, r.History.Columns[at+i], got, want)
			}
		}
		if batch != 50 {
			continue
		}
		initial := expect.Must(spec.NewParams(graph.Seed(3, 0))) // the seed of member 0
		first := parameter(t, initial, "output.weight")
		at = slices.Index(r.History.Columns, "output weights.min")
		if values[at] != float64(slices.Min(first)) || values[at+1] != float64(slices.Max(first)) {
			t.Errorf("weights from %v to %v, want %v to %v", values[at], values[at+1], slices.Min(first), slices.Max(first))
		}
	}
}

// What cannot be watched is an error before the first step.
func TestWatchErrors(t *testing.T) {
	for name, c := range map[string]struct {
		watch func(b *graph.Builder, t *models.Task)
		want  string
	}{
		"no-name": {func(b *graph.Builder, t *models.Task) { b.Watch("", t.Y) }, "a watched node needs a name"},
		"no-node": {func(b *graph.Builder, t *models.Task) { b.Watch("a", nil) }, "an operand is nil"},
		"twice": {func(b *graph.Builder, t *models.Task) { b.Watch("a", t.Y); b.Watch("a", t.X) },
			`"a" is watched already: give each node a name of its own`},
		"as-the-network": {func(b *graph.Builder, t *models.Task) { b.Watch("hidden", t.Y) }, `"hidden" is watched already`},
		"as-a-term": {func(b *graph.Builder, t *models.Task) {
			b.Watch("a", t.Y)
			b.Watch("a.mean", t.X)
			b.Watch("a.mean.mean", t.X)
		}, ""},
		"other-columns": {func(b *graph.Builder, t *models.Task) {
			b.WeightedSum(graph.Term{Name: "a.mean", Weight: 1, Value: b.Mean(t.Y)})
			b.Watch("a", t.Y)
		}, `is named "a.mean": want a name`},
	} {
		spec := registered(t, "watch-"+name, models.Method{DropLayers: models.AllLayers, Objective: func(b *graph.Builder, task *models.Task) *graph.Node {
			loss := squared(b, task)
			c.watch(b, task)
			return loss
		}}, watchingNetwork(true))
		_, err := Train(t.Context(), spec, wave(50), short, Options{})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
