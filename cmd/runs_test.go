package cmd

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sml/evaluation/measure"
	"sml/internal/expect"
)

// listedWith returns a model of one target with scores, NaN for none.
func listedWith(name, target string, standardisedRMSE, targetRMSE float64) listedModel {
	m := listedModel{Model: name, Method: "pu", Data: "t.csv", Rows: 90, Targets: []string{target}}
	if !math.IsNaN(targetRMSE) {
		m.scores = []testScore{{standardised + "rmse", standardisedRMSE}, {inTargetUnit + "rmse", targetRMSE}}
	}
	return m
}

// A model whose target was transformed may have the lowest standardised RMSE and the
// highest one in the target's unit, which is what counts. Other targets, and tables of
// other rows, are ranked by themselves.
func TestModelsAreRankedByTarget(t *testing.T) {
	longer := listedWith("longer", "y", 0.1, 1)
	longer.Rows = 91
	list := []listedModel{
		listedWith("log", "y", 0.2, 900),
		listedWith("other", "z", 0.1, 1),
		{Model: "torn", Broken: "no weights"},
		listedWith("none", "y", 0, math.NaN()),
		longer,
		listedWith("plain", "y", 0.5, 40),
	}
	rmse := expect.Must(measure.Lookup("rmse"))
	var got []string
	for _, g := range groupByTarget(list) {
		slices.SortStableFunc(g, func(a, b listedModel) int { return compareScores(a, b, rmse) })
		var names []string
		for _, m := range g {
			names = append(names, m.Model)
		}
		got = append(got, strings.Join(names, " "))
	}
	if want := []string{"plain log none", "other", "longer", "torn"}; !slices.Equal(got, want) {
		t.Errorf("groups %q, want %q", got, want)
	}
}

// Lines are no longer than runsWidth, however many settings differ. The ranking measure is
// shown, and the note below names the hidden columns.
func TestRunsTableFits(t *testing.T) {
	var list []listedModel
	for i, path := range []string{"models/a", "a/very/long/path/" + strings.Repeat("of/folders/", 9) + "b"} {
		m := listedWith(path, "y", 1, 1)
		for _, name := range measure.Names() {
			if name != "rmse" {
				m.scores = append(m.scores, testScore{inTargetUnit + name, -1.234e+10})
			}
		}
		for _, name := range []string{"epochs", "batch", "hyperparameters.alpha", "data.transform", "adam.epsilon"} {
			m.Set = append(m.Set, setting{name, strings.Repeat("x", i+1)})
		}
		list = append(list, m)
	}
	var out strings.Builder
	writeRunsTables(&out, groupByTarget(list), "ks")
	text := out.String()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > runsWidth {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	for _, want := range []string{"t.csv, 90 rows, target y\n", "│ model ", " KS ", " epochs ", "not shown: ", "coverage90", "…"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
