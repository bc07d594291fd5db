package evaluation

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
)

// onlyCopy returns the parameters of a TabM with a single copy: the copy with this index in the trained parameters.
func onlyCopy(t *testing.T, s models.Spec, trained *graph.Params, index, copies int) *graph.Params {
	t.Helper()
	own := expect.Must(s.NewParams(0))
	for i, p := range own.List() {
		values := graph.ParamValues(own, own.Float32s(), i)
		all := graph.ParamValues(trained, trained.Float32s(), i)
		if len(all) == copies*p.Len() {
			all = all[index*p.Len():]
		}
		copy(values, all)
	}
	return own
}

// TestCopiesPredictAsMembers compares an ensemble of networks with copies to the ensemble of all their copies. The
// products of different sizes may round differently, by some units in the last place of float32.
func TestCopiesPredictAsMembers(t *testing.T) {
	const networks, copies = 2, 3
	useTabM := func(copies int) func(a *models.Architecture) {
		return func(a *models.Architecture) {
			a.Network = "tabm"
			a.Copies = copies
		}
	}
	for _, method := range []string{"crps-de", "pu-de", "quantiles", "mdn"} {
		m := untrained(t, method, networks, useTabM(copies))
		members := untrained(t, method, 0, useTabM(1))
		for _, p := range m.Members {
			for i := range copies {
				members.Members = append(members.Members, onlyCopy(t, members.Spec, p, i, copies))
			}
		}
		got := predict(t, m, points(9), Sampling{})
		want := predict(t, members, points(9), Sampling{})
		if got.Family.Name != want.Family.Name || !slices.Equal(got.Components, want.Components) {
			t.Errorf("%s: %s with %v, want %s with %v", method, got.Family.Name, got.Components, want.Family.Name, want.Components)
		}
		for i, w := range want.Values {
			v := got.Values[i]
			if !(math.Abs(v.Mean()-w.Mean()) <= 1e-5) || !(math.Abs(v.Std()-w.Std()) <= 1e-5) {
				t.Errorf("%s: row %d is %v ± %v, want %v ± %v", method, i, v.Mean(), v.Std(), w.Mean(), w.Std())
			}
		}
	}
}

// TestCopiesOfEveryMethod predicts with copies by every method with a combiner. Predictions depend neither on the
// other rows nor on the number of workers.
func TestCopiesOfEveryMethod(t *testing.T) {
	for _, method := range models.Methods() {
		a := models.Architecture{Network: "tabm", Inputs: 2, Targets: 1, Hidden: []int{8, 6}, Dropout: 0.2}
		spec, err := models.NewSpec(method.Name, nil, a)
		if err == nil {
			_, err = spec.Loss(graph.New(graph.Float32, new(graph.Params)), 2)
		}
		if err != nil { // networks that add penalties, functions after the training, and methods of other tests
			want := "needs a network that adds the penalty"
			if method.AfterTraining != nil {
				want = "computes with one network after its training"
			}
			if !strings.Contains(err.Error(), want) {
				t.Error(method.Name, err)
			}
			continue
		}
		m := untrained(t, method.Name, 1, func(a *models.Architecture) { a.Network = "tabm" })
		x := points(21)
		s := Sampling{Samples: 5, Seed: 3, Workers: 1}
		whole := predict(t, m, x, s)
		s.Workers = 3
		if other := predict(t, m, x, s); !slices.EqualFunc(whole.Values, other.Values, models.Prediction.Equal) {
			t.Errorf("%s: predictions depend on the number of workers", method.Name)
		}
		p, err := NewPredictor(m, s)
		if err != nil {
			t.Fatal(method.Name, err)
		}
		part, err := p.Predict(t.Context(), data.Subset{X: x[2*4 : 2*7]})
		if err != nil {
			t.Fatal(method.Name, err)
		}
		if !slices.EqualFunc(part.Values, whole.Values[4:7], models.Prediction.Equal) {
			t.Errorf("%s: predictions of rows depend on other rows", method.Name)
		}
		p.Close()
	}
}
