package cmd

import (
	"slices"
	"strings"
	"testing"

	"sml/evaluation/measure"
)

func scoresOf(names ...string) []measure.Score {
	var scores []measure.Score
	for _, name := range names {
		dataset, method, _ := strings.Cut(name, "/")
		scores = append(scores, measure.Score{Dataset: dataset, Method: method, Split: "test", Measure: "ece"})
	}
	return scores
}

// Scores stand in the paper's order, in whatever order studies have them.
func TestPaperOrder(t *testing.T) {
	scores := scoresOf("mine/sml", "protein/pu", "naval/de", "naval/sml beta=0.25", "naval/sml gamma=1", "naval/sml beta=0.1",
		"naval/sml", "naval/mc", "power/mc", "abalone/pu-de", "abalone/mc-ll", "toy/mc", "naval/sml-de", "yacht/pu", "yacht/sml beta=10", "yacht/sml beta=9")
	inPaperOrder(scores)
	var got []string
	for _, s := range scores {
		got = append(got, s.Dataset+"/"+s.Method)
	}
	want := []string{
		"yacht/pu", "yacht/sml beta=9", "yacht/sml beta=10", "abalone/mc-ll", "abalone/pu-de", "power/mc",
		"naval/mc", "naval/sml", "naval/de", "naval/sml gamma=1", "naval/sml-de", "naval/sml beta=0.1", "naval/sml beta=0.25", "protein/pu", "mine/sml", "toy/mc",
	}
	if !slices.Equal(got, want) {
		t.Errorf("order is %q; want %q", got, want)
	}
}

// A slot of a figure holds the paper's own data set, then its alternative,
// then the largest that is in no other slot; what the paper does not have last.
func TestFillSlots(t *testing.T) {
	for _, c := range []struct {
		there, want, note string
	}{
		{"protein naval abalone superconduct year", "naval abalone superconduct", ""},
		{"protein naval abalone year", "naval abalone protein", " Here protein stands in for superconduct."},
		{"power yacht abalone", "power abalone yacht", " Here power stands in for naval, yacht stands in for superconduct."},
		{"toy mine concrete", "concrete mine toy", " Here concrete stands in for naval, mine stands in for abalone, toy stands in for superconduct."},
		{"abalone", "abalone", ""},
	} {
		var names []string
		there := strings.Fields(c.there)
		for _, name := range there {
			names = append(names, name+"/sml")
		}
		f := &found{scores: scoresOf(names...)}
		inPaperOrder(f.scores)
		shown, note := f.fill(residualSlots, func(dataset string) bool { return slices.Contains(there, dataset) })
		if strings.Join(shown, " ") != c.want || note != c.note {
			t.Errorf("of %s: %v, %q; want %s, %q", c.there, shown, note, c.want, c.note)
		}
	}
}
