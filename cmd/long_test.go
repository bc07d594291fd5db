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
	run("study", "report", dir,
		"--assert", "sml/concrete/test/rmse<0.4", "--assert", "sml/concrete/test/rmse>0.1",
		"--assert", "sml/concrete/test/nll<-0.78", "--assert", "sml/concrete/test/nll>-1.08",
		"--assert", "sml/concrete/test/ece<0.59", "--assert", "sml/concrete/test/ece>0.29",
		"--assert", "sml/concrete/test/ws<0.35", "--assert", "sml/concrete/test/ws>0.05",
		"--assert", "mc/concrete/test/ece<0.63", "--assert", "mc/concrete/test/ece>0.33",
		"--assert", "mc/concrete/test/ws<0.65", "--assert", "mc/concrete/test/ws>0.35",
		"--assert", "pu-de/concrete/test/ece<0.56", "--assert", "pu-de/concrete/test/ece>0.26")
}
