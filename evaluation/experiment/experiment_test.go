package experiment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"sml/data"
	"sml/data/split"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

func friedman(t testing.TB) *Table {
	t.Helper()
	table := expect.Must(Source{Name: "friedman"}.Read(t.Context(), "", data.Sound))
	return NewTable(table)
}

// testSettings returns the settings of a small training on one fold.
func testSettings(t testing.TB, split string, fold int) Settings {
	t.Helper()
	s := friedmanSettings("sml", 6, 0.1)
	s.Training = trainers.Settings{Epochs: 2, Seed: 3, Split: split, Fold: fold, Protocol: data.Sound}
	return s
}

// friedmanSettings returns settings of a method with a hidden layer of the given width on the table friedman.
func friedmanSettings(method string, width int, dropout float64) Settings {
	architecture := models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{width}, Dropout: dropout}
	return Settings{Table: Source{Name: "friedman"}, Spec: expect.Must(models.NewSpec(method, nil, architecture))}
}

func prepareTest(t testing.TB, s Settings, table *Table) *Experiment {
	t.Helper()
	return expect.Must(Prepare(t.Context(), s, table))
}

// The training rows and the test rows are the split's, and the scalers are fitted to the training
// rows alone.
func TestRowsAndScale(t *testing.T) {
	table := friedman(t)
	table.SplitColumn, table.SplitValues = "day", make([]float64, table.Rows())
	for r := range table.SplitValues {
		table.SplitValues[r] = float64(r % 30)
	}
	for _, name := range append(split.Names(), "") {
		if name == split.TestFile {
			continue // TestHeldOutRowsDoNotReachTraining
		}
		e := prepareTest(t, testSettings(t, name, 0), table)
		want := split.Rows{}
		if name != "" {
			kind := expect.Must(split.Lookup(name))
			want = expect.Must(kind.Rows(t.Context(), table.Table, split.Options{Protocol: data.Sound, Seed: 3}))
		} else {
			for i := range table.Rows() {
				want.Train = append(want.Train, i)
			}
		}
		if !slices.Equal(e.Rows.Train, want.Train) || !slices.Equal(e.Rows.Test, want.Test) {
			t.Errorf("%q: other rows than those of the split", name)
		}
		x := data.FitScalers(table.X, table.Columns, want.Train)
		if inputs := e.Inputs; inputs[4].Mean != x[4].Mean || inputs[4].Std != x[4].Std || inputs[4].Name != "x5" {
			t.Errorf("%q: column %+v, and the training rows have %v and %v", name, inputs[4], x[4].Mean, x[4].Std)
		}
	}
}

// Without the inputs as they were read a training and its scores are the same.
func TestRelease(t *testing.T) {
	s := ownSplits(t)["random"]
	e, before := train(t, s)
	e.Release()
	if len(e.Data().X) > 0 {
		t.Error("the inputs are still held")
	}
	after := expect.Must(e.Train(t.Context(), trainers.Options{}))
	if !bytes.Equal(fittedState(t, before.Model), fittedState(t, after.Model)) {
		t.Error("another model")
	}
	found, _, err := e.Evaluate(t.Context(), after.Model, e.Rows.Test, e.Sampling())
	if err != nil || found.Rows != len(e.Rows.Test) {
		t.Errorf("%+v, %v", found, err)
	}
}

// A fold is computed once for all experiments, and a fold that does not exist is an error for each.
// A fold that was not computed because a context ended is computed again.
func TestFoldsAreShared(t *testing.T) {
	table := friedman(t)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Prepare(ended, testSettings(t, "pca", 2), table); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that has ended: %v", err)
	}
	folds := make([]*int, 8) // the first training row of each experiment
	var group sync.WaitGroup
	for i := range folds {
		group.Go(func() {
			if e, err := Prepare(t.Context(), testSettings(t, "pca", 2), table); err == nil {
				folds[i] = &e.Rows.Train[0]
			}
		})
	}
	group.Wait()
	for _, f := range folds {
		if f == nil || f != folds[0] {
			t.Fatal("a fold was not found, or found more than once")
		}
	}
	same := &data.Table{Name: "same", Columns: []string{"x"}, Targets: []string{"y"}, X: make([]float64, 30), Y: make([]float64, 30)}
	s := testSettings(t, "label", 4)
	s.Spec.Architecture.Inputs = 1
	shared := NewTable(same)
	for range 2 {
		if _, err := Prepare(t.Context(), s, shared); !errors.Is(err, split.ErrEmptyFold) {
			t.Errorf("of 30 rows with one label: %v", err)
		}
	}
}

