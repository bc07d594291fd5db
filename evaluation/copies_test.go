package evaluation

import (
	"math"
	"slices"
	"testing"

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
