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
