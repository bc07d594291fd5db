package experiment

import (
	"strings"
	"testing"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
)

// The bounds by hand: three standard errors of 1,000 rows are 3·√(0.09/1000) = 2.8 %, with 100 calibration rows
// 3·√(0.09·(1/1000 + 1/100)) = 9.4 %.
func TestVerdict(t *testing.T) {
	scores := func(rmse, coverage float64) measure.Scores {
		return measure.Scores{{Measure: "rmse", Score: rmse}, {Measure: "coverage90", Score: coverage}}
	}
	baselines := []BaselineScores{{Name: "ridge", Original: scores(2, 0.9)}, {Name: "constant", Original: scores(3, 0.9)}}
	for _, c := range []struct {
		rmse, coverage  float64
		calibrationRows int
		want            []string // in the order of the warnings
	}{
		{1, 0.9, 0, nil},
		{2.01, 0.9, 0, nil},
		{2.1, 0.9, 0, []string{"the baseline ridge predicts these rows better than the model, with a RMSE of 2 in place of 2.1"}},
		{1, 0.871, 0, []string{"contain 87.1% of the 1000 targets, and chance explains 90% ± 2.8%: calibrate it"}},
		{1, 0.873, 0, nil},
		{1, 0.871, 100, nil},
		{1, 0.8, 100, []string{"90% ± 9.4%: these rows differ from the calibration rows"}},
		{4, 0.95, 0, []string{"the baseline ridge", "contain 95.0%"}},
	} {
		m := new(Model)
		if c.calibrationRows > 0 {
			m.Calibration = &calibrate.Calibration{Rows: c.calibrationRows}
		}
		got := m.Verdict(&evaluation.Evaluation{Rows: 1000, Original: scores(c.rmse, c.coverage)}, baselines)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %q", c, got)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%+v: %q", c, got)
			}
		}
	}
}
