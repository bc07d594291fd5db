package evaluation

import (
	"errors"
	"math"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// modelOf returns the model with the members of these indices alone.
func modelOf(m *models.Model, members []int) *models.Model {
	selected := *m
	selected.Members = nil
	for _, member := range members {
		selected.Members = append(selected.Members, m.Members[member])
	}
	return &selected
}

// rowSets are the members of each of nine rows: one, some or all of four.
var rowSets = [][]int{{0, 1, 2, 3}, {2}, {0, 3}, {1, 2, 3}, {0, 3}, {1}, {0, 1, 2}, {2, 3}, {0, 2}}

// Each row has the prediction of a model with its members alone, and the members' distributions, for any number of
// workers.
func TestPredictByMembers(t *testing.T) {
	useTabM := func(a *models.Architecture) {
		a.Network = "tabm"
		a.Copies = 2
	}
	for _, c := range []struct {
		method string
		change func(a *models.Architecture)
	}{{"pu-de", nil}, {"de", nil}, {"quantiles", nil}, {"mdn", nil}, {"crps-de", useTabM}} {
		m := untrained(t, c.method, 4, c.change)
		for _, workers := range []int{1, 3} {
			subset := data.Subset{X: points(9)}
			got, spreads, err := PredictByMembers(t.Context(), m, subset, rowSets, Sampling{Workers: workers})
			if err != nil {
				t.Fatal(c.method, err)
			}
			for row, members := range rowSets {
				alone := predict(t, modelOf(m, members), points(9), Sampling{})
				if !got.Values[row].Equal(alone.Values[row]) {
					t.Errorf("%s: row %d of members %v: %v, want %v", c.method, row, members, got.Values[row], alone.Values[row])
				}
				checkSpread(t, m, row, spreads[row], alone.Values[row])
				if want := len(got.Family.Levels); len(members) > 1 && len(spreads[row].Quantiles) != want {
					t.Errorf("%s: row %d has the spread of %d quantiles, want %d", c.method, row, len(spreads[row].Quantiles), want)
				}
			}
		}
	}
}

// checkSpread compares the spread of a row to the predictions of each of its members.
func checkSpread(t *testing.T, m *models.Model, row int, got Spread, joint models.Prediction) {
	t.Helper()
	var predictions []models.Prediction
	memberVariance := 0.0
	for _, member := range rowSets[row] {
		v := predict(t, modelOf(m, []int{member}), points(9), Sampling{}).Values[row]
		predictions = append(predictions, v)
		memberVariance += v.Std() * v.Std() / float64(len(rowSets[row]))
	}
	want := Spread{Members: len(predictions)}
	for _, v := range predictions {
		if len(predictions) == 1 {
			break // of one member no spread is known
		}
		share := 1 / float64(len(predictions)-1)
		want.Variance += (v.Mean() - joint.Mean()) * (v.Mean() - joint.Mean()) * share
		if !math.IsNaN(memberVariance) {
			want.Between = joint.Std()*joint.Std() - memberVariance
			want.Within += (v.Std()*v.Std() - memberVariance) * (v.Std()*v.Std() - memberVariance) * share
		}
	}
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }
	if got.Members != want.Members || !same(got.Variance, want.Variance) || !same(got.Between, want.Between) || !same(got.Within, want.Within) {
		t.Errorf("%s: the spread of row %d is %+v, want %+v", m.Method, row, got, want)
	}
	for k, variance := range got.Quantiles {
		level := predictedLevels[k]
		for _, v := range predictions {
			variance -= math.Pow(v.Quantile(level)-joint.Quantile(level), 2) / float64(len(predictions)-1)
		}
		if !same(variance, 0) {
			t.Errorf("%s: the spread of row %d at level %v is %v too large", m.Method, row, level, variance)
		}
	}
}

// predictedLevels are the levels of method quantiles.
var predictedLevels = []float64{0.025, 0.05, 0.25, 0.5, 0.75, 0.95, 0.975}

// Predictions with sub-networks are the same for any number of workers.
func TestPredictByMembersWithSubNetworks(t *testing.T) {
	m := untrained(t, "sml-de", 4, nil)
	var want *Predictions
	for _, workers := range []int{1, 2, 5} {
		got, _, err := PredictByMembers(t.Context(), m, data.Subset{X: points(9)}, rowSets, Sampling{Samples: 20, Workers: workers})
		expect.NoError(t, err)
		if want == nil {
			want = got
		}
		for row, v := range got.Values {
			if !v.Equal(want.Values[row]) {
				t.Errorf("%d workers: row %d is %v, with one worker %v", workers, row, v, want.Values[row])
			}
		}
	}
}

// A row with an input too large for float32 is an error that names the row and the input.
func TestPredictByMembersNotFinite(t *testing.T) {
	m := untrained(t, "pu-de", 4, nil)
	x := points(9)
	x[4*len(x)/9] = math.MaxFloat64 // of row 4
	_, _, err := PredictByMembers(t.Context(), m, data.Subset{X: x}, rowSets, Sampling{})
	var notFinite *NotFiniteError
	if !errors.As(err, &notFinite) || notFinite.Number != 4 || notFinite.Input != 0 {
		t.Errorf("got %v, want an error about row 5", err)
	}
}
