package experiment

import (
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// Trainings from several seeds test on the same rows if they share the seed of the split, and on other rows otherwise.
func TestSplitSeed(t *testing.T) {
	table := &data.Table{Targets: []string{"y"}, Y: make([]float64, 100)}
	testRows := func(seed uint64, splitSeed *uint64) []int {
		var s Settings
		s.Training.Split = "random"
		s.Training.Seed = seed
		s.Training.Protocol = data.Sound
		s.SplitSeed = splitSeed
		rows := expect.Must(s.Rows(t.Context(), NewTable(table)))
		return rows.Test
	}
	shared := uint64(1)
	want := testRows(1, nil)
	if got := testRows(2, &shared); !slices.Equal(got, want) {
		t.Errorf("with the seed of the split the test rows are %v; want %v", got, want)
	}
	if got := testRows(2, nil); slices.Equal(got, want) {
		t.Errorf("both seeds test on the rows %v", got)
	}
}
