package split

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/internal/portable"
)

// randomFolds has ten folds of one permutation of the rows, which follows from the seed. With
// Options.ByClass, each fold tests on a tenth of every class instead. With Options.TestFraction it
// tests on that fraction in place of a tenth.
var randomFolds = Kind{
	Name:            "random",
	Summary:         "a tenth of the rows, or another fraction, at random",
	Source:          thePaper,
	Folds:           folds,
	Test:            "test",
	Train:           "train",
	IgnoresValues:   true,
	ChoosesFraction: true,
	Mark:            markRandomFold,
}

// markRandomFold marks the rows of fold o.Fold of ten. The folds follow each other in the
// permutation of the rows that follows from the seed. With a fraction of the user's choice, they
// begin at the same places, in tenths of the permutation.
//
// Under the paper protocol every fold has ⌊n/10⌋ of n rows, so that the last n mod 10 rows of the
// permutation are never tested on. The sound protocol, and both protocols with o.ByClass, test on
// every row once.
func markRandomFold(_ context.Context, t *data.Table, o Options) ([]bool, error) {
	switch {
	case o.TestFraction != 0:
		return markFraction(t, o), nil
	case o.ByClass:
		return markByClass(t, folds, o), nil
	}
	dealtRows := t.Rows()
	if o.Protocol == data.Paper {
		dealtRows -= dealtRows % folds
	}
	start := o.Fold * dealtRows / folds
	end := (o.Fold + 1) * dealtRows / folds
	return markPermuted(t.Rows(), start, end, o.Seed), nil
}

// singleRandom tests on the last fifth of the same permutation, or on a fifth of every class.
var singleRandom = Kind{
	Name:          "single-random",
	Summary:       "a fifth of the rows, at random",
	Source:        theNotebook,
	Folds:         1,
	IgnoresValues: true,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		const fifths = 5
		if o.ByClass {
			return markByClass(t, fifths, o), nil
		}
		trainRows := t.Rows() * (fifths - 1) / fifths
		return markPermuted(t.Rows(), trainRows, t.Rows(), o.Seed), nil
	},
}

// markFraction marks o.TestFraction of the rows: at least one row, and not all. The test rows of fold k
// follow each other in a random order of the rows, from k tenths of it on; its first row follows its
// last. With o.ByClass the order is by class, and the test rows are at equal distances in it, so that
// each class has the same fraction of them. Rows of weight 0 do not count: the other rows are divided
// as in a table without them.
func markFraction(t *data.Table, o Options) []bool {
	rows := weightedRows(t)
	n := len(rows)
	testRows := min(max(int(math.Round(o.TestFraction*float64(n))), 1), n-1)
	marks := make([]bool, t.Rows())
	if o.ByClass {
		classes := data.RowClasses(t.TargetsOf(rows), len(t.Targets))
		order := orderByClass(classes, newRand(o.Seed))
		for i := range testRows {
			marks[rows[order[(i*folds+o.Fold)*n/(folds*testRows)]]] = true
		}
		return marks
	}
	order := portable.Perm(newRand(o.Seed), n)
	start := o.Fold * n / folds
	for i := range testRows {
		marks[rows[order[(start+i)%n]]] = true
	}
	return marks
}

// weightedRows returns the rows whose weight is above 0, ascending.
func weightedRows(t *data.Table) (rows []int) {
	for row := range t.Rows() {
		if t.W == nil || t.W[row] > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// markPermuted permutes n rows at random and marks the rows at the positions from start up to, but
// not including, end of the permutation.
func markPermuted(n, start, end int, seed uint64) []bool {
	return markNumbers(n, portable.Perm(newRand(seed), n)[start:end])
}

// markNumbers returns a mark for each of n rows: whether its number is among the given numbers.
func markNumbers(n int, numbers []int) []bool {
	marks := make([]bool, n)
	for _, row := range numbers {
		marks[row] = true
	}
	return marks
}

// markByClass marks the rows of fold o.Fold, of the given number of folds. All folds have nearly
// the same fraction of each class. Several targets count as one class for each combination of
// their classes.
func markByClass(t *data.Table, folds int, o Options) []bool {
	rowClasses := data.RowClasses(t.Y, len(t.Targets))
	return markFold(DealByClass(rowClasses, folds, newRand(o.Seed)), o.Fold)
}

// markFold marks the rows of a fold. rowFolds has the fold of each row.
func markFold(rowFolds []int, fold int) []bool {
	marks := make([]bool, len(rowFolds))
	for row, f := range rowFolds {
		marks[row] = f == fold
	}
	return marks
}

// DealByClass returns the fold of each row, from 0 to folds−1, for the class of each row. The rows
// of each class are dealt to the folds in turn, in random order: the numbers of rows that two folds
// have of one class differ by at most one, and so do their total numbers of rows.
func DealByClass(classes []float64, folds int, r *rand.Rand) []int {
	rowFolds := make([]int, len(classes))
	for i, row := range orderByClass(classes, r) {
		rowFolds[row] = i % folds // the count goes on from class to class, so that totals are even, too
	}
	return rowFolds
}

// orderByClass returns the rows, numbered from 0, by the class of each row, in random order within each class.
func orderByClass(classes []float64, r *rand.Rand) []int {
	order := portable.Perm(r, len(classes))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(classes[a], classes[b]) })
	return order
}

// newRand returns the random generator of splits for a seed. Other users of the same seed draw
// other numbers, as they use another stream of the generator.
func newRand(seed uint64) *rand.Rand {
	const stream = 0x73706c6974 // the letters "split" in ASCII
	return rand.New(rand.NewPCG(seed, stream))
}
