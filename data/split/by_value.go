package split

import (
	"slices"

	"sml/data"
)

// distinctValues returns the distinct values of the column that rows are split by
// (Table.SplitValues), ascending.
func distinctValues(t *data.Table) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(t.SplitValues)))
}

// markRows returns a mark for every row: whether isTest is true for the row's value. values has
// one value for each row.
func markRows(values []float64, isTest func(v float64) bool) []bool {
	marks := make([]bool, len(values))
	for row, v := range values {
		marks[row] = isTest(v)
	}
	return marks
}
