package experiment

import (
	"math"
	"testing"

	"sml/data"
	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// The best epoch has the lowest CRPS of the validation rows, which an evaluation of the saved model repeats.
func TestValidationMeasure(t *testing.T) {
	for _, method := range []string{"sml", "pu", "de"} {
		s := Settings{Table: Source{Name: "friedman"}}
		var err error
		s.Spec = expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{6}, Dropout: 0.1}))
		s.Training = trainers.Settings{
			Members: 1, Epochs: 4, Validation: 0.2, ValidationMeasure: "crps", Protocol: data.Sound,
		}
		e := prepareTest(t, s, friedman(t))
		trained, err := e.Train(t.Context(), trainers.Options{})
		if err != nil {
			t.Fatal(method, err)
		}
		lowest := math.Inf(1)
		for _, epoch := range trained.History.Rows {
			score := epoch.Values[len(epoch.Values)-1]
			lowest = min(lowest, score)
		}
		result, err := trainers.Train(t.Context(), e.Spec, e.prepared.Subset(e.Rows.Train, e.Inputs, e.Targets), e.Training, trainers.Options{
			ScoreValidation: func(int, *graph.Params, []int32) (float64, error) { return 0, nil },
		})
		if err != nil {
			t.Fatal(method, err)
		}
		sampling := e.Sampling()
		sampling.Samples = validationSamples
		evaluated, _, err := e.Evaluate(t.Context(), trained.Model, convertRows[int](result.ValidationRows[0]), sampling)
		if err != nil {
			t.Fatal(method, err)
		}
		name := "crps"
		if method == "de" { // one member predicts numbers, whose CRPS is the absolute error
			name = "mae"
		}
		if got := evaluated.Standardised.Get(name); math.Abs(got-lowest) > 1e-9 {
			t.Errorf("%s: the best epoch has the CRPS %v, and its weights have %v", method, lowest, got)
		}
	}
}

// A measure that does not exist or does not fit the method is an error before the training.
func TestCheckValidationMeasure(t *testing.T) {
	for _, c := range []struct{ method, measure, message string }{
		{"pu", "rmse", "unknown measure"},
		{"classes", "crps", "is for numbers"},
	} {
		s := Settings{Table: Source{Name: "friedman"}}
		s.Spec = expect.Must(models.NewSpec(c.method, nil, models.Architecture{Inputs: 10, Targets: 1, Classes: 3, Hidden: []int{6}}))
		s.Training = trainers.Settings{Validation: 0.2, ValidationMeasure: c.measure}
		expect.Error(t, expect.ErrorOf(s.Resolve()), c.message)
	}
}
