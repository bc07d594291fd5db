package report

import (
	"math"
	"path/filepath"
	"testing"
)

func TestHistory(t *testing.T) {
	figure, err := History([]Curve{
		{"loss", [][]float64{{1, 0.1, 0.01}, {2, 0.2, 0.02}}},
		{"negative", [][]float64{{1, math.NaN(), -1}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(figure.panels[0]) != 2 {
		t.Errorf("%d panels, want 2", len(figure.panels[0]))
	}
	for _, suffix := range []string{".svg", ".png"} {
		if err := Save(filepath.Join(t.TempDir(), "history"+suffix), figure); err != nil {
			t.Error(err)
		}
	}
	for name, curves := range map[string][]Curve{"none": nil, "no value": {{"loss", [][]float64{{math.NaN()}}}}} {
		if _, err := History(curves); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
