package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// Split says which rows a network is trained on and which it is tested on.
type Split struct {
	Train, Test []int // row numbers, ascending; no row is in both, none is in neither
}

// ErrEmptyFold is wrapped by the error of a fold that no row, or every row, falls
// in, as happens where many rows share one label.
var ErrEmptyFold = errors.New("empty fold")

// Split returns one fold of the split of that name. See SplitKind.Split.
func (t *Table) Split(ctx context.Context, kind string, fold int, protocol Protocol, seed uint64) (Split, error) {
	k, err := LookupSplit(kind)
	if err != nil {
		return Split{}, err
	}
	return k.Split(ctx, t, fold, protocol, seed)
}

// Split returns one fold of a table. The error wraps ErrEmptyFold where one side
// would have no rows, and ctx's where that ended before the rows were found.
func (k SplitKind) Split(ctx context.Context, t *Table, fold int, protocol Protocol, seed uint64) (Split, error) {
	fail := func(format string, args ...any) (Split, error) {
		return Split{}, fmt.Errorf("%s split of %s: %w", k.Name, t.Name, fmt.Errorf(format, args...))
	}
	_, err := ParseProtocol(string(protocol))
	if err = cmp.Or(err, k.CheckFold(fold), ctx.Err()); err != nil {
		return fail("%w", err)
	}
	folds, err := k.FoldsOf(t)
	if err = cmp.Or(err, CheckFold(fold, folds)); err != nil {
		return fail("%w", err)
	}
	if n, fewest := t.Rows(), max(2, folds); n < fewest {
		return fail("%d rows are too few; at least %d are needed", n, fewest)
	}
	if t.Held > 0 && k.Name != TestFile {
		return fail("%d rows are from a file of their own for testing, which the %s split alone knows", t.Held, TestFile)
	}
	test, err := k.Mark(ctx, t, fold, protocol, seed)
	if err != nil {
		return fail("%w", err)
	}
	if len(test) != t.Rows() {
		return fail("%d rows are marked of %d", len(test), t.Rows())
	}
	var s Split
	for r, tested := range test {
		if tested {
			s.Test = append(s.Test, r)
		} else {
			s.Train = append(s.Train, r)
		}
	}
	if len(s.Test) == 0 || len(s.Train) == 0 {
		return fail("fold %d trains on %d rows and tests on %d, as too many rows share one value, or all are marked alike: %w",
			fold, len(s.Train), len(s.Test), ErrEmptyFold)
	}
	if k.Column != "" {
		if err := t.oneSide(k.Column, test); err != nil {
			return fail("%w", err)
		}
	}
	return s, nil
}

// oneSide asserts that rows with one value of the column By are all tested on, or
// all trained on.
func (t *Table) oneSide(what string, test []bool) error {
	tested := make(map[float64]bool)
	for r, v := range t.B {
		if was, seen := tested[v]; seen && was != test[r] {
			return fmt.Errorf("the %s %s is trained on and tested on, which is a mistake in the split", what, t.ByField.Show(v))
		}
		tested[v] = test[r]
	}
	return nil
}
