package report_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"sml/evaluation/measure"
	"sml/evaluation/report"
	"sml/evaluation/report/chart"
	"sml/internal/expect"
)

// folds is a figure as somebody else would register it: the failed folds of each
// score, where there are any.
var folds = report.StudyFigure{Name: "failed-folds", Draw: func(_ context.Context, r *report.Report) (f chart.Figure, caption string, err error) {
	failed := chart.Layer{Kind: chart.Points, Colour: chart.Blue}
	for i, s := range r.Scores {
		if s.Failed > 0 {
			failed.Add(float64(i), float64(s.Failed))
		}
	}
	if len(failed.X) > 0 {
		f.Panels = []chart.Panel{{X: chart.Axis{Label: "score"}, Y: chart.Axis{Label: "failed folds"}, Layers: []chart.Layer{failed}}}
	}
	return f, "Folds that failed.", nil
}}

func TestFigureFromOutside(t *testing.T) {
	report.RegisterFigure(folds)
	for failed, want := range map[int]int{0: 0, 2: 2} {
		scores := []measure.Score{{Dataset: "mine", Method: "sml", Split: "test", Measure: "ece", Mean: 1, Folds: 10, Failed: failed}}
		r := &report.Report{Scores: scores, Shown: scores, MethodTitle: strings.ToUpper}
		expect.NoError(t, r.Draw(t.Context()))
		found := 0
		for _, f := range r.Files() {
			var text bytes.Buffer
			expect.NoError(t, f.Write(&text))
			if strings.HasPrefix(f.Name, "figures/failed-folds.") {
				found++
			}
			if f.Name == "report.html" && strings.Contains(text.String(), "<figcaption>Folds that failed.</figcaption>") != (failed > 0) {
				t.Errorf("%d folds failed, and the page says %s", failed, text.String())
			}
		}
		if found != want {
			t.Errorf("%d folds failed: %d files of the figure; want %d", failed, found, want)
		}
	}
}

// A figure with more methods than markers is left out, and the page says so.
func TestTooManyMethods(t *testing.T) {
	var scores []measure.Score
	for i := range 20 {
		scores = append(scores, measure.Score{Dataset: "mine", Method: fmt.Sprint("method", i), Split: "test", Measure: "ece", Mean: 1, Folds: 1})
	}
	r := &report.Report{Scores: scores, Shown: scores, MethodTitle: strings.ToUpper, Overviews: []string{"ece"}}
	expect.NoError(t, r.Draw(t.Context()))
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "Figure overview-ece is left out: ") {
		t.Errorf("the notes are %q", r.Notes)
	}
}
