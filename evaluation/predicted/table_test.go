package predicted

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"sml/internal/expect"
)

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
		expect.NoError(t, os.WriteFile(path, []byte(c.text), 0o666))
		f, err := Read(t.Context(), path)
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

// Files that would be misread are refused.
func TestUnreadablePredictionFiles(t *testing.T) {
	for text, want := range map[string]string{
		"mean,std\n1\n":                    "the row has 1 field",
		"mean,mean,std\n1,2,1\n":           "column",
		"mean,q0.05,q0.050\n1,0,0\n":       "there are quantiles of the level 0.05 already",
		"mean,std\n1,2\n1,-3\n":            "prediction 2: the standard deviation is -3",
		"mean,std\nInf,1\n":                "Inf",
		"mean,sd\n1,2\n":                   `the column "sd" is unknown; want mean, and std or quantiles such as q0.05`,
		"mean,q0.95,q0.05\n1,2,2\n1,2,3\n": "prediction 2: q0.05 is 3 and q0.95 is 2; want quantiles that ascend with their levels",
		"mean,q0.1,q0.9\n0,-1e308,1e308\n": "prediction 1: the standard deviation of its quantiles is",
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		expect.Error(t, expect.ErrorOf(Read(t.Context(), path)), want)
	}
}

// Predictions are read as tables are: with other delimiters, a byte order mark, and as JSON.
func TestPredictionFileFormats(t *testing.T) {
	for _, text := range []string{"mean;std\n1.5;2\n", "\ufeffmean,std\n1.5,2\n", `{"mean": 1.5, "std": 2}`} {
		path := filepath.Join(t.TempDir(), "p.csv")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		f, err := Read(t.Context(), path)
		if err != nil || f.Len != 1 || f.Numbers(Mean)[0] != 1.5 || f.Numbers(Std)[0] != 2 {
			t.Errorf("%q: %+v, %v", text, f, err)
		}
	}
}
