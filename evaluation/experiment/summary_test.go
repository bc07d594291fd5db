package experiment

import (
	"slices"
	"testing"

	"sml/models"
)

// The summary has the interval that the model was calibrated for.
func TestSummaryMeasures(t *testing.T) {
	m := newNormalModel(100)
	m.Calibration.Coverage = 0.8
	classes := &Model{Model: &models.Model{Spec: models.Spec{Method: "classes"}}}
	classes.Architecture.Classes = 3
	for _, c := range []struct {
		model *Model
		want  []string
	}{
		{newNormalModel(0), []string{"rmse", "mae", "crps", "coverage90", "width90"}},
		{m, []string{"rmse", "mae", "crps", "coverage80", "width80"}},
		{classes, []string{"log-loss", "accuracy", "brier", "coverage90", "width90"}},
	} {
		if got := c.model.SummaryMeasures(); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	for _, names := range [][]string{nil, {"all"}} {
		if got := m.withSummaryMeasures(names); !slices.Contains(got, "nll") || !slices.Contains(got, "width80") {
			t.Errorf("%q: %v", names, got)
		}
	}
	if got := m.withSummaryMeasures([]string{"rmse"}); !slices.Equal(got, []string{"rmse"}) {
		t.Errorf("%v, want the chosen measure", got)
	}
}
