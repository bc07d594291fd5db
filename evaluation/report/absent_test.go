package report

import (
	"slices"
	"strings"
	"testing"

	"sml/evaluation/measure"
)

// absentScores are scores of a method that predicts no standard deviation, and of two methods that do.
var absentScores = []measure.Score{
	{Dataset: "yacht", Method: "point", Split: "test", Measure: "rmse", Mean: 0.1, Folds: 2},
	{Dataset: "yacht", Method: "mc", Split: "test", Measure: "rmse", Mean: 0.2, Folds: 2},
	{Dataset: "yacht", Method: "pu", Split: "test", Measure: "rmse", Mean: 0.3, Folds: 2},
	{Dataset: "yacht", Method: "mc", Split: "test", Measure: "nll", Mean: 2, Folds: 2},
	{Dataset: "yacht", Method: "pu", Split: "test", Measure: "nll", Mean: 1, Folds: 2},
}

// A method without a score has no rank.
func TestAbsentScores(t *testing.T) {
	r := &Report{Shown: absentScores, MethodTitle: sameTitle}
	table := r.scoreTable(newGrid(absentScores, "test", "nll"), "test")
	if !slices.Equal(table.Header, []string{"data set", "mc", "pu"}) || len(table.Foot) != 3 {
		t.Fatalf("%+v", table)
	}
	if ranks := table.Foot[2]; ranks[1].Text != "2.00" || ranks[2].Text != "1.00" {
		t.Errorf("mean ranks are %v", ranks)
	}
	if text := table.Markdown(); !strings.Contains(text, "No score, because the predictions lack what the measure needs: point.") {
		t.Error(text)
	}
	if text := r.scoreTable(newGrid(absentScores, "test", "rmse"), "test").Markdown(); strings.Contains(text, "No score") {
		t.Error(text)
	}
}
