package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongPaper trains the paper's methods on concrete with the paper's
// settings and compares test scores with the published ones. The bounds are the
// paper's score ± 0.15, which the mean over ten folds keeps (docs/results:
// within 0.05).
func TestLongPaper(t *testing.T) {
	if os.Getenv("SML_LONG") == "" || os.Getenv("SML_DATA") == "" {
		t.Skip("takes minutes: make test-long runs it")
	}
	dir := filepath.Join(t.TempDir(), "study")
	run := func(args ...string) {
		t.Helper()
		runSML(t, strings.NewReader(""), args...)
	}
	run("study", "plan", dir, "--datasets", "concrete", "--splits", "random", "--methods", "mc,sml,pu-de")
	run("study", "run", dir, "--quiet")
	out := dir + "-report"
	run("study", "report", dir, "--out", out, "--quiet")
	checkScore := func(score string, low, high float64) {
		t.Helper()
		if err := checkReportedScore(filepath.Join(out, "scores.csv"), score, low, high); err != nil {
			t.Error(err)
		}
	}
	checkScore("sml/concrete/test/rmse", 0.1, 0.4)
	checkScore("sml/concrete/test/nll", -1.08, -0.78)
	checkScore("sml/concrete/test/ece", 0.29, 0.59)
	checkScore("sml/concrete/test/ws", 0.05, 0.35)
	checkScore("mc/concrete/test/ece", 0.33, 0.63)
	checkScore("mc/concrete/test/ws", 0.35, 0.65)
	checkScore("pu-de/concrete/test/ece", 0.26, 0.56)
}
