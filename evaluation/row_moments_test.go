package evaluation

import (
	"math"
	"sync"
	"testing"

	"sml/data"
	"sml/models"
)

// A predictor is told which target it predicts, in what unit that is, and what the
// network says of the others; draws that the method does not ask for are not kept.
func TestPredictorSeesTheRow(t *testing.T) {
	m := untrained(t, "sml-de", 2, func(a *models.Architecture) { a.Targets = 3 })
	for i := range m.Targets {
		m.Targets[i] = data.Scaler{Name: string(rune('u' + i)), Mean: float64(i), Std: float64(i + 1)}
	}
	var lock sync.Mutex
	seen := make(map[int]int)
	_, err := Predict(t.Context(), m, data.Subset{X: points(9)}, Sampling{Samples: 3, Predict: func(d models.Moments) models.Prediction {
		lock.Lock()
		defer lock.Unlock()
		seen[d.Target]++
		if len(d.All) != 3 || d.Scale != m.Targets[d.Target] || d.Draws != nil || d.Levels != nil {
			t.Errorf("%+v", d)
		}
		for k, other := range d.All {
			if other.Target != k || len(other.Full) != 1 || (k == d.Target) != (&other.Full[0] == &d.Full[0]) || k != d.Target && other.Full[0] == d.Full[0] {
				t.Errorf("of target %d, target %d is %+v", d.Target, k, other)
			}
		}
		return models.Prediction{Mean: d.Full[0], Std: d.Std[0]}
	}})
	if err != nil || seen[0] != 18 || seen[1] != 18 || seen[2] != 18 {
		t.Errorf("%v, %v", seen, err)
	}
}

// Quantiles and probabilities that are not finite are told like means.
func TestPartsThatAreNotFinite(t *testing.T) {
	for _, p := range []models.Prediction{{Quantiles: []float64{0, math.Inf(1)}}, {Probabilities: []float64{math.NaN(), 0}}} {
		if at := notFinite([]models.Prediction{{}, p}); at != 1 {
			t.Errorf("%+v: %d", p, at)
		}
	}
}
