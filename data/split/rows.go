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
	Train, Test []int // row numbers, ascending
}

// ErrEmptyFold is wrapped by the error for a fold without training rows or without test rows,
// as happens if many rows have the same label.
var ErrEmptyFold = errors.New("empty fold")

// Rows returns the rows of one fold of a table. The error wraps ErrEmptyFold if there would be
// no training row or no test row, and the context's error if it ended early.
func (k Kind) Rows(ctx context.Context, t *data.Table, o Options) (Rows, error) {
	rows, err := k.rows(ctx, t, o)
	if err != nil {
		return Rows{}, fmt.Errorf("%s split of %s: %w", k.Name, t.Name, err)
	}
	return rows, nil
}

func (k Kind) rows(ctx context.Context, t *data.Table, o Options) (Rows, error) {
	if err := k.check(ctx, t, o); err != nil {
		return Rows{}, err
	}
	o.TestFraction = cmp.Or(o.TestFraction, k.TestFraction)
	tested, err := k.Mark(ctx, t, o)
	if err != nil {
		return Rows{}, err
	}
	if len(tested) != t.Rows() {
		return Rows{}, fmt.Errorf("%d rows are marked of %d", len(tested), t.Rows())
	}
	var rows Rows
	for r, isTest := range tested {
		if isTest {
			rows.Test = append(rows.Test, r)
		} else {
			rows.Train = append(rows.Train, r)
		}
	}
	if len(rows.Test) == 0 || len(rows.Train) == 0 {
		return Rows{}, fmt.Errorf("fold %d trains on %d rows and tests on %d, as too many rows share one value, or all are marked alike: %w",
			o.Fold, len(rows.Train), len(rows.Test), ErrEmptyFold)
	}
	if k.Column != "" {
		if err := checkValuesTogether(t, k.Column, tested); err != nil {
			return Rows{}, err
		}
	}
	return rows, nil
}

// check returns an error unless the table has enough rows for the fold and the options are valid.
func (k Kind) check(ctx context.Context, t *data.Table, o Options) error {
	_, err := data.ParseProtocol(string(o.Protocol))
	if err := cmp.Or(err, k.CheckTestFraction(o.TestFraction), k.CheckFold(o.Fold), ctx.Err()); err != nil {
		return err
	}
	folds, err := k.CountFolds(t)
	if err := cmp.Or(err, CheckFold(o.Fold, folds)); err != nil {
		return err
	}
	if n, fewest := t.Rows(), max(2, folds); n < fewest {
		return fmt.Errorf("%d rows are too few; at least %d are needed", n, fewest)
	}
	if t.TestRows > 0 && k.Name != TestFile {
		return fmt.Errorf("%d rows are from a file of their own for testing, which the %s split alone knows", t.TestRows, TestFile)
	}
	return nil
}

// checkValuesTogether returns an error if rows with the same value in Table.SplitValues are trained on
// and tested on. The column describes the values, such as "group".
func checkValuesTogether(t *data.Table, column string, tested []bool) error {
	isTest := make(map[float64]bool)
	for r, v := range t.SplitValues {
		if was, seen := isTest[v]; seen && was != tested[r] {
			return fmt.Errorf("the %s %s is trained on and tested on, which is a mistake in the split", column, t.SplitField.Show(v))
		}
		isTest[v] = tested[r]
	}
	return nil
}
