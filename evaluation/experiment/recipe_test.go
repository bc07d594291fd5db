package experiment

import (
	"math"
	"testing"

	"sml/data"
)

// Two tables that differ by a row are trained alike: neither epochs nor batch jump.
func TestRecipesHaveNoCliff(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	before := RecipeFor("mine", 1)
	for rows := 2; rows <= 1_200_000; rows++ {
		r := RecipeFor("mine", rows)
		if step := math.Abs(float64(r.Epochs - before.Epochs)); step > 1 && step > 0.02*float64(before.Epochs) {
			t.Fatalf("%d epochs of %d rows, and %d of one row more", before.Epochs, rows-1, r.Epochs)
		}
		if r.Batch < before.Batch || r.Batch > before.Batch+1 {
			t.Fatalf("batches of %d of %d rows, and of %d of one row more", before.Batch, rows-1, r.Batch)
		}
		if r.Protocol != data.Sound || len(r.Folds) != 10 {
			t.Fatalf("%+v", r)
		}
		before = r
	}
}

// By hand: √3600 = 60 and 7600/60 = 126.7; √40,000 = 200 and 7600/200 = 38; √250,000 = 500 and 7600/500 = 15.2.
func TestRecipesByRule(t *testing.T) {
	for _, c := range []struct{ rows, epochs, batch int }{
		{1, 400, 1}, {100, 400, 50}, {200, 400, 100}, {361, 400, 100}, {400, 380, 100}, {3600, 127, 100}, {40_000, 38, 100},
		{250_000, 15, 250}, {500_000, 11, 500}, {1_000_000, 10, 500},
	} {
		if r := RecipeFor("mine", c.rows); r.Epochs != c.epochs || r.Batch != c.batch || r.Reason == "" || r.Method != "crps-de" {
			t.Errorf("%d rows: %+v, want %d epochs of %d", c.rows, r, c.epochs, c.batch)
		}
	}
}
