package experiment

import (
	"fmt"
	"slices"

	"sml/data"
	"sml/data/split"
	"sml/trainers"
)

// splitCalibrationRows splits training rows, nil for all rows of the table, into the remaining
// training rows and the calibration rows.
func splitCalibrationRows(t *data.Table, k foldKey, train []int) (remaining, calibration []int, err error) {
	separation := separationFor(t, k.split, k.classes)
	heldOut, others, err := trainers.HoldOutCalibration(rowNumbers(t, train), separation, k.calibrationFraction, k.calibrationSeed)
	if err != nil {
		return nil, nil, err
	}
	return toInts(others), toInts(heldOut), nil
}

// rowNumbers returns the given row numbers as int32, or the numbers of all rows of the table if
// rows is nil.
func rowNumbers(t *data.Table, rows []int) []int32 {
	if rows == nil {
		all := make([]int32, t.Rows())
		for i := range all {
			all[i] = int32(i)
		}
		return all
	}
	numbers := make([]int32, len(rows))
	for i, row := range rows {
		numbers[i] = int32(row)
	}
	return numbers
}

// toInts returns row numbers as int.
func toInts(numbers []int32) []int {
	rows := make([]int, len(numbers))
	for i, number := range numbers {
		rows[i] = int(number)
	}
	return rows
}

// separationFor returns how validation and calibration rows are chosen. If the split is by group
// or by time, they are chosen as the split chooses test rows; otherwise at random, and from every
// class if the targets are classes.
func separationFor(t *data.Table, splitName string, classes bool) data.Separation {
	kind, err := split.Lookup(splitName)
	switch {
	case err == nil && (kind.Column == "group" || kind.Column == "time"):
		return data.Separation{Values: t.SplitValues, ByLatest: kind.Column == "time"}
	case classes:
		return data.Separation{Classes: data.RowClasses(t.Y, len(t.Targets))}
	}
	return data.Separation{}
}

// weightedRows returns the numbers in the table of some rows of the table as it was read, without the rows of weight 0.
// It returns an error if the weights of all these rows are 0; the error names them by their use, such as "trained on".
func (t *Table) weightedRows(k foldKey, rows []int, use string) ([]int, error) {
	if t.Table == t.read {
		return rows, nil
	}
	var numbers []int
	next := 0 // number of the next row in the table
	for row, weight := range t.read.W {
		_, isAmongRows := slices.BinarySearch(rows, row)
		if weight > 0 && isAmongRows {
			numbers = append(numbers, next)
		}
		if weight > 0 {
			next++
		}
	}
	if numbers == nil {
		place := t.Name
		if k.split != "" {
			place = fmt.Sprintf("%s split of %s: fold %d", k.split, t.Name, k.fold)
		}
		return nil, fmt.Errorf("%s: the weights (column %s) of all %d rows that are %s are 0; want at least one weight above 0", place, t.Weight, len(rows), use)
	}
	return numbers, nil
}
