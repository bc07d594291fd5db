package plot

import (
	"math"

	"sml/evaluation/measure"
)

// minGroupRows is the smallest number of rows whose root mean square is drawn. With fewer rows it would be
// mostly chance.
const minGroupRows = 5

// groupRows divides sorted rows into at most maxGroups groups of neighbours with at least minRows rows each.
// Their sizes differ by at most one. Fewer than minRows rows are a single group.
func groupRows(sorted []int, maxGroups, minRows int) [][]int {
	n := len(sorted)
	count := max(1, min(maxGroups, n/minRows))
	groups := make([][]int, count)
	for i := range groups {
		groups[i] = sorted[i*n/count : (i+1)*n/count]
	}
	return groups
}

// rootMeanSquare returns the root of the weighted mean of the squared values of some rows. It returns false
// if all their weights are 0. values has a value for each row of the column.
func rootMeanSquare(c *measure.Column, rows []int, values []float64) (root float64, ok bool) {
	var weights, squares float64 // sums
	for _, row := range rows {
		weight := rowWeight(c, row)
		weights += weight
		squares += weight * values[row] * values[row]
	}
	if !(weights > 0) {
		return 0, false
	}
	return math.Sqrt(squares / weights), true
}
