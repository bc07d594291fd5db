package study

import (
	"testing"

	_ "sml/examples/plain"
)

// Cells at the same time give the files of cells one after another, also with a
// network and an objective of plain Gorgonia functions. Run with -race.
func TestCellsAtTheSameTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
	c := Config{
		Preset: "quick", Datasets: []string{"aa"}, Methods: []string{"plain", "plain-de", "sml"}, Splits: []string{"random"},
		Fold: []int{0, 1}, Settings: Settings{"epochs": {"2"}, "batch": {"20"}, "width": {"6"}, "samples": {"5"}},
	}
	one, _, s := runNewStudy(t, c, Options{Jobs: 1})
	if s.Done != 6 {
		t.Errorf("%+v", s)
	}
	two, _, _ := runNewStudy(t, c, Options{Jobs: 2})
	checkSameStudy(t, "two jobs", one, two)
}
