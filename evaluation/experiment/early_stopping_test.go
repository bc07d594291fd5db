package experiment

import (
	"testing"

	"sml/models"
)

// A method gets the early stopping that it asks for on the user's own tables, if they are large enough.
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
		validation, patience, reason := EarlyStoppingFor(c.dataset, m, c.rows)
		if validation != c.share || (patience > 0) != (c.share > 0) || (reason != "") != (c.share > 0) {
			t.Errorf("%+v: %v, %d, %q", c, validation, patience, reason)
		}
	}
}
