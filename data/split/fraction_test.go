package split

import (
	"slices"
	"testing"

	"sml/data"
)

// A fraction of the user's choice is tested on whatever the fold, and rows of weight 0 change nothing.
func TestRandomFraction(t *testing.T) {
	for _, c := range []struct {
		rows     int
		fraction float64
		want     int
	}{{100, 0.2, 20}, {101, 0.2, 20}, {308, 0.25, 77}, {3, 0.2, 1}, {2, 0.99, 1}, {50, 0.001, 1}} {
		table := data.Friedman(c.rows, 1)
		for fold := range folds {
			o := Options{Fold: fold, TestFraction: c.fraction, Protocol: data.Sound, Seed: 1}
			if rows := mustRows(t, table, "random", o); len(rows.Test) != c.want {
				t.Errorf("%d rows, fold %d: fraction %v tests on %d rows, want %d", c.rows, fold, c.fraction, len(rows.Test), c.want)
			}
		}
	}
	table := data.Friedman(100, 1)
	first := mustRows(t, table, "random", Options{TestFraction: 0.2, Protocol: data.Sound, Seed: 1}).Test
	third := mustRows(t, table, "random", Options{TestFraction: 0.2, Fold: 2, Protocol: data.Sound, Seed: 1}).Test
	isFirst := func(row int) bool { return slices.Contains(first, row) }
	if slices.ContainsFunc(third, isFirst) {
		t.Errorf("folds 0 and 2 of a fifth share rows: %v and %v", first, third)
	}
}

func TestRandomFractionOfWeightedRows(t *testing.T) {
	table := data.Friedman(60, 1)
	table.Weight, table.W = "w", slices.Repeat([]float64{1, 1, 0}, 20)
	weighted := table.Weighted()
	o := Options{TestFraction: 0.2, Protocol: data.Sound, Seed: 1}
	var got []int
	for _, row := range mustRows(t, table, "random", o).Test {
		got = append(got, table.RowNumber(row))
	}
	var want []int
	for _, row := range mustRows(t, weighted, "random", o).Test {
		want = append(want, weighted.RowNumber(row))
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows %v are tested on; without the rows of weight 0 rows %v are", got, want)
	}
}

func TestRandomFractionOfClasses(t *testing.T) {
	table := classTable()
	classes := make([]int, 3)
	for _, y := range table.Y {
		classes[int(y)]++
	}
	for fold := range folds {
		counts := make([]int, 3)
		for _, row := range mustRows(t, table, "random", Options{Fold: fold, TestFraction: 0.3, Protocol: data.Sound, Seed: 1, ByClass: true}).Test {
			counts[int(table.Y[row])]++
		}
		for class, n := range counts {
			if share := 0.3 * float64(classes[class]); float64(n) < share-1 || float64(n) > share+1 {
				t.Errorf("fold %d: %d of %d rows of class %d are tested on", fold, n, classes[class], class)
			}
		}
	}
}
