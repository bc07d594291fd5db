package split

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// columnFolds takes the folds from a column. If its values are whole numbers from 0, they are
// the numbers of the folds; otherwise each value is a fold, in the order of Field.Categories. A
// column with the words train and test has one fold.
var columnFolds = Kind{
	Name:            "folds",
	Summary:         "rows that a column assigns to the fold",
	Source:          "the table",
	Column:          "fold",
	ColumnIsNoInput: true,
	Count: func(t *data.Table) (int, error) {
		values, err := foldValues(t)
		return len(values), err
	},
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		values, err := foldValues(t)
		if err != nil {
			return nil, err
		}
		if values[o.Fold] == nil {
			return nil, fmt.Errorf("no row has %d in column %q, whose whole numbers from 0 are those of the folds: %w", o.Fold, t.SplitColumn, ErrEmptyFold)
		}
		return markRows(t.SplitValues, func(v float64) bool { return slices.Contains(values[o.Fold], v) }), nil
	},
}

// foldValues returns, for each fold, the values of the column in the fold's test rows.
func foldValues(t *data.Table) ([][]float64, error) {
	values := distinctValues(t)
	if len(values) == 1 {
		return nil, fmt.Errorf("column %q is %s in every row; at least 2 folds are needed, or train and test", t.SplitColumn, t.SplitField.Show(values[0]))
	}
	if folds := numberedFolds(t, values); folds != nil {
		return folds, nil
	}
	return namedFolds(t, values)
}

// numberedFolds returns the values of each fold if all values are whole numbers from 0, and nil
// otherwise. A fold may have no value, or several, such as 1 and 1.0.
func numberedFolds(t *data.Table, values []float64) [][]float64 {
	var folds [][]float64
	for _, v := range values {
		n, ok := foldNumber(t.SplitField.Show(v))
		if !ok || n >= float64(t.Rows()) {
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

// foldNumber parses a whole number from 0 in decimal notation.
func foldNumber(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	isDecimal := err == nil && !strings.ContainsAny(text, "xX_") // Go also reads 0x10 and 1_000
	return n, isDecimal && n >= 0 && n == math.Floor(n)
}

// namedFolds returns one fold for each value or, if the values are train and test, one fold
// that tests on the rows of test.
func namedFolds(t *data.Table, values []float64) ([][]float64, error) {
	test, train := indexOfWord(t, values, "test", "testing"), indexOfWord(t, values, "train", "training")
	if test < 0 || train < 0 {
		var folds [][]float64
		for _, v := range values {
			folds = append(folds, []float64{v})
		}
		return folds, nil
	}
	for i, v := range values {
		if i != test && i != train {
			return nil, fmt.Errorf("column %q has %s beside %s and %s; a row is trained on or tested on", t.SplitColumn, t.SplitField.Show(v), t.SplitField.Show(values[train]), t.SplitField.Show(values[test]))
		}
	}
	return [][]float64{{values[test]}}, nil
}

// indexOfWord returns the index of the first value whose text is among the words, in upper or
// lower case, and −1 if there is none.
func indexOfWord(t *data.Table, values []float64, words ...string) int {
	return slices.IndexFunc(values, func(v float64) bool {
		return slices.Contains(words, strings.ToLower(t.SplitField.Show(v)))
	})
}
