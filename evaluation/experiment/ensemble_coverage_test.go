package experiment

import (
	"fmt"
	"math"
	"os"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// Over 200 trainings of an ensemble, calibrated intervals cover their fraction of further rows, after a cross-validation
// and after a bootstrap. A coverage has the standard error √(c(1−c)(1/n + 1/rows)/200)
// with n calibration rows (Vovk 2012, Conditional validity of inductive conformal predictors, proposition 2a).
func TestEnsembleCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("400 trainings take half a minute: make test runs them")
	}
	const repeats, trained, tested = 200, 100, 100
	for _, c := range []struct {
		method    string
		bootstrap bool
	}{
		{"de", false}, {"de", true}, {"crps-de", false}, {"crps-de", true},
		{"sml-de", false}, {"sml-de", true}, {"adv-de", false}, {"adv-de", true}, {"pu-de", false}, {"mdn", false},
	} {
		t.Run(fmt.Sprintf("%s,bootstrap=%v", c.method, c.bootstrap), func(t *testing.T) {
			if c.method != "de" && os.Getenv("SML_LONG") == "" {
				t.Skip("make test trains de alone: the 1,600 trainings of the others take minutes, and make ci runs them")
			}
			t.Parallel()
			levels := []float64{0.8, 0.9}
			covered := make([]float64, len(levels))
			for seed := range uint64(repeats) {
				rows := data.Friedman(tested, seed+repeats)
				values, y := predictAfterTraining(t, c.method, c.bootstrap, data.Friedman(trained, seed), rows)
				for i, v := range values {
					for k, level := range levels {
						if v.Quantile((1-level)/2) <= y[i] && y[i] <= v.Quantile((1+level)/2) {
							covered[k] += 1.0 / (repeats * tested)
						}
					}
				}
			}
			for k, level := range levels {
				bound := 3 * math.Sqrt(level*(1-level)*(1.0/trained+1.0/tested)/repeats)
				if covered[k] < level-bound || covered[k] > level+bound {
					t.Errorf("intervals of %v cover %.4f; want ± %.4f", level, covered[k], bound)
				}
			}
		})
	}
}

// predictAfterTraining trains a small ensemble on a table, and returns its predictions of other rows, and their
// standardised targets.
func predictAfterTraining(t *testing.T, method string, bootstrap bool, table, rows *data.Table) (values []models.Prediction, y []float64) {
	t.Helper()
	dropout := 0.0
	if method == "sml-de" {
		dropout = 0.1
	}
	spec := expect.Must(models.NewSpec(method, nil, models.Architecture{Inputs: 10, Targets: 1, Hidden: []int{16}, Dropout: dropout}))
	s := Settings{Spec: spec, Table: Source{Name: "friedman"}}
	s.Training = trainers.Settings{
		Members:         8,
		Epochs:          15,
		Batch:           25,
		LearningRate:    0.01,
		CrossValidation: !bootstrap,
		Bootstrap:       bootstrap,
		Protocol:        data.Sound,
		Seed:            uint64(table.Y[0] * 1e6),
	}
	s.Prediction.Samples = 100
	e := prepareTest(t, s, NewTable(table))
	trained := expect.Must(e.Train(t.Context(), trainers.Options{}))
	m := decodeModel(t, trained.Model)
	p := expect.Must(evaluation.Predict(t.Context(), m.Model, rows.Subset(nil, m.Model.Inputs, m.Model.Targets), e.Sampling()))
	for _, v := range rows.Y {
		y = append(y, (v-m.Targets[0].Mean)/m.Targets[0].Std)
	}
	return m.Calibration.Apply(p, nil).Values, y
}
