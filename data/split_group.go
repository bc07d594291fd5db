package data

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"sml/internal/portable"
)

// groupFolds are ten folds of whole groups, or as many as there are groups. The
// largest group that is left goes to the fold with the fewest rows; which of equal
// ones goes first follows from the seed.
var groupFolds = SplitKind{
	Name: "group", Summary: "a tenth of the rows, in whole groups, at random", Source: "Roberts et al. 2017, block cross-validation", Column: "group", Apart: true,
	Count: func(t *Table) (int, error) {
		groups := len(t.byValues())
		if groups == 1 {
			return 0, fmt.Errorf("column %q has one group, %s; at least 2 are needed, one to train on and one to test on", t.By, t.ByField.Show(t.B[0]))
		}
		return min(folds, groups), nil
	},
	Mark: func(_ context.Context, t *Table, fold int, _ Protocol, seed uint64) ([]bool, error) {
		rows := make(map[float64]int)
		for _, v := range t.B {
			rows[v]++
		}
		values := t.byValues()
		var order []float64
		for _, i := range portable.Perm(rand.New(rand.NewPCG(seed, splitStream)), len(values)) {
			order = append(order, values[i])
		}
		slices.SortStableFunc(order, func(a, b float64) int { return rows[b] - rows[a] })
		filled, tested := make([]int, min(folds, len(values))), make(map[float64]bool)
		for _, group := range order {
			least := slices.Index(filled, slices.Min(filled))
			filled[least] += rows[group]
			tested[group] = least == fold
		}
		return t.whereBy(func(v float64) bool { return tested[v] }), nil
	},
}

// byValues are the values of the column By, ascending.
func (t *Table) byValues() []float64 { return slices.Compact(slices.Sorted(slices.Values(t.B))) }

// whereBy marks the rows by the value of the column By.
func (t *Table) whereBy(tested func(v float64) bool) []bool {
	test := make([]bool, len(t.B))
	for r, v := range t.B {
		test[r] = tested(v)
	}
	return test
}
