package calibrate

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"sml/evaluation"
	"sml/models"
)

// Each of two targets is calibrated on the rows that have it, as if the other rows were not there.
func TestCalibrationOfPartlyKnownTargets(t *testing.T) {
	const n = 60
	both := Rows{Predictions: &evaluation.Predictions{Targets: 2}}
	var alone [2]Rows
	for target := range alone {
		alone[target].Predictions = &evaluation.Predictions{Targets: 1}
	}
	for row := range n {
		for target := range alone {
			p := normal(math.Sin(float64(7*row+target)), 0.5+float64(row%5), 1, 0)
			y := p.Mean() + math.Cos(float64(3*row+target))
			isKnown := row%(3+target) != 0
			both.Predictions.Values = append(both.Predictions.Values, p)
			if !isKnown {
				both.Y = append(both.Y, math.NaN())
				continue
			}
			both.Y = append(both.Y, y)
			alone[target].Predictions.Values = append(alone[target].Predictions.Values, p)
			alone[target].Y = append(alone[target].Y, y)
		}
	}
	for _, kind := range []string{"predictive", "conformal", "isotonic", "scale"} {
		c := fit(t, both, Options{Kind: kind})
		for target, rows := range alone {
			want := fit(t, rows, Options{Kind: kind}).Groups[0].Targets[0]
			if !reflect.DeepEqual(c.Groups[0].Targets[target], want) {
				t.Errorf("%s: the calibration of target %d is not the one of its rows", kind, target)
			}
		}
		if c.Groups[0].Rows != 40 || c.Rows != n {
			t.Errorf("%s: %d rows and %d in the group, want %d and 40", kind, c.Rows, c.Groups[0].Rows, n)
		}
		if _, err := c.Scores(both); kind == "conformal" && !errors.Is(err, ErrNoScores) {
			t.Errorf("scores of rows that lack a target: %v", err)
		}
	}
	few := both
	few.Predictions = &evaluation.Predictions{Targets: 2, Values: append([]models.Prediction{}, both.Predictions.Values[:20]...)}
	few.Y = both.Y[:20]
	if _, err := Fit(few, Options{}); !errors.Is(err, ErrTooFew) {
		t.Errorf("six rows with the first target: %v", err)
	}
}
