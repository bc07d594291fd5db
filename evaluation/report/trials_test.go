package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"sml/evaluation/measure"
)

// Trials are drawn over each setting. Failed trials and trials beyond the axes are counted, and any finite
// score can be drawn.
func TestTrials(t *testing.T) {
	varied := []TrialSetting{{Name: "dropout", Low: 0.1, High: 0.3}, {Name: "lr", Log: true, Low: 1e-4, High: 1e-2}, {Name: "hidden", Choices: []string{"20", "50,50", "a very long name of a choice"}}}
	trials := []Trial{
		{Score: 0.5, Values: []float64{0.1, 1e-3, 0}}, {Score: 0.4, Values: []float64{0.2, 1e-2, 1}},
		{Score: 0.45, Values: []float64{0.15, 1e-4, math.NaN()}, Stopped: true}, {Score: math.NaN(), Values: []float64{0.1, 1e-3, 2}},
		{Score: 0.42, Values: []float64{0.12, 2e-3, 2}}, {Score: 0.41, Values: []float64{0.11, 2e-3, 2}}, {Score: 1e9, Values: []float64{0.3, 1e-3, 2}},
	}
	for _, higher := range []bool{false, true} {
		f, err := Trials(measure.Measure{Title: "CRPS", HigherIsBetter: higher}, varied, trials, 1)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"CRPS", "dropout", "lr", "50,50", "a very long…", "1 failed", "stopped early", "best score so far"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the picture has no %q", want)
			}
		}
		if beyond := strings.Contains(b.String(), "beyond the axes"); beyond == higher {
			t.Errorf("of what is far off: beyond the axes %v", beyond)
		}
	}
	for _, scores := range [][]float64{{1}, {math.MaxFloat64, -math.MaxFloat64}, {0, 0}, {-3, 1e-300}, {math.Inf(1), 2}} {
		var list []Trial
		for _, s := range scores {
			list = append(list, Trial{Score: s})
		}
		f, err := Trials(measure.Measure{Title: "R²", HigherIsBetter: true}, nil, list, -1)
		if err == nil {
			err = f.WriteSVG(new(bytes.Buffer))
		}
		if err != nil {
			t.Errorf("%v: %v", scores, err)
		}
	}
	if _, err := Trials(measure.Measure{Title: "CRPS"}, nil, []Trial{{Score: math.NaN()}}, -1); err == nil {
		t.Error("a picture of nothing")
	}
}
