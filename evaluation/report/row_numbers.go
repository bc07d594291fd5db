package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sml/evaluation/measure"
)

// coverage is the probability of the intervals that plots show.
const coverage = 0.9

// Reasons why plots are left out.
const (
	noStd          = "the predictions have no standard deviation"
	noDistribution = "the predictions have no distribution"
	tooLarge       = "some numbers are larger than 1e150"
)

// maxSquarable is the largest number that plots square. The largest float64 is 1.8e308: the square of a larger number,
// or a sum of such squares, may overflow it.
const maxSquarable = 1e150

// canSquare reports whether all predictions and targets are small enough to be squared.
func canSquare(c *measure.Column) bool {
	isTooLarge := func(v float64) bool { return math.Abs(v) > maxSquarable }
	return !slices.ContainsFunc(c.Mean, isTooLarge) &&
		!slices.ContainsFunc(c.Std, isTooLarge) &&
		!slices.ContainsFunc(c.Y, isTooLarge)
}

// hasDistribution reports whether the predictions are distributions.
func hasDistribution(c *measure.Column) bool {
	_, ok := c.Interval(coverage)
	return ok
}

// percent formats a fraction as a percentage with at most one decimal.
func percent(fraction float64) string {
	return fmt.Sprintf("%v %%", math.Round(fraction*1000)/10)
}

// fractions returns 0, 1/n … 1.
func fractions(n int) []float64 { return equidistant(0, 1, n+1) }

// equidistant returns n numbers from low to high.
func equidistant(low, high float64, n int) []float64 {
	numbers := make([]float64, n)
	for i := range numbers {
		numbers[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return numbers
}

// differences returns a − b.
func differences(a, b []float64) []float64 {
	values := make([]float64, len(a))
	for i := range a {
		values[i] = a[i] - b[i]
	}
	return values
}

// borderFraction is the space at both ends of an axis, as a fraction of its range, in which marks at the limits of the
// data are fully visible.
const borderFraction = 0.03

// sortRows returns the numbers of the rows, sorted by their keys, the smallest first. Rows with equal keys keep their
// order.
func sortRows(keys []float64) []int {
	rows := make([]int, len(keys))
	for row := range rows {
		rows[row] = row
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return rows
}

// minGroupRows is the smallest number of rows whose root mean square is drawn. With fewer rows it would be mostly
// chance.
const minGroupRows = 5

// groupRows divides sorted rows into at most maxGroups groups of neighbours with at least minRows rows each. Their sizes
// differ by at most one. Fewer than minRows rows are a single group.
func groupRows(sorted []int, maxGroups, minRows int) [][]int {
	n := len(sorted)
	count := max(1, min(maxGroups, n/minRows))
	groups := make([][]int, count)
	for i := range groups {
		groups[i] = sorted[i*n/count : (i+1)*n/count]
	}
	return groups
}

// rootMeanSquare returns the root of the weighted mean of the squared values of some rows. It returns false if all their
// weights are 0. values has a value for each row of the column.
func rootMeanSquare(c *measure.Column, rows []int, values []float64) (root float64, ok bool) {
	var weights, squares float64 // sums
	for _, row := range rows {
		weight := c.Weight(row)
		weights += weight
		squares += weight * values[row] * values[row]
	}
	if !(weights > 0) {
		return 0, false
	}
	return math.Sqrt(squares / weights), true
}

// effectiveRows returns Kish's effective sample size, rounded: the number of equally weighted rows whose mean has the
// same variance as the mean of rows with the given weights. It is (Σw)²/Σw² (Kish 1965, Survey Sampling), and rows if
// there are no weights.
func effectiveRows(weights []float64, rows int) int {
	if weights == nil {
		return rows
	}
	var sum, squares float64
	for _, w := range weights {
		sum += w
		squares += w * w
	}
	if squares == 0 { // no row has a weight
		return 0
	}
	return int(sum*sum/squares + 0.5) // rounded
}