// A side of a fold on which no row counts is told before the training.
func TestPrepareWithoutWeights(t *testing.T) {
	s := testSettings(t, "random", 1)
	e := expect.Must(Prepare(t.Context(), s, NewTable(data.Friedman(50, 1))))
	test := e.Rows.Test
	for what, held := range map[string]float64{"all 5 rows that are held out": 0, "all 45 rows that are trained on": 1} {
		weighted := data.Friedman(50, 1)
		weighted.Weight, weighted.W = "count", slices.Repeat([]float64{1 - held}, 50)
		for _, r := range test {
			weighted.W[r] = held
		}
		want := "random split of friedman: fold 1: the weights (column count) of " + what + " are 0; want at least one weight above 0"
		_, err := Prepare(t.Context(), s, NewTable(weighted))
		expect.ErrorText(t, err, want)
	}
}

// A panic in a split or a data set from outside is an error with its line.
func TestPanicsOfOthers(t *testing.T) {
	split.Register(split.Kind{Name: "panics", Folds: 1, Mark: func(_ context.Context, t *data.Table, _ split.Options) ([]bool, error) {
		return nil, fmt.Errorf("%v", t.Y[len(t.Y)])
	}})
	data.Register(data.Dataset{Name: "panics", Rows: 1, Features: 1, Target: "y", Make: func(context.Context, uint64) (*data.Table, error) { panic("no table") }})
	_, bySplit := Prepare(t.Context(), testSettings(t, "panics", 0), friedman(t))
	_, byTable := Source{Name: "panics"}.Read(t.Context(), "", data.Sound)
	for want, err := range map[string]error{"the split panics: runtime error: index out of range": bySplit, "the data set panics: no table": byTable} {
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "experiment_test.go:") {
			t.Errorf("%v does not say %q and the line", err, want)
		}
	}
}

func decodeModel(t *testing.T, m *models.Model) *Model {
	t.Helper()
	return expect.Must(Decode(m))
}

// A training goes on from a model of the same columns and network, in its units.
func TestStartFrom(t *testing.T) {
	table := friedman(t)
	first := expect.Must(prepareTest(t, testSettings(t, "random", 1), table).Train(t.Context(), trainers.Options{}))
	e := prepareTest(t, testSettings(t, "random", 2), table)
	expect.NoError(t, e.StartFrom(decodeModel(t, first.Model)))
	if !slices.Equal(e.Inputs, first.Inputs) {
		t.Error("the scale is not the model's")
	}
	second := expect.Must(e.Train(t.Context(), trainers.Options{}))
	moved := 0.0
	for i, w := range second.Members[0].Float32s() {
		moved = max(moved, math.Abs(float64(w-first.Members[0].Float32s()[i])))
	}
	if moved == 0 || moved > 0.2 { // Adam moves a weight by about 0.001 in each of 18 steps
		t.Errorf("weights moved by up to %v from the model's", moved)
	}
	renamed := *first.Model
	renamed.Inputs = slices.Clone(renamed.Inputs)
	renamed.Inputs[0].Name = "z"
	if err := e.StartFrom(decodeModel(t, &renamed)); err == nil || errors.Is(err, ErrNetworkDiffers) {
		t.Errorf("of a model of other columns: %v", err)
	}
}

// FuzzSettings reads settings of any model without a panic.
func FuzzSettings(f *testing.F) {
	s := expect.Must(testSettings(f, "random", 1).Resolve())
	f.Add(encodeJSON(s.Table), encodeJSON(s.Training))
	f.Add([]byte(`{"name":"toy","rows":1000,"sha256":"00"}`), []byte(`{"protocol":"paper"}`))
	f.Fuzz(func(t *testing.T, source, training []byte) {
		Decode(&models.Model{Spec: s.Spec, Data: source, Training: training})
	})
}

// The prepared table of a fold that no experiment holds is not kept, and is the same
// when it is made again.
func TestPreparedTablesAreNotKept(t *testing.T) {
	s := ownSplits(t)["random"]
	e, _ := train(t, s)
	shared := NewTable(e.Data())
	weights := func() []float32 {
		m := expect.Must(prepareTest(t, e.Settings, shared).Train(t.Context(), trainers.Options{}))
		return m.Members[0].Float32s()
	}
	first := weights()
	runtime.GC()
	runtime.GC()
	if !slices.Equal(first, weights()) {
		t.Error("another training")
	}
}

// Baselines know the training and calibration rows, but no calibration row that is judged.
func TestKnownRows(t *testing.T) {
	rows := Rows{Train: []int{0, 3, 5}, Calibration: []int{1, 4}, Test: []int{2}}
	for _, c := range []struct{ judged, want []int }{
		{[]int{2}, []int{0, 1, 3, 4, 5}},
		{[]int{1, 4}, []int{0, 3, 5}},
		{[]int{0, 3}, []int{0, 1, 3, 4, 5}},
	} {
		if got := rows.KnownRows(c.judged); !slices.Equal(got, c.want) {
			t.Errorf("judged on %v they know %v; want %v", c.judged, got, c.want)
		}
	}
}
