package models_test

import (
	"slices"
	"testing"

	"sml/graph"
	"sml/internal/expect"
	"sml/models"
	_ "sml/models/methods"
)

// The bins of an input have as many rows each; equal and close values share one. Input 1 is an indicator, without bins.
func TestFitBins(t *testing.T) {
	spec := expect.Must(models.NewSpec("pu", nil, models.Architecture{Inputs: 3, Targets: 1, Hidden: []int{4}, Bins: 4, Indicators: []int{1}}))
	params := expect.Must(spec.NewParams(1))
	uniform := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8}
	skewed := []float32{0, 0, 0, 0, 0, 0, 0, 1, 9} // quantiles 0, 0, 0, 0 and 9
	spec.FitBins(params, [][]float32{uniform, skewed})
	want := map[string][]float32{
		"bins.start": {0, 2, 4, 6, 0, 0, 0, 0},
		"bins.scale": {0.5, 0.5, 0.5, 0.5, 1.0 / 9, 0, 0, 0},
	}
	for i, p := range params.List() {
		if want[p.Name] == nil {
			continue
		}
		if got := graph.ParamValues(params, params.Float32s(), i); !slices.Equal(got, want[p.Name]) {
			t.Errorf("%s is %v, want %v", p.Name, got, want[p.Name])
		}
		if !p.Buffer {
			t.Errorf("%s is trained", p.Name)
		}
	}
}
