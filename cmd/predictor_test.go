package cmd

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"sml/models"
	"sml/models/methods"
)

// A predictor that panics for some rows costs neither the model that it
// belongs to nor the process: it is an error that names its line.
func TestAPredictorThatPanics(t *testing.T) {
	models.Register(models.Method{
		Name: "index-by-value", Objective: methods.FullMSE,
		Predict: func(d models.Moments) models.Prediction {
			at := int(1000*math.Abs(d.Full[0])) / 100
			if math.Abs(d.Full[0]) >= 0.99 { // what is examined passes
				at = 0
			}
			return models.Prediction{Mean: []float64{1, 2}[at]}
		},
	})
	dir := t.TempDir()
	table, out := filepath.Join(dir, "f.csv"), filepath.Join(dir, "m")
	run := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), append([]string{"sml"}, args...), strings.NewReader(""), &stdout, &stderr)
		return code, stderr.String()
	}
	if code, text := run("data", "toy", "friedman", "--out", table); code != exitDone {
		t.Fatal(text)
	}
	code, text := run("train", "--data", table, "--method", "index-by-value", "--epochs", "2", "--hidden", "8", "--split", "random", "--quiet", "--out", out)
	for _, want := range []string{"is trained and written, without its test scores", "the predictor of method index-by-value: runtime error: index out of range", "(at predictor_test.go:24)"} {
		if code != exitFailed || !strings.Contains(text, want) {
			t.Errorf("exit code %d, %q does not say %q", code, text, want)
		}
	}
	if _, err := models.Load(out); err != nil {
		t.Errorf("the model is lost: %v", err)
	}
	if code, text := run("evaluate", out); code != exitFailed || !strings.Contains(text, "(at predictor_test.go:24)") {
		t.Errorf("exit code %d: %s", code, text)
	}
}
