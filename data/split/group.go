package split

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
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

// markGroupFold marks the rows of all groups in fold o.Fold (DealGroups).
func markGroupFold(_ context.Context, t *data.Table, o Options) ([]bool, error) {
	groups := len(distinctValues(t))
	return markFold(DealGroups(t.SplitValues, min(folds, groups), newRand(o.Seed)), o.Fold), nil
}

// DealGroups returns the fold of each row, from 0 to folds−1, for the group of each row, which is a number. Groups stay
// together. To make folds of similar size, it deals the groups from the largest to the smallest, each to the fold with
// the fewest rows so far. The order of groups of equal size is random.
func DealGroups(groups []float64, folds int, r *rand.Rand) []int {
	groupRows := make(map[float64]int) // number of rows of each group
	for _, group := range groups {
		groupRows[group]++
	}
	values := slices.Sorted(maps.Keys(groupRows))
	var order []float64
	for _, i := range portable.Perm(r, len(values)) {
		order = append(order, values[i])
	}
	// A stable sort keeps the random order of groups of equal size.
	slices.SortStableFunc(order, func(a, b float64) int { return groupRows[b] - groupRows[a] })
	foldOf := make(map[float64]int) // fold of each group
	foldRows := make([]int, folds)  // number of rows dealt to each fold
	for _, group := range order {
		smallest := slices.Index(foldRows, slices.Min(foldRows))
		foldRows[smallest] += groupRows[group]
		foldOf[group] = smallest
	}
	rowFolds := make([]int, len(groups))
	for row, group := range groups {
		rowFolds[row] = foldOf[group]
	}
	return rowFolds
}
