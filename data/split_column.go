package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// columnFolds are those that a column names. Of whole numbers from 0 each is the
// fold that its rows are tested in; of other values each is a fold, in their order
// (Field.Levels). A column of train and test has one fold.
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
		if math.IsNaN(values[fold]) {
			return nil, fmt.Errorf("no row has %d in column %q, whose whole numbers from 0 are those of the folds: %w", fold, t.By, ErrEmptyFold)
		}
		return t.whereBy(func(v float64) bool { return v == values[fold] }), nil
	},
}

// foldValues are the values of the column By that rows of each fold have.
func (t *Table) foldValues() ([]float64, error) {
	values := t.byValues()
	if len(values) == 1 {
		return nil, fmt.Errorf("column %q is %s in every row; at least 2 folds are needed, or train and test", t.By, t.ByField.Show(values[0]))
	}
	if numbered := t.numbered(values); numbered != nil {
		return numbered, nil
	}
	return t.markers(values)
}

// numbered are values that are whole numbers from 0, each in its place; NaN stands
// for a number that no row has. nil: they are others.
func (t *Table) numbered(values []float64) []float64 {
	var folds []float64
	for _, v := range values {
		n, ok, _ := parseNumber(t.ByField.Show(v))
		if !ok || n != math.Floor(n) || n < 0 || n >= float64(t.Rows()) {
			return nil
		}
		for len(folds) <= int(n) {
			folds = append(folds, math.NaN())
		}
		folds[int(n)] = v
	}
	if math.IsNaN(folds[0]) {
		return nil
	}
	return folds
}

// markers are the value that says that a row is tested on, where there is one beside
// another that says that it is not; values where there are neither.
func (t *Table) markers(values []float64) ([]float64, error) {
	find := func(words ...string) int {
		return slices.IndexFunc(values, func(v float64) bool { return slices.Contains(words, strings.ToLower(t.ByField.Show(v))) })
	}
	test, train := find("test", "testing"), find("train", "training")
	if test < 0 || train < 0 {
		return values, nil
	}
	for i, v := range values {
		if i != test && i != train {
			return nil, fmt.Errorf("column %q has %s beside %s and %s; a row is trained on or tested on", t.By, t.ByField.Show(v), t.ByField.Show(values[train]), t.ByField.Show(values[test]))
		}
	}
	return values[test : test+1], nil
}
