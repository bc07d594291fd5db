package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

// someScores are invented: two data sets by three methods, with ties, a huge
// and an infinite score, failed folds, a score that is NaN and one that was
// not run. The paper's are its own.
var someScores = []Score{
	{"concrete", "mc", "test", "ece", 0.5, 0.05, 10, 0, 0.48},
	{"concrete", "sml", "test", "ece", 0.437, 0.0312, 10, 0, 0.44},
	{"concrete", "mc-ll", "test", "ece", 1.02, 0.1, 10, 2, 0.73},
	{"protein", "mc", "test", "nll", 4.6, 0.5, 5, 0, 4.45},
	{"protein", "sml", "test", "nll", 0.117, 0.02, 5, 0, 0.12},
	{"protein", "mc-ll", "test", "nll", 1.51e6, 2.04e6, 5, 0, 1.4e6},
	{"year", "mc", "test", "nll", 306, 45.9, 5, 1, 19.15},
	{"year", "sml", "test", "nll", math.Inf(1), math.NaN(), 5, 0, 0.12},
	{"year", "mc-ll", "test", "nll", math.NaN(), math.NaN(), 5, 5, 5.7e5},
	{"protein", "mc", "test", "ece", 0.89, 0, 1, 0, 0.89},
	{"protein", "sml", "test", "ece", 0.89, 0, 1, 0, 0.24},
	{"concrete", "sml", "pca-extrapolate", "ece", 0.8, 0.2, 2, 0, math.NaN()},
	{"concrete", "mc", "pca-extrapolate", "ece", 1, 0.2, 2, 0, math.NaN()},
}

func someTitle(label string) string {
	return map[string]string{"mc": "MC", "mc-ll": "MC-LL", "sml": "SML"}[label]
}

func TestWriteScoresJSON(t *testing.T) {
	var got bytes.Buffer
	if err := WriteScoresJSON(&got, someScores); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/study_scores.json", got.Bytes())

	var back []Score
	if err := json.Unmarshal(got.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if len(back) != len(someScores) {
		t.Fatalf("%d scores come back; want %d", len(back), len(someScores))
	}
	same := func(a, b float64) bool { return a == b || !finite(a) && math.IsNaN(b) } // what is not finite comes back as NaN
	for i, want := range someScores {
		got := back[i]
		if !same(want.Mean, got.Mean) || !same(want.Std, got.Std) || !same(want.Paper, got.Paper) {
			t.Errorf("score %d comes back as %v; want %v", i, got, want)
		}
		got.Mean, got.Std, got.Paper = 0, 0, 0
		want.Mean, want.Std, want.Paper = 0, 0, 0
		if got != want {
			t.Errorf("score %d comes back as %v; want %v", i, got, want)
		}
	}
}

func TestWriteScoresJSONEmpty(t *testing.T) {
	var got bytes.Buffer
	if err := WriteScoresJSON(&got, nil); err != nil || got.String() != "[\n]\n" {
		t.Errorf("no scores are written as %q, %v; want an empty array", got.String(), err)
	}
}

func TestWriteScoresCSV(t *testing.T) {
	var got bytes.Buffer
	if err := WriteScoresCSV(&got, someScores); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/study_scores.csv", got.Bytes())
}

func TestStudyWriteErrorsAreReturned(t *testing.T) {
	table := ScoreTable(someScores, "test", "ece", nil)
	for name, err := range map[string]error{
		"WriteScoresJSON": WriteScoresJSON(full{}, someScores),
		"WriteScoresCSV":  WriteScoresCSV(full{}, someScores),
		"WriteMarkdown":   table.WriteMarkdown(full{}),
		"WriteLaTeX":      table.WriteLaTeX(full{}),
		"WriteHTML":       table.WriteHTML(full{}),
	} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: error is %v; want %v", name, err, errFull)
		}
	}
}
