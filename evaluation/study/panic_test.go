package study

import (
	"math"
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
)

// A predictor that panics for some rows fails its cells, with its line, and no
// other; the study goes on.
func TestAPredictorThatPanics(t *testing.T) {
	models.Register(models.Method{
		Name: "indexed", Objective: methods.FullMSE,
		Predict: func(d models.Moments) models.Prediction {
			return models.Prediction{Mean: []float64{1, 2}[2*int(math.Ceil(math.Abs(d.Full[0]-0.1)))]} // what is examined passes
		},
	})
	c := Config{
		Preset: "quick", Datasets: []string{"aa"}, Methods: []string{"indexed", "pu"}, Splits: []string{"random"},
		Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "batch": {"20"}, "width": {"6"}, "samples": {"5"}},
	}
	_, _, s := ran(t, c, Options{Jobs: 2})
	if s.Done != 2 || s.Failed != 2 {
		t.Errorf("%+v", s)
	}
	for _, failure := range s.Failures {
		if !strings.Contains(failure, "the predictor of method indexed: runtime error: index out of range") || !strings.Contains(failure, "(at panic_test.go:18)") {
			t.Errorf("%s", failure)
		}
	}
}
