package cmd

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
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

// unmarshal decodes the JSON output of a command.
func unmarshal(t *testing.T, text []byte, value any) {
	t.Helper()
	if err := json.Unmarshal(text, value); err != nil {
		t.Fatal(err)
	}
}

// reverseLines writes the lines of a CSV file into another file, the last first behind the header.
func reverseLines(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Reverse(lines[1:])
	if err := os.WriteFile(to, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The columns of a file define the distribution: three quantiles do, otherwise std, whose interval two quantiles
// replace. Source of the normal quantile 1.6448536: Abramowitz and Stegun, table 26.5.
func TestPredictionFile(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		hasNone      bool    // whether the file has no distribution
		lower, upper float64 // 90 % interval of the first line
	}{
		{name: "mean", text: "mean\n1\n", hasNone: true},
		{name: "std", text: "std,mean,name\n2,1,a\n", lower: 1 - 2*1.6448536, upper: 1 + 2*1.6448536},
		{name: "interval", text: "mean,std,q0.95,q0.05\n1,2,7,-3\n", lower: -3, upper: 7},
		{name: "two quantiles", text: "mean,q0.95,q0.05\n1,7,-3\n", lower: -3, upper: 7},
		{name: "three quantiles", text: "mean,std,q0.95,q0.05,q0.5\n1,2,7,-3,0\n", lower: -3, upper: 7},
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := readPredictionFile(path)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		d := f.distribution(0)
		if d == nil || c.hasNone {
			if (d == nil) != c.hasNone {
				t.Errorf("%s: the distribution is %v", c.name, d)
			}
			continue
		}
		if low, high := d.Quantile(0.05), d.Quantile(0.95); math.Abs(low-c.lower) > 1e-6 || math.Abs(high-c.upper) > 1e-6 {
			t.Errorf("%s: the interval is %v to %v; want %v to %v", c.name, low, high, c.lower, c.upper)
		}
	}
}

// A truth in the file that is not the table's target shows that its lines are of other rows.
func TestPredictionFileOfOtherRows(t *testing.T) {
	f := &predictionFile{truths: []float64{3}, means: []float64{1}}
	if err := f.checkTruth(0, 3+1e-9); err != nil {
		t.Error(err)
	}
	if err := f.checkTruth(0, 4); err == nil || !strings.Contains(err.Error(), "the predictions are of other rows") {
		t.Errorf("the error is %v", err)
	}
}

// A line with too few fields is refused, as by other readers of CSV files.
func TestPredictionFileWithShortLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte("mean,std\n1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readPredictionFile(path); err == nil || !strings.Contains(err.Error(), csv.ErrFieldCount.Error()) {
		t.Errorf("the error is %v", err)
	}
}
