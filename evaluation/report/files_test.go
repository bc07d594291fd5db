package report

import (
	"bytes"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/internal/expect"
)

// someScores are invented: two data sets by three methods, with ties, a huge
// and an infinite score, failed folds, a score that is NaN and one that was
// not run.
var someScores = []measure.Score{
	scoreOf("concrete", "mc", "test", "ece", 0.5, 0.05, 10, 0),
	scoreOf("concrete", "sml", "test", "ece", 0.437, 0.0312, 10, 0),
	scoreOf("concrete", "mc-ll", "test", "ece", 1.02, 0.1, 10, 2),
	scoreOf("protein", "mc", "test", "nll", 4.6, 0.5, 5, 0),
	scoreOf("protein", "sml", "test", "nll", 0.117, 0.02, 5, 0),
	scoreOf("protein", "mc-ll", "test", "nll", 1.51e6, 2.04e6, 5, 0),
	scoreOf("year", "mc", "test", "nll", 306, 45.9, 5, 1),
	scoreOf("year", "sml", "test", "nll", math.Inf(1), math.NaN(), 5, 0),
	scoreOf("year", "mc-ll", "test", "nll", math.NaN(), math.NaN(), 5, 5),
	scoreOf("protein", "mc", "test", "ece", 0.89, 0, 1, 0),
	scoreOf("protein", "sml", "test", "ece", 0.89, 0, 1, 0),
	scoreOf("concrete", "sml", "pca-extrapolate", "ece", 0.8, 0.2, 2, 0),
	scoreOf("concrete", "mc", "pca-extrapolate", "ece", 1, 0.2, 2, 0),
}

func scoreOf(dataset, method, split, name string, mean, std float64, folds, failed int) measure.Score {
	return measure.Score{Dataset: dataset, Method: method, Split: split, Measure: name, Mean: mean, Std: std, Folds: folds, Failed: failed}
}

// someReference has scores of its own.
var someReference = Reference{Name: "paper", InText: "the paper", Lookup: func(dataset, method, split, measure string) (float64, bool) {
	score, ok := map[string]float64{
		"concrete/mc/test/ece":    0.48,
		"concrete/sml/test/ece":   0.44,
		"concrete/mc-ll/test/ece": 0.73,
		"protein/mc/test/nll":     4.45,
		"protein/sml/test/nll":    0.12,
		"protein/mc-ll/test/nll":  1.4e6,
		"year/mc/test/nll":        19.15,
		"year/sml/test/nll":       0.12,
		"year/mc-ll/test/nll":     5.7e5,
		"protein/mc/test/ece":     0.89,
		"protein/sml/test/ece":    0.24,
	}[dataset+"/"+method+"/"+split+"/"+measure]
	return score, ok
}}

func someTitle(label string) string {
	return map[string]string{"mc": "MC", "mc-ll": "MC-LL", "sml": "SML"}[label]
}

// someReport shows scores beside someReference.
func someReport(scores []measure.Score) *Report {
	return &Report{Shown: scores, Reference: someReference, MethodTitle: someTitle}
}

// sameTitle returns the label as the title.
func sameTitle(label string) string { return label }

func TestWriteScoresJSON(t *testing.T) {
	var got bytes.Buffer
	expect.NoError(t, writeScoresJSON(&got, someScores, someReference))
	golden(t, "testdata/study_scores.json", got.Bytes())
}

// The files of a study of other tables do not mention a reference without scores for them.
func TestScoresWithoutAReference(t *testing.T) {
	other := []measure.Score{{Dataset: "mine", Method: "sml", Split: "test", Measure: "ece", Mean: 0.5, Folds: 1}}
	var table, list bytes.Buffer
	expect.NoError(t, errors.Join(writeScoresCSV(&table, other, someReference), writeScoresJSON(&list, other, someReference)))
	if text := table.String() + list.String(); strings.Contains(text, "paper") {
		t.Errorf("the paper is named:\n%s", text)
	}
}

func TestWriteScoresJSONEmpty(t *testing.T) {
	var got bytes.Buffer
	if err := writeScoresJSON(&got, nil, someReference); err != nil || got.String() != "[\n]\n" {
		t.Errorf("no scores are written as %q, %v; want an empty array", got.String(), err)
	}
}

func TestWriteScoresCSV(t *testing.T) {
	var got bytes.Buffer
	expect.NoError(t, writeScoresCSV(&got, someScores, someReference))
	golden(t, "testdata/study_scores.csv", got.Bytes())
}

// golden compares with a file that was checked by eye against the scores of the test.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	want := expect.Must(os.ReadFile(path))
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s; got:\n%s", path, got)
	}
}
