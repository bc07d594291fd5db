package trainers

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

func TestWarnings(t *testing.T) {
	still := mustTrain(t, specOf(t, "mc"), wave(50), Settings{Epochs: 3, Batch: 10, LearningRate: 1e-9}, Options{})
	if got := strings.Join(still.Warnings, "\n"); !strings.Contains(got, "hardly moved in 15 steps") {
		t.Errorf("warnings %q", got)
	}
	for _, m := range shipped() {
		if r := train(t, m.Name, Settings{Epochs: 30, Batch: 10}, Options{}); len(r.Warnings) > 0 {
			t.Errorf("%s: a good training is warned of: %q", m.Name, r.Warnings)
		}
	}
}

// Early warnings come before the first step.
func TestForeseenWarnings(t *testing.T) {
	rows := wave(50)
	rows.Extras, rows.E = []string{"group"}, make([]float64, 50)
	for i := range rows.Y {
		rows.Y[i] = 4
	}
	var told []string
	r, err := Train(t.Context(), specOf(t, "mc"), rows, Settings{Epochs: 1, Batch: 10}, Options{
		EarlyWarning: func(warning string) { told = append(told, warning) },
		Progress:     func(Progress) { told = append(told, "an epoch") },
	})
	expect.NoError(t, err)
	want := []string{`method mc does not read the column "group"`, "target column 1 is 4 in all 50 training rows: there is nothing to learn"}
	if !slices.Equal(told, append(want, "an epoch")) || !slices.Equal(r.Warnings, want) {
		t.Errorf("told %q, and at the end %q; want %q", told, r.Warnings, want)
	}
}

// A column that a measure reads is no mistake if the method does not.
func TestMeasuredColumns(t *testing.T) {
	rows := wave(50)
	rows.Extras, rows.E = []string{"group"}, make([]float64, 50)
	r, err := Train(t.Context(), specOf(t, "mc"), rows, Settings{Epochs: 1, Batch: 10}, Options{
		MeasuredColumns: []string{"group"},
	})
	if err != nil || len(r.Warnings) > 0 {
		t.Errorf("warnings %q, %v; want none", r.Warnings, err)
	}
}

// A weight below 0, which a range would refuse, rewards what its term punishes.
func TestNegativeWeightsAreWarnedOf(t *testing.T) {
	models.Register(models.Method{
		Name: "test-negative", Predict: methods.PredictFullNetwork,
		Hyperparameters: []models.Hyperparameter{{Name: "w", Default: 1.0}, {Name: "v", Default: 1.0}},
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			full := t.Forward(graph.Full)
			return b.WeightedSum(t.Term("error", "w", t.MSE(full, t.Y)), t.Term("size", "v", t.Mean(b.Square(full))))
		},
	})
	for _, v := range []any{-0.1, "linear(1,-0.1,1)"} {
		spec := expect.Must(models.NewSpec("test-negative", models.Hyperparameters{"v": v}, specOf(t, "mc").Architecture))
		r, err := Train(t.Context(), spec, wave(50), Settings{Epochs: 1, Batch: 10}, Options{})
		want := fmt.Sprintf("the loss weights size by v=%v: a negative weight rewards a large value of the term, and the loss may have no minimum", v)
		if err != nil || len(r.Warnings) == 0 || r.Warnings[0] != want {
			t.Errorf("%+v, %v", r, err)
		}
	}
}

// A loss that falls and rises again has not exploded beyond where it began, and is
// worth a word all the same.
func TestLateRiseIsWarnedOf(t *testing.T) {
	models.Register(models.Method{
		Name: "test-rise", Predict: methods.PredictFullNetwork,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			late := b.Scale(20, b.ClampMin(b.Shift(t.Progress(), -0.8), 0))
			return b.Add(t.MSE(t.Forward(graph.Full), t.Y), late)
		},
	})
	spec := expect.Must(models.NewSpec("test-rise", nil, specOf(t, "mc").Architecture))
	for validation, want := range map[float64]bool{0: true, 0.2: false} {
		r := mustTrain(t, spec, wave(50), Settings{Epochs: 60, Batch: 10, LearningRate: 0.01, Validation: validation}, Options{})
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), "the loss rose from"); got != want {
			t.Errorf("validation %v: %q", validation, r.Warnings)
		}
	}
}

func TestRowsMustBeFinite(t *testing.T) {
	rows := wave(50)
	rows.XScale = data.Scalers{{Std: 1}, {Std: 1e-300}}
	expect.Error(t, trainError(t, specOf(t, "mc"), rows, Settings{Epochs: 1, Batch: 10}, Options{}), "row 1, input column 2")
}

func init() {
	// A gradient of 1e30, whose square is beyond float32.
	models.Register(models.Method{
		Name: "steep", Summary: "a gradient whose square overflows", Source: aTest,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			return b.Scale(1e30, b.Mean(b.Sub(t.Forward(graph.Full), t.Y)))
		},
		Predict: methods.PredictFullNetwork,
	})
}

// Gradients whose squares overflow stop Adam, by its definition. There is a warning, and the training can be
// interrupted and resumed.
func TestSteepGradientsAreWarnedOf(t *testing.T) {
	r := mustTrain(t, specOf(t, "steep"), wave(50), Settings{Epochs: 2, Batch: 10}, Options{})
	if got := strings.Join(r.Warnings, "\n"); !strings.Contains(got, "gradients of up to 2e+19 have almost stopped") {
		t.Errorf("warnings %q", got)
	}
}
