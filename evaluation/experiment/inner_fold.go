package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/data/split"
	"sml/evaluation"
	"sml/internal/portable"
	"sml/models"
	"sml/trainers"
)

// innerStream is the stream of random numbers for inner folds. It differs from every stream of the split, which has the
// same seed.
const innerStream = 1 << 34

// checkInner returns an error if the number of inner folds or the fold is out of range.
func checkInner(in trainers.Inner) error {
	if in == (trainers.Inner{}) {
		return nil
	}
	if err := models.Limits.InnerFolds.Check("the number of inner folds", in.Folds); err != nil {
		return err
	}
	return split.CheckFold(in.Fold, in.Folds)
}

// innerFold divides the training rows of a split into inner folds, as in nested cross-validation, and returns the
// training rows and the test rows of one of them. The split's own test rows are unused. column is the kind of the split's
// column, "" if it has none.
//
// The division looks at no column but the split's, and at classes:
//
//   - Rows of one group stay together, and so do rows with the same number in a column of folds, if
//     there are enough numbers.
//   - In a split by time an inner fold is later than all its training rows, and rows later than the
//     fold are unused.
//   - All other rows are divided at random, and every inner fold has its fraction of each class.
func innerFold(t *data.Table, k foldKey, column string, rows []int) (inner Rows, err error) {
	tested := k.inner.Fold
	var fold []int // by row
	if column == "time" {
		tested++ // the earliest of one part more than there are inner folds is only trained on
		fold, err = timeFolds(t, rows, k.inner.Folds+1)
	} else {
		fold, err = randomFolds(t, rows, column, k)
	}
	if err != nil {
		return Rows{}, fmt.Errorf("inner fold %d of %d of the %d training rows of %s: %w", k.inner.Fold, k.inner.Folds, len(rows), t.Name, err)
	}
	isTrained := func(fold int) bool { return fold != tested && (column != "time" || fold < tested) }
	return Rows{
		Train: selectRows(rows, fold, isTrained),
		Test:  selectRows(rows, fold, func(fold int) bool { return fold == tested }),
	}, nil
}

// selectRows returns the rows whose part satisfies the condition. part has an element for each of
// rows.
func selectRows(rows, part []int, condition func(part int) bool) []int {
	var selected []int
	for i, row := range rows {
		if condition(part[i]) {
			selected = append(selected, row)
		}
	}
	return selected
}

// randomFolds deals rows out to the inner folds at random and returns the fold of each row. Groups
// stay together, and so do rows with the same number in a column of folds, if there are at least as
// many numbers as folds. column is the kind of the split's column, "" if it has none.
func randomFolds(t *data.Table, rows []int, column string, k foldKey) ([]int, error) {
	folds := k.inner.Folds
	r := rand.New(rand.NewPCG(k.seed, innerStream))
	values := evaluation.SelectRows(t.SplitValues, rows)
	groups := len(distinct(values))
	switch {
	case column == "group" && groups < folds:
		return nil, fmt.Errorf("they have %d groups, and %d folds of whole groups need at least as many; use fewer folds", groups, folds)
	case column != "" && groups >= folds:
		return split.DealGroups(values, folds, r), nil
	case len(rows) < folds:
		return nil, fmt.Errorf("%w: want a row for each fold at least", split.ErrEmptyFold)
	case k.classes:
		return split.DealByClass(data.RowClasses(t.TargetsOf(rows), len(t.Targets)), folds, r), nil
	}
	fold := make([]int, len(rows)) // by index in rows
	for position, index := range portable.Perm(r, len(rows)) {
		fold[index] = position * folds / len(rows) // cuts the random order into folds of about the same size
	}
	return fold, nil
}

// timeFolds cuts rows by time into consecutive parts of about the same size and returns the part
// of each row, from 0 for the earliest. Rows with the same time are in the same part. It returns an
// error if there are fewer times than parts.
func timeFolds(t *data.Table, rows []int, parts int) ([]int, error) {
	timeOf := evaluation.SelectRows(t.SplitValues, rows)
	times := distinct(timeOf)
	if len(times) < parts {
		return nil, fmt.Errorf("they have %d distinct times, and %d folds by time need %d; use fewer folds", len(times), parts-1, parts)
	}
	rowsAt := make(map[float64]int)
	for _, time := range timeOf {
		rowsAt[time]++
	}
	partOfTime := make(map[float64]int)
	part := 0        // part of the current time
	earlierRows := 0 // number of rows before the current time
	for i, time := range times {
		timesLeft := len(times) - i
		partsLeft := parts - 1 - part                     // parts after the current one
		isFull := earlierRows*parts >= (part+1)*len(rows) // the parts so far have their fraction, (part+1)/parts, of the rows
		isTimeNeeded := timesLeft == partsLeft            // every later part needs a time of its own
		beginsPart := i > 0 && partsLeft > 0 && (isFull || isTimeNeeded)
		if beginsPart {
			part++
		}
		partOfTime[time] = part
		earlierRows += rowsAt[time]
	}
	partOfRow := make([]int, len(rows))
	for i, time := range timeOf {
		partOfRow[i] = partOfTime[time]
	}
	return partOfRow, nil
}

// distinct returns the distinct values, ascending.
func distinct(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
