package cmd

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"sml/evaluation/measure"
)

// Invented scores: three methods on one data set and two on another, mixed, and
// one alone on a third; with ties, large and small numbers, NaN and infinity.
var someRows = []comparedRow{
	{"yacht", "MC", 308, 12.345, someRow(0.0912, -1.5, 0.95, 0.441, 0.25, 0.99, 0.05)},
	{"yacht", "SML", 308, 15, someRow(0.0911, -1.625, 0.875, math.Inf(1), 0.3, 0.991, 0.0501)},
	{"wine-red", "MC", 1599, 99.95, someRow(0.8, 123456.789, 0, 0.00012345, 0.1, -12.5, math.NaN())},
	{"yacht", "PU-DE", 308, 61.2, someRow(0.2, -1.25, 1.9, 0.5, 0.25, 0.9, math.NaN())},
	{"wine-red", "SML", 1599, 100.04, someRow(0.75, 1.5, 0.4, 0.5, 0.1, -0.5, math.NaN())},
	{"a, \"quoted\" name", "MC", 7, 0, someRow(0, 0, 0, 0, 0, 0, 0)},
}

func someRow(values ...float64) measure.Scores {
	var scores measure.Scores
	for i, name := range []string{"rmse", "nll", "ece", "ws", "ks", "r2", "mae"} {
		scores = append(scores, measure.Value{Measure: name, Score: values[i]})
	}
	return scores
}

func TestComparison(t *testing.T) {
	var got bytes.Buffer
	if err := writeComparison(&got, someRows); err != nil {
		t.Fatal(err)
	}
	const path = "testdata/comparison.golden" // checked by eye against someRows
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("differs from %s; got:\n%s", path, &got)
	}
}

func TestComparisonEmpty(t *testing.T) {
	if err := writeComparison(&bytes.Buffer{}, nil); err != nil {
		t.Error(err)
	}
}

func TestScoreCell(t *testing.T) {
	// By hand.
	cases := []struct {
		x    float64
		want string
	}{
		{0, "0.000"}, {0.0005, "0.001"}, {0.00049, "4.90e-04"}, {-1.23456, "-1.235"},
		{9999.4, "9999.400"}, {-123456, "-1.23e+05"}, {math.NaN(), "–"}, {math.Inf(1), "+Inf"},
	}
	for _, c := range cases {
		if got := scoreCell(c.x); got != c.want {
			t.Errorf("scoreCell(%v) = %q; want %q", c.x, got, c.want)
		}
	}
}

// In a comparison an absent score is a dash, and never the best.
func TestComparisonWithAbsentScores(t *testing.T) {
	var text bytes.Buffer
	err := writeComparison(&text, []comparedRow{
		{"yacht", "point", 9, 1, measure.Scores{{Measure: "rmse", Score: 0.1}}},
		{"yacht", "mc", 9, 1, measure.Scores{{Measure: "rmse", Score: 0.2}, {Measure: "nll", Score: 2}}},
		{"yacht", "pu", 9, 1, measure.Scores{{Measure: "rmse", Score: 0.3}, {Measure: "nll", Score: 1}}},
	})
	for _, want := range []string{"│ point  │    9 │ 0.100* │     –  │", "│ pu     │    9 │ 0.300  │ 1.000* │"} {
		if err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%v: %q is not in\n%s", err, want, &text)
		}
	}
}
