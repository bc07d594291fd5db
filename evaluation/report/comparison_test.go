package report

import (
	"bytes"
	"errors"
	"math"
	"os"
	"testing"

	"sml/evaluation"
)

// Invented scores: three methods on one data set and two on another, mixed, and
// one alone on a third; with ties, large and small numbers, NaN and infinity.
var someRows = []Row{
	{"yacht", "MC", 308, 12.345, evaluation.Scores{RMSE: 0.0912, NLL: -1.5, ECE: 0.95, WS: 0.441, KS: 0.25, R2: 0.99, MAE: 0.05}},
	{"yacht", "SML", 308, 15, evaluation.Scores{RMSE: 0.0911, NLL: -1.625, ECE: 0.875, WS: math.Inf(1), KS: 0.3, R2: 0.991, MAE: 0.0501}},
	{"wine-red", "MC", 1599, 99.95, evaluation.Scores{RMSE: 0.8, NLL: 123456.789, ECE: 0, WS: 0.00012345, KS: 0.1, R2: -12.5, MAE: math.NaN()}},
	{"yacht", "PU-DE", 308, 61.2, evaluation.Scores{RMSE: 0.2, NLL: -1.25, ECE: 1.9, WS: 0.5, KS: 0.25, R2: 0.9, MAE: math.NaN()}},
	{"wine-red", "SML", 1599, 100.04, evaluation.Scores{RMSE: 0.75, NLL: 1.5, ECE: 0.4, WS: 0.5, KS: 0.1, R2: -0.5, MAE: math.NaN()}},
	{"a, \"quoted\" name", "MC", 7, 0, evaluation.Scores{}},
}

func TestComparison(t *testing.T) {
	var got bytes.Buffer
	if err := Comparison(&got, someRows); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/comparison.txt", got.Bytes())
}

func TestComparisonEmpty(t *testing.T) {
	if err := Comparison(&bytes.Buffer{}, nil); err != nil {
		t.Error(err)
	}
}

func TestNumber(t *testing.T) {
	// By hand.
	cases := []struct {
		x    float64
		want string
	}{
		{0, "0.000"}, {0.0005, "0.001"}, {0.00049, "4.90e-04"}, {-1.23456, "-1.235"},
		{9999.4, "9999.400"}, {-123456, "-1.23e+05"}, {math.NaN(), "–"}, {math.Inf(1), "+Inf"},
	}
	for _, c := range cases {
		if got := number(c.x); got != c.want {
			t.Errorf("number(%v) = %q; want %q", c.x, got, c.want)
		}
	}
}

func TestWriteErrorsAreReturned(t *testing.T) {
	if err := Comparison(full{}, someRows); !errors.Is(err, errFull) {
		t.Errorf("Comparison: error is %v; want %v", err, errFull)
	}
	if err := ScoresCSV(full{}, someRows); !errors.Is(err, errFull) {
		t.Errorf("ScoresCSV: error is %v; want %v", err, errFull)
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// golden compares with a file that was checked by eye against someRows.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s; got:\n%s", path, got)
	}
}
