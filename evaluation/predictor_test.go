package evaluation

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/models/distribution"
)

// Rows predicted in parts, of any size and by any number of workers, get the values that they get all at once:
// a prediction depends neither on other rows nor on the workers.
func TestPredictorInParts(t *testing.T) {
	const n = 2*maxBlockRows + 17
	for _, method := range []string{"sml", "mc-ll", "pu", "pu-de", "sml-de"} {
		members := 1
		if strings.HasSuffix(method, "-de") {
			members = 3
		}
		m := untrained(t, method, members, nil)
		whole := predict(t, m, points(n), Sampling{Samples: 5, Seed: 1, Workers: 1})
		p := expect.Must(NewPredictor(m, Sampling{Samples: 5, Seed: 1, Workers: 4}))
		defer p.Close()
		var parts []models.Prediction
		sizes := []int{1, 2, 7, 8, 9, 64, 65, 300, n}
		for first, i := 0, 0; first < n; i++ {
			size := min(sizes[i%len(sizes)], n-first)
			found := expect.Must(p.Predict(t.Context(), data.Subset{X: points(n)[2*first : 2*(first+size)]}))
			parts = append(parts, found.Values...)
			first += size
		}
		if !slices.EqualFunc(parts, whole.Values, models.Prediction.Equal) {
			t.Errorf("%s: predictions in parts differ", method)
		}
	}
}

// Sub-networks of each network are the same functions for rows in another order and whether draws are stacked or not.
func TestOrderOfRows(t *testing.T) {
	const n = 61
	x := points(n)
	var backwards []float64
	for i := range n {
		backwards = append(backwards, x[2*(n-1-i):2*(n-i)]...)
	}
	for _, network := range []string{"mlp", "bayes", "concrete", "tabm", "realmlp"} {
		m := untrained(t, "mc-pu", 1, func(a *models.Architecture) {
			a.Network = network
			a.Hidden = []int{40, 300}
		})
		whole := predict(t, m, x, Sampling{Samples: 5})
		for _, stack := range []bool{false, true} {
			p, err := NewPredictor(m, Sampling{Samples: 5})
			if err != nil {
				t.Fatal(network, err)
			}
			p.stackDraws = p.stackDraws && stack
			found, err := p.Predict(t.Context(), data.Subset{X: backwards})
			p.Close()
			if err != nil {
				t.Fatal(network, err)
			}
			slices.Reverse(found.Values)
			if !slices.EqualFunc(found.Values, whole.Values, models.Prediction.Equal) {
				t.Errorf("%s, stacked draws %v: predictions depend on the order of the rows", network, stack)
			}
		}
	}
}

// A prediction that is not finite is an error that names the row and the input
// that is the cause; the rows before it are predicted.
func TestNotFinitePrediction(t *testing.T) {
	const n, bad = 2*maxBlockRows + 17, maxBlockRows + 3
	for _, c := range []struct {
		value float64
		far   string
	}{
		{math.Inf(-1), "more than 3e38 standard deviations"},
		{3e38, "3e+38 standard deviations"},
	} {
		for _, method := range []string{"sml", "pu", "de"} {
			m := untrained(t, method, 1, nil)
			for i := range m.Members[0].Float32s() { // 3e38 times 2 is too large for float32
				m.Members[0].Float32s()[i] = 2
			}
			m.Inputs = data.Scalers{{Name: "a", Std: 1}, {Name: "b", Std: 1}}
			x := points(n)
			x[2*bad+1], x[2*(n-1)] = c.value, c.value
			whole := predict(t, m, points(n), Sampling{Samples: 3})
			p := expect.Must(NewPredictor(m, Sampling{Samples: 3}))
			defer p.Close()
			found, err := p.Predict(t.Context(), data.Subset{X: x})
			var e *NotFiniteError
			if !errors.As(err, &e) || e.Row != bad || e.Number != bad || e.Input != 1 || !strings.Contains(err.Error(), "row 504: input 2 (b) is "+c.far) {
				t.Fatalf("%s, %g: %v", method, c.value, err)
			}
			if !slices.EqualFunc(found.Values, whole.Values[:bad], models.Prediction.Equal) {
				t.Errorf("%s, %g: the rows before differ", method, c.value)
			}
			each, causes, err := p.PredictEach(t.Context(), data.Subset{X: x})
			if err != nil || len(causes) != 2 || causes[0].Error() != e.Error() || causes[1].Row != n-1 || causes[1].Input != 0 {
				t.Fatalf("%s, %g: each: %v, %v", method, c.value, causes, err)
			}
			if !slices.EqualFunc(each.Values[bad+1:n-1], whole.Values[bad+1:n-1], models.Prediction.Equal) {
				t.Errorf("%s, %g: the rows between differ", method, c.value)
			}
			if _, err := Predict(t.Context(), m, data.Subset{X: x, Indices: []int32{5, bad}}, Sampling{Samples: 3}); !errors.As(err, &e) || e.Row != 1 || e.Number != bad {
				t.Errorf("of chosen rows: %v", err)
			}
		}
	}

	m := untrained(t, "sml", 1, nil)
	m.Members[0].Float32s()[0] = float32(math.NaN())
	_, err := Predict(t.Context(), m, data.Subset{X: points(3)}, Sampling{Samples: 3})
	expect.ErrorText(t, err, "row 1: the prediction of y is not finite")
}

// A predictor that returns a negative standard deviation makes no prediction.
func TestNegativeStandardDeviation(t *testing.T) {
	m := untrained(t, "mc", 1, nil)
	negative := func(b *graph.Builder, d models.Moments) models.PredictionNodes {
		return models.PredictionNodes{Family: distribution.Normal, Parameters: []*graph.Node{d.Mean[0], b.Neg(d.Std[0])}}
	}
	p, err := Predict(t.Context(), m, data.Subset{X: points(2*maxBlockRows + 1)}, Sampling{Samples: 3, Predict: negative})
	if err == nil || !strings.Contains(err.Error(), "want 0 or more") || p != nil {
		t.Errorf("%v, %v", p, err)
	}
}
