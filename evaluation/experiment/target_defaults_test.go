package experiment_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/evaluation/experiment"
	"sml/internal/expect"
	"sml/models"
	"sml/trainers"
)

// writeSkewed writes a table of 200 rows with a target whose logarithm is linear in the input, some of them 0,
// and returns its path.
func writeSkewed(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,y\n")
	for i := range 200 {
		x := float64(i%40) / 10
		y := math.Exp(x) * (1 + math.Sin(float64(i)))
		if i%9 == 0 {
			y = 0
		}
		fmt.Fprintf(&text, "%v,%v\n", x, y)
	}
	path := filepath.Join(t.TempDir(), "skewed.csv")
	expect.NoError(t, os.WriteFile(path, []byte(text.String()), 0o666))
	return path
}

// trainSkewed trains a small model on the table at path, and returns it with the table and the experiment.
func trainSkewed(t *testing.T, path, method string, options experiment.ReadOptions) (*experiment.Experiment, *experiment.Trained) {
	t.Helper()
	ctx := context.Background()
	settings := experiment.DefaultSettings()
	settings.Training.Protocol = data.Sound
	settings.Training.Epochs = 4
	settings.Training.Batch = 20
	settings.Training.Split = "random"
	settings.Training.Calibrate = 0.3
	settings.Table = expect.Must(options.Source(path))
	table := expect.Must(settings.Source().Read(ctx, "", data.Sound))
	settings.Spec.Architecture.Inputs = len(table.Columns)
	settings.Spec.Architecture.Targets = len(table.Targets)
	settings.Spec = expect.Must(models.NewSpec(method, nil, settings.Spec.Architecture))
	e := expect.Must(experiment.Prepare(ctx, settings, experiment.NewTable(table)))
	trained := expect.Must(e.Train(ctx, trainers.Options{}))
	return e, trained
}

// TestBoundsNeverWorsenScores compares the scores of one model with and without bounds, before and after its calibration:
// no score in the target's unit is worse with them, and all values are in the bounds. The weights are the same.
func TestBoundsNeverWorsenScores(t *testing.T) {
	path := writeSkewed(t)
	for _, method := range []string{"pu", "de", "sml", "student-t", "mdn", "quantiles"} {
		e, bounded := trainSkewed(t, path, method, experiment.ReadOptions{Transform: preparation.None})
		free, unbounded := trainSkewed(t, path, method, experiment.ReadOptions{Transform: preparation.None, Support: preparation.None})
		after := scoreTest(t, e, bounded)
		before := scoreTest(t, free, unbounded)
		for _, pair := range [][2]evaluation.Evaluation{{before, after}, {*before.Uncalibrated, *after.Uncalibrated}} {
			for _, name := range []string{"rmse", "mae", "crps", "interval-score90", "interval-score", "width90"} {
				was, is := pair[0].Original.Get(name), pair[1].Original.Get(name)
				const rounding = 1e-12 // scores are scaled, or computed in the target's unit
				if !(is <= was*(1+rounding)) && !math.IsNaN(was) {
					t.Errorf("%s: %s is %v with bounds, and %v without", method, name, is, was)
				}
			}
			const noisy = 1e-6 // the NLL adds 1e-10 to the variance, in the unit that it is computed in
			if was, is := pair[0].Original.Get("nll"), pair[1].Original.Get("nll"); math.Abs(is-was) > noisy && !math.IsNaN(was) {
				t.Errorf("%s: NLL %v with bounds, and %v without", method, is, was)
			}
		}
		checkBounds(t, method, bounded)
	}
}

// scoreTest returns the scores of the test rows.
func scoreTest(t *testing.T, e *experiment.Experiment, m *experiment.Trained) evaluation.Evaluation {
	t.Helper()
	e.Prediction.Measures = []string{"rmse", "mae", "crps", "interval-score90", "interval-score", "width90", "nll"}
	scores, _, err := e.Evaluate(context.Background(), m.Model, e.Rows.Test, e.Sampling())
	expect.NoError(t, err)
	return scores
}

// checkBounds checks that predictions of rows far from the training rows are 0 or more, and that there are some at 0.
func checkBounds(t *testing.T, method string, trained *experiment.Trained) {
	t.Helper()
	m := expect.Must(experiment.Decode(trained.Model))
	defer m.Close()
	var rows []experiment.Row
	for _, x := range []float64{-40, 0, 0.5, 4, 90} {
		rows = append(rows, experiment.Row{"x": x})
	}
	predictions := expect.Must(m.Predict(context.Background(), rows, experiment.Outputs{}))
	atBound := 0
	for _, p := range predictions {
		values := []float64{*p[0].Mean}
		if p[0].Interval != nil {
			values = append(values, p[0].Interval.Lower, p[0].Interval.Upper)
		}
		for _, q := range p[0].Quantiles {
			values = append(values, q.Value)
		}
		for _, value := range values {
			if value < 0 {
				t.Errorf("%s: the prediction %+v is below 0", method, p[0])
			}
			if value == 0 {
				atBound++
			}
		}
	}
	if atBound == 0 {
		t.Errorf("%s: no prediction is at the bound, so that nothing was clipped", method)
	}
}
