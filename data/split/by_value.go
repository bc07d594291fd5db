package split

import (
	"slices"

	"sml/data"
)

// distinctValues returns the distinct values of the column that rows are split by, ascending.
func distinctValues(t *data.Table) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(t.SplitValues)))
}

// markRows returns, for each row, whether isTest is true for the row's value.
func markRows(values []float64, isTest func(v float64) bool) []bool {
	tested := make([]bool, len(values))
	for r, v := range values {
		tested[r] = isTest(v)
	}
	return tested
}
