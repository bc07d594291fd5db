package paper

import (
	"slices"
	"strings"
	"testing"

	"sml/data"
	"sml/evaluation/experiment"
)

// The paper's appendix, "Technical details".
func TestRecipes(t *testing.T) {
	all, five := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{0, 3, 5, 7, 9}
	for _, c := range []struct {
		name          string
		epochs, batch int
		folds         []int
	}{
		{"yacht", 1000, 100, all},
		{"wine-red", 1000, 100, all},
		{"abalone", 150, 100, five},
		{"california", 150, 100, five},
		{"protein", 150, 100, five},
		{"year", 150, 500, five},
	} {
		r := experiment.RecipeFor(c.name, 7) // by its name, whatever its rows
		if r.Epochs != c.epochs || r.Batch != c.batch || !slices.Equal(r.Folds, c.folds) || r.Protocol != data.Paper || !strings.Contains(r.Reason, c.name) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	for _, name := range datasets {
		if r := experiment.RecipeFor(name, 7); r.Protocol != data.Paper {
			t.Errorf("%s has no recipe of its own: %+v", name, r)
		}
	}
}
