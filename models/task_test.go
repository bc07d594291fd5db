package models_test

import (
	"math"
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/methods"
)

// Of mean 5 and standard deviation 2 in the first target's unit, −1 and 10 in the second's:
// x·std + mean by hand.
func TestUnstandardised(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	y := b.Input("y", 2, 2)
	r := expect.Must(graph.NewRunner(graph.Compiled, b, models.NewTask(b, nil, y, nil).Unstandardised(y)))
	defer r.Close()
	copy(r.Input("y"), []float32{1, 2, -0.5, 0})
	copy(r.Input("y mean"), []float32{5, -1})
	copy(r.Input("y std"), []float32{2, 10})
	expect.NoError(t, r.Run())
	if got := r.Output(0); !slices.Equal(got, []float32{7, 19, 4, -1}) {
		t.Errorf("got %v", got)
	}
}

// Rows move up within their copy, by hand: of three rows in two copies, each row is in the batch twice in succession.
func TestShiftRows(t *testing.T) {
	by := 0
	models.Register(models.Method{
		Name: "shifts", Predict: methods.PredictFullNetwork, Combine: models.CombineByFamily,
		Objective: func(b *graph.Builder, t *models.Task) *graph.Node {
			b.Watch("shifted", t.ShiftRows(t.X, by))
			return t.MSE(t.Forward(graph.Full), t.Y)
		},
	})
	for _, c := range []struct {
		network    string
		copies, by int
		want       []float32
	}{
		{"mlp", 0, 1, []float32{3, 4, 5, 6, 1, 2}},
		{"mlp", 0, -1, []float32{5, 6, 1, 2, 3, 4}},
		{"mlp", 0, 3, []float32{1, 2, 3, 4, 5, 6}},
		{"tabm", 2, 1, []float32{3, 4, 3, 4, 5, 6, 5, 6, 1, 2, 1, 2}},
		{"tabm", 2, -4, []float32{5, 6, 5, 6, 1, 2, 1, 2, 3, 4, 3, 4}},
	} {
		by = c.by
		spec := expect.Must(models.NewSpec("shifts", nil, models.Architecture{Network: c.network, Copies: c.copies, Inputs: 2, Targets: 1, Hidden: []int{2}}))
		step := expect.Must(spec.NewStep(graph.Compiled, new(graph.Params), 3))
		defer step.Close()
		copy(step.X, []float32{1, 2, 3, 4, 5, 6})
		clear(step.Y)
		expect.NoError(t, step.Run(models.Position{}))
		if got := step.WatchedValues(0); !slices.Equal(got, c.want) {
			t.Errorf("%s, by %d: %v, want %v", c.network, c.by, got, c.want)
		}
	}
}

// A term with a minus before the name of its weight has the weight with the other sign, a number or a schedule.
func TestSubtractedTerm(t *testing.T) {
	b := graph.New(graph.Float32, new(graph.Params))
	y := b.Input("y", 1, 1)
	task := models.NewTask(b, nil, y, models.Hyperparameters{"bonus": 0.5, "warm": "linear(0,1,0.2)"})
	for _, c := range []struct {
		weight string
		want   float64
	}{{"bonus", 0.5}, {"-bonus", -0.5}, {"warm", 1}, {"-warm", -1}} {
		term := task.Term("entropy", c.weight, b.Sum(y))
		if term.Weight != c.want {
			t.Errorf("%s has the weight %v, want %v", c.weight, term.Weight, c.want)
		}
		if isScheduled := term.Factor != nil; isScheduled != (c.weight == "warm" || c.weight == "-warm") {
			t.Errorf("%s has the factor %v", c.weight, term.Factor)
		}
	}
}

// Rows without weights weigh 1, however many there are and whatever their targets say.
func TestWeightOfRowsWithoutWeights(t *testing.T) {
	for _, rows := range []int{1, 5} {
		b := graph.New(graph.Float32, new(graph.Params))
		y := b.Input(models.InputY, rows, 2)
		w := models.NewTask(b, func(graph.Pass) *graph.Node { return y }, y, nil).Weight()
		r := expect.Must(graph.NewRunner(graph.Compiled, b, w, b.Mean(y)))
		for i := range r.Input(models.InputY) {
			r.Input(models.InputY)[i] = float32(math.NaN())
		}
		expect.NoError(t, r.Run())
		if got := r.Output(0); !slices.Equal(got, slices.Repeat([]float32{1}, rows)) {
			t.Errorf("%d rows weigh %v, want 1 each", rows, got)
		}
		expect.NoError(t, r.Close())
	}
}

// A support and classes allow some targets and refuse others. A typical target is always allowed, so that
// checks of an objective stay within its support.
func TestTargetsInTheirSupport(t *testing.T) {
	for _, c := range []struct {
		name     string
		method   models.Method
		in, out  []float64
		refusing string
	}{
		{"real", models.Method{}, []float64{-1, 0, 2.5}, nil, ""},
		{"positive", models.Method{Support: models.Positive}, []float64{1e-9, 3}, []float64{0, -1, math.NaN()}, "method support-positive is for numbers above 0"},
		{"non-negative", models.Method{Support: models.NonNegative}, []float64{0, 3.5}, []float64{-1e-9}, "method support-non-negative is for numbers of 0 or above"},
		{"counts", models.Method{Support: models.Counts}, []float64{0, 1, 1000}, []float64{-1, 0.5}, "method support-counts is for counts, 0, 1, 2, …"},
		{"unit", models.Method{Support: models.UnitInterval}, []float64{1e-9, 0.5}, []float64{0, 1}, "method support-unit is for numbers above 0 and below 1"},
		{"classes", models.Method{Classes: models.Range{Min: 3, Max: 3}}, []float64{0, 2}, []float64{-1, 1.5, 3}, "method support-classes is for classes from 0 to 2"},
	} {
		m := c.method
		m.Name = "support-" + c.name
		m.Objective = func(b *graph.Builder, t *models.Task) *graph.Node { return t.MSE(t.Forward(graph.Full), t.Y) }
		m.Predict = methods.PredictFullNetwork
		models.Register(m)
		s := expect.Must(models.NewSpec(m.Name, nil, models.Architecture{Inputs: 1, Targets: 1}))
		for _, y := range c.in {
			if err := s.CheckTarget(y); err != nil {
				t.Error(err)
			}
		}
		for _, y := range c.out {
			expect.Error(t, s.CheckTarget(y), c.refusing)
		}
		for _, drawn := range []float64{-2000, -100, -1, -1e-30, 0, 1e-30, 0.5, 3, 100, 2000} {
			y, scale := float32(s.TypicalInput(models.InputY, 0, drawn)), s.TypicalTarget()
			if err := s.CheckTarget(float64(y)*scale.Std + scale.Mean); err != nil {
				t.Errorf("%s, in the place of %v: %v", c.name, drawn, err)
			}
		}
	}
}
