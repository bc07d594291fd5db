package evaluation

import (
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
	"sml/models"
)

// Each of two targets is scored in the rows that have it, as if the other rows were not there.
func TestScoresOfPartlyKnownTargets(t *testing.T) {
	unknown := math.NaN()
	y := []float64{1, unknown, 2, 5, unknown, 7, 4, unknown}
	weights := []float64{1, 2, 3, 4}
	var values []models.Prediction
	for i := range y {
		values = append(values, normal(0.1*float64(i*i%5), 0.5+0.1*float64(i)))
	}
	scalers := data.Scalers{{Name: "u", Mean: 1, Std: 2}, {Name: "v", Mean: 3, Std: 4}}
	all := expect.Must(Evaluate(&Predictions{Targets: 2, Values: values}, Truth{Y: y, Columns: scalers, Weights: weights}, data.Sound, nil))
	if all.Original != nil {
		t.Errorf("targets of two units have the scores %v", all.Original)
	}
	for target, rows := range [][]int{{0, 1, 3}, {1, 2}} {
		if got := all.Columns[target].Rows; got != len(rows) {
			t.Errorf("target %d is scored in %d rows, want %d", target, got, len(rows))
		}
		truth := Truth{Columns: scalers[target : target+1]}
		var own []models.Prediction
		for _, row := range rows {
			own = append(own, values[2*row+target])
			truth.Y = append(truth.Y, y[2*row+target])
			truth.Weights = append(truth.Weights, weights[row])
		}
		want := expect.Must(Evaluate(&Predictions{Targets: 1, Values: own}, truth, data.Sound, nil))
		if !slices.Equal(all.Columns[target].Original, want.Targets()[0].Original) {
			t.Errorf("the scores of target %d are %v, want %v", target, all.Columns[target].Original, want.Original)
		}
	}
	none := Truth{Y: []float64{1, unknown}, Columns: scalers}
	_, err := Evaluate(&Predictions{Targets: 2, Values: values[:2]}, none, data.Sound, nil)
	expect.Error(t, err, "the target v is known in none of the 1 rows to be scored")
}
