package trainers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"sml/internal/expect"
	"sml/models"
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
