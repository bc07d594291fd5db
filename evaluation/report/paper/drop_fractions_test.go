package paper

import (
	"strings"
	"testing"

	"sml/evaluation/report"
	"sml/evaluation/study"
	"sml/internal/expect"
)

func TestDropFractions(t *testing.T) {
	fraction := func(dataset, method, split string, drop float64, trainings int) study.DropoutFraction {
		return study.DropoutFraction{Dataset: dataset, Method: method, Split: split, Fraction: drop, Trainings: trainings}
	}
	figure, caption, err := dropFractions(t.Context(), &part{datasets: []string{"yacht", "abalone", "protein"}, studies: []report.Study{{Results: study.Results{DropoutFractions: []study.DropoutFraction{
		fraction("protein", "sml", "train", 0.9, 1), fraction("protein", "sml", "test", 0.816, 1), fraction("protein", "mc", "test", 0.5, 1),
		fraction("protein", "sml", "pca-interpolate", 0, 3), fraction("protein", "sml", "pca-extrapolate", 0.4, 1),
		fraction("abalone", "sml", "test", 1, 1), fraction("yacht", "sml", "test", 0.4, 1),
	}}}}})
	expect.NoError(t, err)
	image := svgOf(t, figure)
	for text, want := range map[string]int{
		">protein<": 1, ">abalone<": 1, ">mean<": 1, ">yacht<": 0, ">90 %<": 1, ">82 %<": 1, ">test<": 1, ">test-pca<": 1, ">test-label<": 0,
		">10 %<": 1, ">91 %<": 1, // 0.4 of one training in four; the mean of 0.816 and 1
		">100 %<":              2,     // also on the axis
		"fill:#1F6FD6":         3 + 1, // full test bars and the legend, by hand
		"fill-opacity:0.25098": 5 + 1, // the pale parts of all bars, and the legend
	} {
		if got := strings.Count(image, text); got != want {
			t.Errorf("%d times %s; want %d", got, text, want)
		}
	}
	want := "Over all data sets the spread's mean fraction is 74 % on test (3 sets). Here abalone stands in for superconduct."
	if !strings.HasSuffix(caption, want) {
		t.Errorf("the caption is %q; want it to end with %q", caption, want)
	}
	if figure, _, err := dropFractions(t.Context(), &part{}); len(figure.Panels) > 0 || err != nil {
		t.Errorf("a figure of nothing, or %v", err)
	}
}
