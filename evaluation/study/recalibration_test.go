package study

import (
	"math"
	"testing"

	"sml/data"
)

// Test rows of splits that report training rows have the paper's recalibration under
// the paper protocol, where the predictions have a std; nothing else has it.
func TestRecalibratedScores(t *testing.T) {
	c := Config{Datasets: []string{"friedman"}, Methods: []string{"pu", "quantiles", "de"}, Splits: []string{"random", "pca"}, Fold: []int{0}, Settings: Settings{"epochs": {"2"}, "width": {"5"}, "samples": {"2"}, "members": {"1"}}}
	for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
		c.Protocol = string(protocol)
		dir, p, _ := runNewStudy(t, c, Options{})
		for _, cell := range p.Cells {
			r, state, err := Load(dir, p, cell)
			if state != Done {
				t.Fatal(err)
			}
			want := protocol == data.Paper && cell.Label != "de" && cell.Training.Split == "random"
			if got := r.Test.Scores.Has(recalibrated); got != want || r.Train != nil && r.Train.Scores.Has(recalibrated) {
				t.Errorf("%s under %s: %v; want it: %v", cell.Name, protocol, r.Test.Scores, want)
			}
			// From nothing, by the definition of the ECE, to 1.9.
			if x := r.Test.Scores.Get(recalibrated); want && !(x >= 0 && x <= 1.9) {
				t.Errorf("%s: %v", cell.Name, x)
			}
		}
		for _, s := range collectOne(t, dir, p).Scores {
			if s.Measure == recalibrated && (s.Split != "test" || s.Method == "de" || math.IsNaN(s.Mean)) {
				t.Errorf("%+v", s)
			}
		}
	}
}
