package split

import (
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// classTable has 61 rows of class 0, 35 of class 1 and 4 of class 2, mixed.
func classTable() *data.Table {
	var y []float64
	for i := range 100 {
		switch at := i * 37 % 100; {
		case at < 61:
			y = append(y, 0)
		case at < 96:
			y = append(y, 1)
		default:
			y = append(y, 2)
		}
	}
	return tableWithTargets(y...)
}

// Each fold of a random split tests on its share of every class, rounded up or down, and every
// row is tested on once under both protocols.
func TestFoldsOfClasses(t *testing.T) {
	table := classTable()
	least := map[string][]int{"random": {6, 3, 0}, "stratified": {6, 3, 0}, "single-random": {12, 7, 0}}
	for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
		for name, want := range least {
			kind := expect.Must(Lookup(name))
			times := make([]int, table.Rows())
			for fold := range kind.Folds {
				counts := make([]int, 3)
				for _, r := range mustRows(t, table, name, Options{Fold: fold, Protocol: protocol, Seed: 1, ByClass: true}).Test {
					times[r]++
					counts[int(table.Y[r])]++
				}
				for class, n := range counts {
					if n != want[class] && n != want[class]+1 {
						t.Errorf("%s, fold %d: %d rows of class %d", name, fold, n, class)
					}
				}
			}
			if kind.Folds > 1 && (slices.Min(times) != 1 || slices.Max(times) != 1) {
				t.Errorf("%s, %s protocol: rows are tested on %d to %d times", name, protocol, slices.Min(times), slices.Max(times))
			}
		}
	}
	one := mustRows(t, table, "random", Options{Protocol: data.Sound, Seed: 1, ByClass: true})
	other := mustRows(t, table, "random", Options{Protocol: data.Sound, Seed: 2, ByClass: true})
	if slices.Equal(one.Test, other.Test) {
		t.Error("another seed tests on the same rows")
	}
}

// Of two targets each combination of classes has its share: 0 0, 0 1 and 1 1 here.
func TestFoldsOfTwoTargets(t *testing.T) {
	table := &data.Table{Name: "two", Columns: []string{"x"}, Targets: []string{"a", "b"}}
	for i := range 60 {
		table.X = append(table.X, float64(i))
		switch i % 3 {
		case 0:
			table.Y = append(table.Y, 0, 0)
		case 1:
			table.Y = append(table.Y, 0, 1)
		default:
			table.Y = append(table.Y, 1, 1)
		}
	}
	for fold := range folds {
		counts := make([]int, 3)
		for _, r := range mustRows(t, table, "random", Options{Fold: fold, Protocol: data.Sound, Seed: 1, ByClass: true}).Test {
			counts[r%3]++
		}
		if !slices.Equal(counts, []int{2, 2, 2}) {
			t.Errorf("fold %d: %v rows of the combinations", fold, counts)
		}
	}
}
