package cmd

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
)

// A comparison has the scores that evaluate computes, also for a file with the model's predictions, in any order.
func TestCompareAgreesWithEvaluate(t *testing.T) {
	t.Chdir(t.TempDir())
	runSML(t, nil, "data", "toy", "friedman", "--out", "f.csv")
	// The target has a transform and a bound, so that predictions are not normal in its unit.
	runSML(t, nil, "train", "--data", "f.csv", "--target", "y", "--method", "quantiles", "--hidden", "8", "--epochs", "2",
		"--split", "random", "--transform", "log", "--support", "positive", "--out", "m", "--quiet")
	const names = "rmse,crps,interval-score90,coverage90,width90"
	var evaluated struct{ evaluation.Evaluation }
	unmarshal(t, runSML(t, nil, "evaluate", "m", "--measures", names, "--json"), &evaluated)
	runSML(t, nil, "evaluate", "m", "--predictions", "rows.csv")
	reverseLines(t, "rows.csv", "reversed.csv")
	var compared comparisonResult
	unmarshal(t, runSML(t, nil, "compare", "m", "reversed.csv", "--json"), &compared)
	var competitors []string
	for _, c := range compared.Competitors {
		competitors = append(competitors, c.Name)
		if c.Kind == baselineKind {
			continue
		}
		for _, name := range strings.Split(names, ",") {
			if c.Kind == predictionsKind && name != "rmse" {
				continue // the quantiles alone do not determine the distribution beyond the outermost ones
			}
			got, want := c.Scores.Get(name), evaluated.Original.Get(name)
			if math.Abs(got/want-1) > 1e-9 {
				t.Errorf("%s: the %s is %v; evaluate says %v", c.Name, name, got, want)
			}
		}
	}
	if want := []string{"m", "reversed.csv", "ridge", "constant"}; !slices.Equal(competitors, want) {
		t.Errorf("the competitors are %v; want %v", competitors, want)
	}
}

// reverseLines writes the lines of a CSV file into another file, the last first behind the header.
func reverseLines(t *testing.T, from, to string) {
	t.Helper()
	text := readFile(t, from)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Reverse(lines[1:])
	writeFile(t, to, strings.Join(lines, "\n")+"\n")
}
