package split

import (
	"context"
	"fmt"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// groupFolds has ten folds of whole groups, or one fold for each group if there are fewer
// groups. A group is all rows with one value in the column, such as all rows of a patient.
var groupFolds = Kind{
	Name:            "group",
	Summary:         "a tenth of the rows, in whole groups, at random",
	Source:          "Roberts et al. 2017, block cross-validation",
	Column:          "group",
	ColumnIsNoInput: true,
	Count:           countGroupFolds,
	Mark:            markGroupFold,
}

// countGroupFolds returns the number of folds of whole groups. It returns an error if there is
// only one group.
func countGroupFolds(t *data.Table) (int, error) {
	groups := len(distinctValues(t))
	if groups == 1 {
		return 0, fmt.Errorf("column %q has one group, %s; at least 2 are needed, one to train on and one to test on", t.SplitColumn, t.SplitField.Show(t.SplitValues[0]))
	}
	return min(folds, groups), nil
}

// markGroupFold marks the rows of all groups in fold o.Fold. To make folds of similar size, it
// deals the groups from the largest to the smallest, each to the fold with the fewest rows so far.
// The order of groups of equal size follows from the seed.
func markGroupFold(_ context.Context, t *data.Table, o Options) ([]bool, error) {
	groups := groupsBySize(t, o.Seed)
	groupRows := countGroupRows(t)
	foldRows := make([]int, min(folds, len(groups))) // number of rows dealt to each fold
	isTestGroup := make(map[float64]bool)
	for _, group := range groups {
		smallestFold := slices.Index(foldRows, slices.Min(foldRows))
		foldRows[smallestFold] += groupRows[group]
		isTestGroup[group] = smallestFold == o.Fold
	}
	return markRows(t.SplitValues, func(v float64) bool { return isTestGroup[v] }), nil
}

// groupsBySize returns the values of all groups, the group with most rows first. The seed decides
// the order of groups of equal size.
func groupsBySize(t *data.Table, seed uint64) []float64 {
	values := distinctValues(t)
	var groups []float64
	for _, i := range portable.Perm(newRand(seed), len(values)) {
		groups = append(groups, values[i])
	}
	groupRows := countGroupRows(t)
	// A stable sort keeps the random order of groups of equal size.
	slices.SortStableFunc(groups, func(a, b float64) int { return groupRows[b] - groupRows[a] })
	return groups
}

// countGroupRows returns the number of rows of each group, by the group's value.
func countGroupRows(t *data.Table) map[float64]int {
	groupRows := make(map[float64]int)
	for _, v := range t.SplitValues {
		groupRows[v]++
	}
	return groupRows
}
