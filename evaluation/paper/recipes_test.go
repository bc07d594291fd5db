package paper

import (
	"slices"
	"strings"
	"testing"
)

var allFolds, fiveFolds = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, []int{0, 3, 5, 7, 9}

// The paper's appendix, "Technical details".
func TestRecipes(t *testing.T) {
	for _, c := range []struct {
		name          string
		epochs, batch int
		folds         []int
	}{
		{"yacht", 1000, 100, allFolds},
		{"wine-red", 1000, 100, allFolds},
		{"abalone", 150, 100, fiveFolds},
		{"california", 150, 100, fiveFolds},
		{"protein", 150, 100, fiveFolds},
		{"year", 150, 500, fiveFolds},
	} {
		r, err := LookupRecipe(c.name)
		if err != nil || r.Epochs != c.epochs || r.Batch != c.batch || !slices.Equal(r.Folds, c.folds) {
			t.Errorf("%s: %+v, %v", c.name, r, err)
		}
	}
	want := "yacht diabetes boston energy concrete wine-red abalone power naval california superconduct protein year"
	if got := strings.Join(Datasets(), " "); got != want {
		t.Errorf("recipes are of %s", got)
	}
	if _, err := LookupRecipe("housing"); err == nil || !strings.Contains(err.Error(), `unknown recipe "housing": there is yacht, diabetes, `) {
		t.Errorf("got %v", err)
	}
}

// Other tables are trained as the paper's of their size.
func TestRecipesBySize(t *testing.T) {
	for _, c := range []struct {
		name          string
		rows          int
		epochs, batch int
		folds         []int
	}{
		{"year", 10, 150, 500, fiveFolds}, // by its name
		{"mine", 2000, 1000, 100, allFolds},
		{"mine", 2001, 150, 100, fiveFolds},
		{"mine", 100_000, 150, 100, fiveFolds},
		{"mine", 100_001, 150, 500, fiveFolds},
	} {
		r := RecipeFor(c.name, c.rows)
		if r.Dataset != c.name || r.Epochs != c.epochs || r.Batch != c.batch || !slices.Equal(r.Folds, c.folds) {
			t.Errorf("%s of %d rows: %+v", c.name, c.rows, r)
		}
	}
}
