package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"sml/data"
	"sml/data/preparation"
	"sml/data/split"
	"sml/trainers"
)

// chooseRows returns the rows of a fold, and the options of their preparation.
func (t *Table) chooseRows(ctx context.Context, k foldKey) (rows Rows, o preparation.Options, err error) {
	var kind split.Kind // the zero value without a split
	if k.split != "" {
		kind, err = split.Lookup(k.split)
		if err != nil {
			return Rows{}, o, err
		}
	}
	_ = json.Unmarshal([]byte(k.options), &o) // foldKey has written them, if there are any
	o.PredictsFuture = kind.Column == "time"  // the test rows are later than all training rows
	rows, err = t.splitRows(ctx, k, kind, o)
	if err == nil && k.inner.Folds > 0 {
		rows, err = innerFold(t.Table, k, kind.Column, rows.Train)
	}
	if err == nil && k.calibrationFraction > 0 {
		rows.Train, rows.Calibration, err = splitCalibrationRows(t.Table, k, rows.Train)
	}
	return rows, o, err
}

// rowsUpTo returns the numbers of the first n rows.
func rowsUpTo(n int) []int {
	rows := make([]int, n)
	for row := range rows {
		rows[row] = row
	}
	return rows
}

// checkNoTestFile returns an error if the table has rows of a file for testing, which a
// training without a split would not use.
func checkNoTestFile(t *data.Table) error {
	if t.TestRows == 0 {
		return nil
	}
	return fmt.Errorf("%d rows of %s come from a file of test rows, and a training without a split tests on none; split by %s", t.TestRows, t.Name, split.TestFile)
}

// splitRows returns the training rows and the test rows of a split. Without a split all rows are training rows.
//
// A row of weight 0 moves no other row: a split that looks at values divides the table without such rows, and a split by
// the numbers of rows divides the table as it was read.
func (t *Table) splitRows(ctx context.Context, k foldKey, kind split.Kind, o preparation.Options) (rows Rows, err error) {
	if k.split == "" {
		return Rows{Train: rowsUpTo(t.Rows())}, checkNoTestFile(t.read)
	}
	source := t.read
	looksAtValues := kind.Column == "time" || dependsOnInputs(kind)
	if looksAtValues {
		source = t.Table
	}
	toSplit, err := tableToSplit(source, kind, o)
	if err != nil {
		return Rows{}, err
	}
	divided, err := kind.Rows(ctx, toSplit, split.Options{
		Fold:         k.fold,
		TestFraction: k.testFraction,
		Protocol:     k.protocol,
		Seed:         k.seed,
		ByClass:      k.classes,
	})
	if err != nil {
		return Rows{}, err
	}
	if looksAtValues {
		return Rows{Train: divided.Train, Test: divided.Test}, nil
	}
	rows.Train, err = t.weightedRows(k, divided.Train, "trained on")
	if err != nil {
		return Rows{}, err
	}
	rows.Test, err = t.weightedRows(k, divided.Test, "held out")
	return rows, err
}

// dependsOnInputs reports whether a kind of split may depend on the values of inputs and targets.
func dependsOnInputs(kind split.Kind) bool { return kind.Column == "" && !kind.IgnoresValues }

// tableToSplit returns the table that the kind of split divides: t, or t prepared if the
// split may depend on the values of the inputs. Such a split needs numbers, so the preparation is fitted to all rows: the
// training rows are not chosen yet.
func tableToSplit(t *data.Table, kind split.Kind, o preparation.Options) (*data.Table, error) {
	hasOnlyNumbers := t.Fields == nil
	if hasOnlyNumbers || t.TestRows > 0 || !dependsOnInputs(kind) {
		return t, nil
	}
	_, prepared, err := prepare(t, nil, o)
	return prepared, err
}

// prepare fits a preparation to the given rows, nil for all, and returns it with the whole
// table prepared.
func prepare(t *data.Table, rows []int, o preparation.Options) (*preparation.Preparation, *data.Table, error) {
	p, err := preparation.Fit(t, rows, o)
	if err != nil {
		return nil, nil, err
	}
	prepared, _, err := p.Table(t)
	return p, prepared, err
}

// splitCalibrationRows splits training rows into the remaining training rows and the calibration rows.
func splitCalibrationRows(t *data.Table, k foldKey, train []int) (remaining, calibration []int, err error) {
	separation := separationFor(t, k.split, k.classes)
	heldOut, others, err := trainers.HoldOutCalibration(convertRows[int32](train), separation, k.calibrationFraction, k.calibrationSeed)
	return convertRows[int](others), convertRows[int](heldOut), err
}

// convertRows returns row numbers as numbers of another type.
func convertRows[To, From int | int32](numbers []From) []To {
	converted := make([]To, len(numbers))
	for i, number := range numbers {
		converted[i] = To(number)
	}
	return converted
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
