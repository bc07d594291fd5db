package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// columnFolds takes the folds from a column. Whole numbers from 0 are the numbers of the
// folds; of other values each is a fold, in their order (Field.Levels). A column of train
// and test has one fold.
var columnFolds = SplitKind{
	Name: "folds", Summary: "rows for which a column has the fold's number, its text, or \"test\"", Source: "the table", Column: "fold", Apart: true,
	Count: func(t *Table) (int, error) {
		values, err := t.foldValues()
		return len(values), err
	},
	Mark: func(_ context.Context, t *Table, fold int, _ Protocol, _ uint64) ([]bool, error) {
		values, err := t.foldValues()
		if err != nil {
			return nil, err
		}
		if values[fold] == nil {
			return nil, fmt.Errorf("no row has %d in column %q, whose whole numbers from 0 are those of the folds: %w", fold, t.By, ErrEmptyFold)
		}
		return t.whereBy(func(v float64) bool { return slices.Contains(values[fold], v) }), nil
	},
}

// foldValues returns, for each fold, the values of the column By that its rows have.
func (t *Table) foldValues() ([][]float64, error) {
	values := t.byValues()
	if len(values) == 1 {
		return nil, fmt.Errorf("column %q is %s in every row; at least 2 folds are needed, or train and test", t.By, t.ByField.Show(values[0]))
	}
	if folds := t.numberedFolds(values); folds != nil {
		return folds, nil
	}
	return t.namedFolds(values)
}

// numberedFolds returns the values for each fold if all of them are whole numbers from 0,
// and nil otherwise. A fold may have no value, or several, such as 1 and 1.0.
func (t *Table) numberedFolds(values []float64) [][]float64 {
	var folds [][]float64
	for _, v := range values {
		n, ok, _ := parseNumber(t.ByField.Show(v))
		if !ok || n != math.Floor(n) || n < 0 || n >= float64(t.Rows()) {
			return nil
		}
		for len(folds) <= int(n) {
			folds = append(folds, nil)
		}
		folds[int(n)] = append(folds[int(n)], v)
	}
	if folds[0] == nil {
		return nil
	}
	return folds
}

// namedFolds returns a fold for each value, or, if the values are train and test, one fold
// for test.
func (t *Table) namedFolds(values []float64) ([][]float64, error) {
	find := func(words ...string) int {
		return slices.IndexFunc(values, func(v float64) bool { return slices.Contains(words, strings.ToLower(t.ByField.Show(v))) })
	}
	test, train := find("test", "testing"), find("train", "training")
	if test < 0 || train < 0 {
		var folds [][]float64
		for _, v := range values {
			folds = append(folds, []float64{v})
		}
		return folds, nil
	}
	for i, v := range values {
		if i != test && i != train {
			return nil, fmt.Errorf("column %q has %s beside %s and %s; a row is trained on or tested on", t.By, t.ByField.Show(v), t.ByField.Show(values[train]), t.ByField.Show(values[test]))
		}
	}
	return [][]float64{{values[test]}}, nil
}
