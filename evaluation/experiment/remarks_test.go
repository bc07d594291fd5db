package experiment

import (
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/baseline"
	"sml/evaluation/calibrate"
	"sml/evaluation/measure"
	"sml/internal/expect"
	"sml/models"
)

// testScores returns a RMSE and a coverage of 90 % intervals.
func testScores(rmse, coverage float64) measure.Scores {
	return measure.Scores{{Measure: "rmse", Score: rmse}, {Measure: "coverage90", Score: coverage}}
}

// testBaseline returns a baseline with a RMSE for each target.
func testBaseline(name string, rmse ...float64) BaselineScores {
	b := BaselineScores{Name: name}
	for _, score := range rmse {
		b.Targets = append(b.Targets, BaselineTarget{Original: testScores(score, 0.9)})
	}
	return b
}

// checkRemarks reports an error unless there are as many remarks as wanted texts, and each contains its text.
func checkRemarks(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}

// newNormalModel returns a model that predicts normal distributions, with a calibration on a number of rows unless it is 0.
func newNormalModel(calibrationRows int) *Model {
	m := &Model{Model: &models.Model{Spec: models.Spec{Method: "pu"}}}
	if calibrationRows > 0 {
		m.Calibration = &calibrate.Calibration{Options: calibrate.Options{Coverage: 0.9}, Rows: calibrationRows}
	}
	return m
}

// The numbers of intervals that chance explains are computed in double precision from sums of gamma functions of the
// binomial distribution of 1,000 rows and, with 100 calibration rows, of the beta-binomial one.
func TestRemarks(t *testing.T) {
	baselines := []BaselineScores{testBaseline("ridge", 2), testBaseline("constant", 3)}
	const tooFew = "Of 1000 intervals with a nominal coverage of 90 %, 874 contain their target; chance explains 875 to 924: "
	for _, c := range []struct {
		rmse, coverage  float64
		calibrationRows int
		want            []string
	}{
		{1, 0.9, 0, nil},
		{2.01, 0.9, 0, nil},
		{2.1, 0.9, 0, []string{"Ridge regression has a smaller RMSE (2 beside 2.1): "}},
		{1, 0.874, 0, []string{tooFew}},
		{1, 0.875, 0, nil},
		{1, 0.924, 0, nil},
		{1, 0.925, 0, []string{"925 contain"}},
		{1, 0.805, 100, nil},
		{1, 0.804, 100, []string{"804 contain their target; chance explains 805 to 964: these rows differ from the calibration rows"}},
		{4, 0.95, 0, []string{"Ridge regression", "950 contain"}},
	} {
		e := &evaluation.Evaluation{Rows: 1000, Original: testScores(c.rmse, c.coverage)}
		checkRemarks(t, newNormalModel(c.calibrationRows).Remarks(e, baselines), c.want)
	}
}

// Each of several targets has its own remarks, on the rows in which it is known.
func TestRemarksOfTargets(t *testing.T) {
	e := &evaluation.Evaluation{Rows: 1000, Columns: []evaluation.Column{
		{Name: "price", Original: testScores(3, 0.9)},
		{Name: "age", Rows: 60, Original: testScores(5, 44.0/60)},
	}}
	baselines := []BaselineScores{testBaseline("ridge", 2, 6), testBaseline("constant", 3, 4)}
	checkRemarks(t, newNormalModel(0).Remarks(e, baselines), []string{
		"Ridge regression has a smaller RMSE of price (2 beside 3): \"sml compare\" says whether by chance; if not, ",
		"A constant has a smaller RMSE of age (4 beside 5): ",
		"Of 60 intervals of age with a nominal coverage of 90 %, 44 contain their target; chance explains 47 to 59: ",
	})
}

// The coverage of weighted rows does not tell the number of intervals.
func TestRemarksOfWeightedRows(t *testing.T) {
	m := newNormalModel(0)
	m.Settings.Table.Weight = "w"
	e := &evaluation.Evaluation{Rows: 1000, Original: testScores(1, 0.5)}
	checkRemarks(t, m.Remarks(e, nil), nil)
}

// A baseline that is fitted to a sample of the training rows says so.
func TestRemarksOfSamples(t *testing.T) {
	predictions := []baseline.Prediction{{
		Name:        "ridge",
		Column:      &measure.Column{Mean: []float64{1}, Std: []float64{1}, Y: []float64{1}, Protocol: data.Sound},
		SampledRows: 500,
	}}
	baselines := expect.Must(ScoreBaselines([]Baseline{{Name: "ridge", TargetNames: []string{"y"}, Predictions: predictions}}, []string{"rmse"}))
	e := &evaluation.Evaluation{Rows: 1, Original: testScores(0, 1)}
	checkRemarks(t, newNormalModel(0).Remarks(e, baselines), []string{"Ridge regression was fitted to 500 of the training rows, evenly spaced."})
}
