package split

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"sml/data"
)

// Rows are the rows of one fold. Every row of the table is either in Train or in Test.
type Rows struct {
	Train, Test []int // row numbers, from 0, ascending
}

// ErrEmptyFold is wrapped by the error for a fold without training rows or without test rows,
// as happens if many rows have the same label.
var ErrEmptyFold = errors.New("empty fold")

// Rows returns the training rows and the test rows of one fold of a table. The error wraps
// ErrEmptyFold if either would be empty, and the context's error if it ended early.
func (k Kind) Rows(ctx context.Context, t *data.Table, o Options) (Rows, error) {
	rows, err := k.splitRows(ctx, t, o)
	if err != nil {
		return Rows{}, fmt.Errorf("%s split of %s: %w", k.Name, t.Name, err)
	}
	return rows, nil
}

// splitRows returns the rows of one fold, as Rows does. It also returns an error if Mark, which
// another package may have written, breaks its contract.
func (k Kind) splitRows(ctx context.Context, t *data.Table, o Options) (Rows, error) {
	if err := k.checkOptions(ctx, t, o); err != nil {
		return Rows{}, err
	}
	o.TestFraction = cmp.Or(o.TestFraction, k.TestFraction)
	marks, err := k.Mark(ctx, t, o)
	if err != nil {
		return Rows{}, err
	}
	if len(marks) != t.Rows() {
		return Rows{}, fmt.Errorf("the split marks %d rows; the table has %d", len(marks), t.Rows())
	}
	rows := divideRows(marks)
	if len(rows.Test) == 0 || len(rows.Train) == 0 {
		return Rows{}, fmt.Errorf("fold %d has %d training rows and %d test rows; too many rows have the same value: %w",
			o.Fold, len(rows.Train), len(rows.Test), ErrEmptyFold)
	}
	if k.Column != "" {
		if err := checkValuesTogether(t, k.Column, marks); err != nil {
			return Rows{}, err
		}
	}
	return rows, nil
}

// divideRows returns the marked rows as test rows and all others as training rows.
func divideRows(marks []bool) Rows {
	var rows Rows
	for row, isTest := range marks {
		if isTest {
			rows.Test = append(rows.Test, row)
		} else {
			rows.Train = append(rows.Train, row)
		}
	}
	return rows
}

// checkOptions returns an error unless the options are valid and the table has enough rows for
// the fold. It also returns the context's error.
func (k Kind) checkOptions(ctx context.Context, t *data.Table, o Options) error {
	_, err := data.ParseProtocol(string(o.Protocol))
	if err := cmp.Or(err, k.CheckTestFraction(o.TestFraction), k.CheckFold(o.Fold), ctx.Err()); err != nil {
		return err
	}
	folds, err := k.CountFolds(t)
	if err := cmp.Or(err, CheckFold(o.Fold, folds)); err != nil {
		return err
	}
	// Each fold needs a test row, and a single fold a training row as well. Folds of a chosen fraction overlap.
	minRows := max(2, folds)
	if o.TestFraction != 0 {
		minRows = 2
	}
	if t.Rows() < minRows {
		return fmt.Errorf("%d rows are too few; at least %d are needed", t.Rows(), minRows)
	}
	if t.TestRows > 0 && k.Name != TestFile {
		return fmt.Errorf("%d rows come from a test file; only the %s split can use them", t.TestRows, TestFile)
	}
	return nil
}

// checkValuesTogether returns an error if rows with the same value in Table.SplitValues are on both
// sides of the split: in the training rows and in the test rows. marks has the test rows; column
// says what the values are, such as "group".
func checkValuesTogether(t *data.Table, column string, marks []bool) error {
	valueMarks := make(map[float64]bool) // mark of the first row with each value
	for row, v := range t.SplitValues {
		mark, isKnown := valueMarks[v]
		if isKnown && mark != marks[row] {
			return fmt.Errorf("rows of the %s %s are trained on and tested on, which is a mistake in the split", column, t.SplitField.Show(v))
		}
		valueMarks[v] = marks[row]
	}
	return nil
}
