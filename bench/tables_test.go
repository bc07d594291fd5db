package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sml/internal/expect"
)

// tablesPython runs tables.py, by Debian's packages python3-xgboost and python3-sklearn.
const tablesPython = "/usr/bin/python3"

func TestComparisonOfTables(t *testing.T) {
	if testing.Short() {
		t.Skip("trains models of eight programs")
	}
	if err := exec.Command(tablesPython, "-c", "import xgboost, sklearn").Run(); err != nil {
		t.Skipf("%s has no xgboost and scikit-learn: %v", tablesPython, err)
	}
	runCommand(t, tablesPython, "-B", "-m", "unittest", "test_tables")

	dir := t.TempDir()
	sml := filepath.Join(dir, "sml")
	runCommand(t, "go", "build", "-o", sml, "../cmd/sml")
	table := filepath.Join(dir, "steps.csv")
	writeSteps(t, table)
	fast := []string{"--", "--hidden", "8", "--epochs", "3"}
	for _, c := range []struct{ name, want string }{
		{"random", "## Random rows"}, {"group", "## Whole groups"}, {"time", "## Order of time"}, {"preset", "center"},
	} {
		page := filepath.Join(dir, c.name+".md")
		args := []string{"-B", "tables.py", "--sml", sml, "--folds", "1", "--jobs", "1", "--out", page}
		switch c.name {
		case "random":
			args = append(args, table+":y")
		case "preset":
			args = append(args, "--preset", "scoringbench", table+":y")
		default:
			args = append(args, table+":y:"+c.name+":step")
		}
		runCommand(t, tablesPython, append(args, fast...)...)
		for _, file := range []string{page, strings.TrimSuffix(page, ".md") + ".csv"} {
			text := expect.Must(os.ReadFile(file))
			want := "XGBoost, cross"
			if file == page {
				want = c.want
			}
			if !bytes.Contains(text, []byte(want)) || bytes.Contains(text, []byte("nan")) {
				t.Errorf("%s: %s has no %q, or a score that is not a number:\n%s", c.name, file, want, text)
			}
		}
	}
}

// writeSteps writes a table of 120 rows with a number, a category, the step that four rows share, and a target.
func writeSteps(t *testing.T, name string) {
	t.Helper()
	text := "x,kind,step,y\n"
	for i := range 120 {
		text += fmt.Sprintf("%d,%s,%d,%d\n", i%17, []string{"a", "b", "c"}[i%3], i/4, i%17*3+i%5+i/4)
	}
	expect.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

func runCommand(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}
