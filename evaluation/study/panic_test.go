package study

import (
	"strings"
	"testing"

	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// A predictor that panics for many rows fails its cells, with its line, and no
// other; the study goes on.
func TestAPredictorThatPanics(t *testing.T) {
	models.Register(models.Method{
		Name: "indexed", Objective: methods.FullMSE,
		Predict: func(_ *graph.Builder, m models.Moments) models.PredictionNodes {
			return methods.Point(m.Full[m.Full[0].Shape()[0]/4]) // three rows, which are examined, pass
		},
	})
	c := Config{
		Preset: "quick", Datasets: []string{"aa"}, Methods: []string{"indexed", "pu"}, Splits: []string{"random"},
		Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "batch": {"20"}, "width": {"6"}, "samples": {"5"}},
	}
	_, _, s := runNewStudy(t, c, Options{Jobs: 2})
	if s.Done != 2 || s.Failed != 2 {
		t.Errorf("%+v", s)
	}
	for _, failure := range s.Failures {
		if !strings.Contains(failure, "the predictor of method indexed: runtime error: index out of range") || !strings.Contains(failure, "(at panic_test.go:18)") {
			t.Errorf("%s", failure)
		}
	}
}
