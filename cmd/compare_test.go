package cmd

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sml/evaluation"
	"sml/evaluation/measure"
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

// The losses of several seeds are averaged row by row; a baseline has the losses of one training.
func TestMeanOverSeeds(t *testing.T) {
	method := trainedCompetitor{name: "mc", kind: methodKind}
	constant := trainedCompetitor{name: "constant", kind: baselineKind}
	losses := func(values ...float64) []measure.RowLoss {
		return []measure.RowLoss{{Measure: "rmse", Values: values, IsRoot: true}}
	}
	collected := &collectedLosses{losses: map[competitorTraining][]measure.RowLoss{
		{method, 0, 1}:   losses(1, 4),
		{method, 0, 2}:   losses(3, 0),
		{method, 1, 1}:   losses(9, 9),
		{constant, 0, 1}: losses(5, 6),
	}}
	seeds := []uint64{1, 2}
	if got := collected.meanOverSeeds(method, 0, seeds)[0]; !got.IsRoot || !slices.Equal(got.Values, []float64{2, 2}) {
		t.Errorf("the mean losses are %+v; want 2, 2", got)
	}
	if got := collected.meanOverSeeds(constant, 0, seeds)[0]; !slices.Equal(got.Values, []float64{5, 6}) {
		t.Errorf("the losses of the constant are %+v; want 5, 6", got)
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
		{name: "std", text: "std,mean,lower\n2,1,0\n", lower: 1 - 2*1.6448536, upper: 1 + 2*1.6448536},
		{name: "interval", text: "mean,std,q0.95,q0.05\n1,2,7,-3\n", lower: -3, upper: 7},
		{name: "two quantiles", text: "mean,q0.95,q0.05\n1,7,-3\n", lower: -3, upper: 7},
		{name: "three quantiles", text: "mean,std,q0.95,q0.05,q0.5\n1,2,7,-3,0\n", lower: -3, upper: 7},
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := readPredictionFile(t.Context(), path)
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

// A truth in the file that is not the table's target shows that it predicts other rows.
func TestPredictionFileOfOtherRows(t *testing.T) {
	f := &predictionFile{truths: []float64{3}, means: []float64{1}}
	if err := f.checkTruth(0, 3+1e-9); err != nil {
		t.Error(err)
	}
	if err := f.checkTruth(0, 4); err == nil || !strings.Contains(err.Error(), "the predictions are for other rows") {
		t.Errorf("the error is %v", err)
	}
}

// Files that would be misread are refused.
func TestUnreadablePredictionFiles(t *testing.T) {
	for text, want := range map[string]string{
		"mean,std\n1\n":                    "the row has 1 field",
		"mean,mean,std\n1,2,1\n":           "column",
		"mean,q0.05,q0.050\n1,0,0\n":       "there are quantiles of the level 0.05 already",
		"mean,std\n1,much\n":               "much",
		"mean,std\n1,2\n1,-3\n":            "prediction 2: the standard deviation is -3",
		"mean,std\nInf,1\n":                "Inf",
		"id,value\n1,2\n":                  "want mean, and std or quantiles",
		"mean,sd\n1,2\n":                   `the column "sd" is unknown; want mean, and std or quantiles such as q0.05`,
		"mean,q0.95,q0.05\n1,2,2\n1,2,3\n": "prediction 2: q0.05 is 3 and q0.95 is 2; want quantiles that ascend with their levels",
		"mean,q0.1,q0.9\n0,-1e308,1e308\n": "prediction 1: the standard deviation of its quantiles is",
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readPredictionFile(t.Context(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v; want %s", text, err, want)
		}
	}
}

// Predictions are read as tables are: with other delimiters, a byte order mark, and as JSON.
func TestPredictionFileFormats(t *testing.T) {
	for _, text := range []string{"mean;std\n1.5;2\n", "\ufeffmean,std\n1.5,2\n", `{"mean": 1.5, "std": 2}`} {
		path := filepath.Join(t.TempDir(), "p.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := readPredictionFile(t.Context(), path)
		if err != nil || len(f.means) != 1 || f.means[0] != 1.5 || f.stds[0] != 2 {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}
