package split

import (
	"context"
	"fmt"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// groupFolds has ten folds of whole groups, or one fold for each group if there are fewer
// groups. The largest remaining group goes to the fold with the fewest rows; the order of
// groups of equal size follows from the seed.
var groupFolds = Kind{
	Name:            "group",
	Summary:         "a tenth of the rows, in whole groups, at random",
	Source:          "Roberts et al. 2017, block cross-validation",
	Column:          "group",
	ColumnIsNoInput: true,
	Count: func(t *data.Table) (int, error) {
		groups := len(distinctValues(t))
		if groups == 1 {
			return 0, fmt.Errorf("column %q has one group, %s; at least 2 are needed, one to train on and one to test on", t.SplitColumn, t.SplitField.Show(t.SplitValues[0]))
		}
		return min(folds, groups), nil
	},
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		groups := groupsBySize(t, o.Seed)
		rows := countRows(t)
		foldRows := make([]int, min(folds, len(groups)))
		isTest := make(map[float64]bool)
		for _, group := range groups {
			fold := slices.Index(foldRows, slices.Min(foldRows))
			foldRows[fold] += rows[group]
			isTest[group] = fold == o.Fold
		}
		return markRows(t.SplitValues, func(v float64) bool { return isTest[v] }), nil
	},
}

// groupsBySize returns the groups, the largest first, in random order among equal sizes.
func groupsBySize(t *data.Table, seed uint64) []float64 {
	values, rows := distinctValues(t), countRows(t)
	var groups []float64
	for _, i := range portable.Perm(newRand(seed), len(values)) {
		groups = append(groups, values[i])
	}
	slices.SortStableFunc(groups, func(a, b float64) int { return rows[b] - rows[a] })
	return groups
}

// countRows returns the number of rows of each group.
func countRows(t *data.Table) map[float64]int {
	rows := make(map[float64]int)
	for _, v := range t.SplitValues {
		rows[v]++
	}
	return rows
}
