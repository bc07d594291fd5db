package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/data/split"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
)

// innerStream keeps the permutation that inner folds follow from apart from the split's.
const innerStream = 1 << 34

func checkInner(in trainers.Inner) error {
	if in == (trainers.Inner{}) {
		return nil
	}
	if err := models.Limits.InnerFolds.Check("the number of inner folds", in.Folds); err != nil {
		return err
	}
	return split.CheckFold(in.Fold, in.Folds)
}

// applyInnerFold divides the training rows of a split into inner folds. It turns one fold into the
// test rows, in place of the split's own test rows, and returns the new training rows.
//
// The division looks at no column but the split's, and at classes:
//
//   - Rows of one group stay together, and so do rows with the same number in a column of folds, if
//     there are enough numbers.
//   - In a split by time an inner fold is later than all its training rows, and rows later than the
//     fold are unused.
//   - All other rows are divided at random, and every inner fold has its share of each class.
func (f *fold) applyInnerFold(t *data.Table, k foldKey, train []int) ([]int, error) {
	fail := func(err error) ([]int, error) {
		return nil, fmt.Errorf("inner fold %d of %d of the %d training rows of %s: %w", k.inner.Fold, k.inner.Folds, len(train), t.Name, err)
	}
	if train == nil { // all
		train = make([]int, t.Rows())
		for i := range train {
			train[i] = i
		}
	}
	column := ""
	if kind, err := split.Lookup(k.split); err == nil {
		column = kind.Column
	}
	all, tested := train, k.inner.Fold
	trained := func(part int) bool { return part != tested }
	var part []int // of each training row
	var err error
	if column == "time" {
		tested++ // the first part is never tested on
		trained = func(part int) bool { return part < tested }
		part, err = timeFolds(t, all, k.inner.Folds+1)
	} else {
		part, err = randomFolds(t, all, column, k)
	}
	if err != nil {
		return fail(err)
	}
	train, f.test = selectRows(all, part, trained), selectRows(all, part, func(part int) bool { return part == tested })
	if err := checkWeights(t, k, train, "trained on in an inner fold"); err != nil {
		return nil, err
	}
	if err := checkWeights(t, k, f.test, "held out in an inner fold"); err != nil {
		return nil, err
	}
	used := make([]bool, t.Rows())
	for _, row := range slices.Concat(train, f.test) {
		used[row] = true
	}
	for row, in := range used {
		if !in {
			f.excluded = append(f.excluded, row)
		}
	}
	return train, nil
}

// pick returns the rows in parts that are asked for.
func selectRows(rows, part []int, asked func(part int) bool) []int {
	var list []int
	for i, r := range rows {
		if asked(part[i]) {
			list = append(list, r)
		}
	}
	return list
}

// dealt deals rows out to folds at random: whole groups, the largest first to the fold
// with the fewest rows, or single ones.
func randomFolds(t *data.Table, rows []int, column string, k foldKey) ([]int, error) {
	folds, r := k.inner.Folds, rand.New(rand.NewPCG(k.seed, innerStream))
	part := make([]int, len(rows))
	values := distinctSplitValues(t, rows)
	if column == "" || column != "group" && len(values) < folds {
		if len(rows) < folds {
			return nil, fmt.Errorf("%w: want a row for each fold at least", split.ErrEmptyFold)
		}
		if k.classes {
			return split.DealByClass(data.RowClasses(t.TargetsOf(rows), len(t.Targets)), folds, r), nil
		}
		for i, at := range portable.Perm(r, len(rows)) {
			part[at] = i * folds / len(rows)
		}
		return part, nil
	}
	if len(values) < folds {
		return nil, fmt.Errorf("they are of %d groups, and %d folds of whole groups need as many: want fewer folds", len(values), folds)
	}
	size, of := make(map[float64]int), make(map[float64]int)
	for _, row := range rows {
		size[t.B[row]]++
	}
	var order []float64
	for _, at := range portable.Perm(r, len(values)) {
		order = append(order, values[at])
	}
	slices.SortStableFunc(order, func(a, b float64) int { return size[b] - size[a] })
	filled := make([]int, folds)
	for _, v := range order {
		least := slices.Index(filled, slices.Min(filled))
		filled[least] += size[v]
		of[v] = least
	}
	for i, row := range rows {
		part[i] = of[t.B[row]]
	}
	return part, nil
}

// consecutive cuts rows by time into parts that are about as large as one another. Rows
// of one moment are in one part.
func timeFolds(t *data.Table, rows []int, parts int) ([]int, error) {
	values := distinctSplitValues(t, rows)
	if len(values) < parts {
		return nil, fmt.Errorf("they are of %d moments, and %d folds by time need %d: want fewer folds", len(values), parts-1, parts)
	}
	size := make(map[float64]int)
	for _, row := range rows {
		size[t.B[row]]++
	}
	of, before, p := make(map[float64]int), 0, 0
	for i, v := range values {
		// A part begins where its share of the rows does, or where each part that is left gets one moment.
		if i > 0 && p < parts-1 && (before*parts >= (p+1)*len(rows) || len(values)-i == parts-1-p) {
			p++
		}
		of[v] = p
		before += size[v]
	}
	part := make([]int, len(rows))
	for i, row := range rows {
		part[i] = of[t.B[row]]
	}
	return part, nil
}

// valuesBy are the values that rows have in the column that the table is split by,
// ascending.
func distinctSplitValues(t *data.Table, rows []int) []float64 {
	if t.B == nil {
		return nil
	}
	var values []float64
	for _, r := range rows {
		values = append(values, t.B[r])
	}
	slices.Sort(values)
	return slices.Compact(values)
}
