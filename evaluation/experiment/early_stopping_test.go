package experiment

import (
	"testing"

	"sml/models"
)

// Validation is what a method asks for on a table of one's own that has rows for it.
func TestEarlyStopping(t *testing.T) {
	for _, c := range []struct {
		dataset string
		method  string
		rows    int
		share   float64
	}{
		{"mine.csv", "pu-de", 300, 0.1}, {"mine.csv", "pu", 50, 0.1}, {"mine.csv", "pu", 49, 0}, {"mine.csv", "sml", 300, 0},
		{"concrete", "pu-de", 1030, 0}, {"friedman", "pu", 1000, 0},
	} {
		m, err := models.Lookup(c.method)
		if err != nil {
			t.Fatal(err)
		}
		got := EarlyStoppingFor(c.dataset, m, c.rows)
		if got.Validation != c.share || (got.Patience > 0) != (c.share > 0) || (got.Reason != "") != (c.share > 0) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
