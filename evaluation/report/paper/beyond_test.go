package paper

import (
	"testing"

	"sml/evaluation/study"
	"sml/internal/expect"
)

// The data sets of the preset are trained as a user's table of 120 rows is: with large layers, bins and early stopping,
// although they have recipes of their own.
func TestBeyond(t *testing.T) {
	p := expect.Must(study.NewPlan(t.Context(), study.Config{Preset: "beyond"}, "test", makeTable, false))
	if want := 13 * len(beyond.Config.Methods) * 2; len(p.Cells) != want {
		t.Errorf("%d cells; want %d", len(p.Cells), want)
	}
	for _, c := range p.Cells {
		a := c.Spec.Architecture
		if c.Label == "crps" && (len(a.Hidden) != 3 || a.Hidden[0] != 128 || a.Bins != 32 || c.Training.Patience != 40 || c.Training.Epochs != 400) {
			t.Errorf("%s: layers %v, %d bins, patience %d, %d epochs", c.Table.Name, a.Hidden, a.Bins, c.Training.Patience, c.Training.Epochs)
		}
		if c.Label == "crps-de" && (c.Training.Members != 8 || !c.Training.CrossValidation) {
			t.Errorf("%s: %d members, cross-validation %v", c.Table.Name, c.Training.Members, c.Training.CrossValidation)
		}
	}
}

// Larger tables have one fold.
func TestTableRecipeFolds(t *testing.T) {
	for rows, want := range map[int]int{4999: 2, 5000: 1} {
		if got := len(tableRecipe("yacht", rows).Folds); got != want {
			t.Errorf("%d rows have %d folds; want %d", rows, got, want)
		}
	}
}

// Studies that name no preset repeat the paper.
func TestDefaultPreset(t *testing.T) {
	if got := study.Presets()[0].Name; got != "paper" {
		t.Errorf("the default preset is %s; want paper", got)
	}
}
