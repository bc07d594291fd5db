package trainers

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/networks"
)

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
