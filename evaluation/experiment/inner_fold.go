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

// applyInnerFold divides the training rows of a split (nil for all rows) into inner folds, as in
// nested cross-validation. It makes one inner fold the test rows, in place of the split's own test
// rows, and returns the new training rows.
//
// The division looks at no column but the split's, and at classes:
//
//   - Rows of one group stay together, and so do rows with the same number in a column of folds, if
//     there are enough numbers.
//   - In a split by time an inner fold is later than all its training rows, and rows later than the
//     fold are unused.
//   - All other rows are divided at random, and every inner fold has its fraction of each class.
func (f *fold) applyInnerFold(t *data.Table, k foldKey, train []int) ([]int, error) {
	rows := train
	if rows == nil {
		rows = toInts(rowNumbers(t, nil))
	}
	column := ""
	if kind, err := split.Lookup(k.split); err == nil {
		column = kind.Column
	}
	var newTrain []int
	var err error
	if column == "time" {
		newTrain, f.test, err = innerFoldByTime(t, k, rows)
	} else {
		newTrain, f.test, err = randomInnerFold(t, k, rows, column)
	}
	if err != nil {
		return nil, fmt.Errorf("inner fold %d of %d of the %d training rows of %s: %w", k.inner.Fold, k.inner.Folds, len(rows), t.Name, err)
	}
	f.excluded = unusedRows(t.Rows(), newTrain, f.test)
	return newTrain, nil
}

// innerFoldByTime cuts rows by time into one part more than there are inner folds, since the
// earliest part is only trained on. It returns the rows of the inner fold as test rows, and all
// earlier rows as training rows.
func innerFoldByTime(t *data.Table, k foldKey, rows []int) (train, test []int, err error) {
	part, err := timeFolds(t, rows, k.inner.Folds+1) // by row
	if err != nil {
		return nil, nil, err
	}
	tested := k.inner.Fold + 1 // part 0 is never tested
	train = selectRows(rows, part, func(part int) bool { return part < tested })
	test = selectRows(rows, part, func(part int) bool { return part == tested })
	return train, test, nil
}

// randomInnerFold deals rows out to the inner folds at random. It returns the rows of the inner
// fold as test rows, and all others as training rows.
func randomInnerFold(t *data.Table, k foldKey, rows []int, column string) (train, test []int, err error) {
	fold, err := randomFolds(t, rows, column, k) // by row
	if err != nil {
		return nil, nil, err
	}
	tested := k.inner.Fold
	train = selectRows(rows, fold, func(fold int) bool { return fold != tested })
	test = selectRows(rows, fold, func(fold int) bool { return fold == tested })
	return train, test, nil
}

// unusedRows returns the numbers of a table's other rows, ascending: neither training nor test rows.
func unusedRows(tableRows int, train, test []int) []int {
	used := make([]bool, tableRows)
	for _, row := range slices.Concat(train, test) {
		used[row] = true
	}
	var unused []int
	for row, isUsed := range used {
		if !isUsed {
			unused = append(unused, row)
		}
	}
	return unused
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
	values := distinctSplitValues(t, rows)
	switch {
	case column == "group" && len(values) < folds:
		return nil, fmt.Errorf("they have %d groups, and %d folds of whole groups need at least as many; use fewer folds", len(values), folds)
	case column != "" && len(values) >= folds:
		return dealGroups(t, rows, values, folds, r), nil
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

// dealGroups deals groups out to folds and returns the fold of each row: the largest group first,
// each to the fold with the fewest rows. Groups of the same size follow in random order. values
// identifies the groups in the split column.
func dealGroups(t *data.Table, rows []int, values []float64, folds int, r *rand.Rand) []int {
	groupSize := make(map[float64]int)
	for _, row := range rows {
		groupSize[t.SplitValues[row]]++
	}
	var order []float64
	for _, i := range portable.Perm(r, len(values)) {
		order = append(order, values[i])
	}
	slices.SortStableFunc(order, func(a, b float64) int { return groupSize[b] - groupSize[a] })
	foldOfGroup := make(map[float64]int)
	foldSize := make([]int, folds)
	for _, group := range order {
		smallest := slices.Index(foldSize, slices.Min(foldSize))
		foldSize[smallest] += groupSize[group]
		foldOfGroup[group] = smallest
	}
	return foldsOfRows(t, rows, foldOfGroup)
}

// foldsOfRows returns the fold of each row, by its value in the split column.
func foldsOfRows(t *data.Table, rows []int, foldOfValue map[float64]int) []int {
	folds := make([]int, len(rows))
	for i, row := range rows {
		folds[i] = foldOfValue[t.SplitValues[row]]
	}
	return folds
}

// timeFolds cuts rows by time into consecutive parts of about the same size and returns the part
// of each row, from 0 for the earliest. Rows with the same time are in the same part. It returns an
// error if there are fewer times than parts.
func timeFolds(t *data.Table, rows []int, parts int) ([]int, error) {
	times := distinctSplitValues(t, rows)
	if len(times) < parts {
		return nil, fmt.Errorf("they have %d distinct times, and %d folds by time need %d; use fewer folds", len(times), parts-1, parts)
	}
	rowsAt := make(map[float64]int)
	for _, row := range rows {
		rowsAt[t.SplitValues[row]]++
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
	return foldsOfRows(t, rows, partOfTime), nil
}

// distinctSplitValues returns the distinct values of the rows in the split column, ascending, or
// nil if the table has no such column.
func distinctSplitValues(t *data.Table, rows []int) []float64 {
	if t.SplitValues == nil {
		return nil
	}
	var values []float64
	for _, row := range rows {
		values = append(values, t.SplitValues[row])
	}
	slices.Sort(values)
	return slices.Compact(values)
}
