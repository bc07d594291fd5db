package paper

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
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

// Scores are in the paper's order, whatever their order in the studies is.
func TestOrder(t *testing.T) {
	scores := scoresOf("mine/sml", "protein/pu", "naval/de", "naval/sml beta=0.25", "naval/sml gamma=1", "naval/sml beta=0.1",
		"naval/sml", "naval/mc", "power/mc", "abalone/pu-de", "abalone/mc-ll", "toy/mc", "naval/sml-de", "yacht/pu", "yacht/sml beta=10", "yacht/sml beta=9")
	sortScores(scores)
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
// then the largest that is in no other slot.
func TestFillSlots(t *testing.T) {
	for _, c := range []struct {
		there, want, note string
	}{
		{"protein naval abalone superconduct year", "naval abalone superconduct", ""},
		{"protein naval abalone year", "naval abalone protein", " Here protein stands in for superconduct."},
		{"power yacht abalone", "power abalone yacht", " Here power stands in for naval, yacht stands in for superconduct."},
		{"abalone", "abalone", ""},
	} {
		p := &part{datasets: slices.DeleteFunc(slices.Clone(datasets), func(name string) bool { return !slices.Contains(strings.Fields(c.there), name) })}
		shown, note := p.fillSlots(func(name string) bool { return slices.Contains(p.datasets, name) }, []string{"naval"}, []string{"abalone"}, []string{"superconduct", "protein"})
		if strings.Join(shown, " ") != c.want || note != c.note {
			t.Errorf("of %s: %v, %q; want %s, %q", c.there, shown, note, c.want, c.note)
		}
	}
}

func TestTables(t *testing.T) {
	var scores []measure.Score
	for _, name := range []string{"ece", "nll", "ks"} {
		scores = append(scores, measure.Score{Dataset: "yacht", Method: "sml", Split: "test", Measure: name, Mean: 1, Folds: 1})
	}
	two := table2(scores, nil)
	if len(two) != 2 || two[0].Caption != "NLL: test rows of random folds (table 2 of the paper)" || two[1].Caption != "ECE: test rows of random folds (table 2 of the paper)" {
		t.Errorf("table 2 is %v; want NLL and ECE", two)
	}
	if none := table2(scores[2:], nil); none != nil {
		t.Errorf("of scores that the paper has not there is %v", none)
	}
	latex := ""
	for _, table := range append(two, table1(data.Paper)) {
		latex += table.LaTeX()
	}
	if i := strings.IndexFunc(latex, func(letter rune) bool { return letter > 126 }); i >= 0 {
		t.Errorf("pdfLaTeX has no letter for %.20s", latex[i:])
	}
	text := table1(data.Paper).Markdown()
	for _, row := range []string{ // by eye
		"| data set | target | source | licence | remarks | rows | features | epochs | batch | folds |\n| :-- | :-- | :-- | :-- | :-- | --: |",
		"\n| abalone | rings, count | UCI 1, Abalone | CC BY 4.0 (UCI) | the first column, sex, is left out; the first row is lost, read as a header | 4176 | 7 | 150 | 100 | 5 |\n",
	} {
		if !strings.Contains(text, row) {
			t.Errorf("table 1 lacks %q", row)
		}
	}
}
