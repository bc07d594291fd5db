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

// columnFolds takes the folds from a column of the table. If all values of the column are whole
// numbers from 0, they are fold numbers. If the values are the words train and test, there is one
// fold. Otherwise each value is a fold, in the order of Field.Categories.
var columnFolds = Kind{
	Name:            "folds",
	Summary:         "rows that a column assigns to the fold",
	Source:          "the table",
	Column:          "fold",
	ColumnIsNoInput: true,
	Count: func(t *data.Table) (int, error) {
		foldValues, err := valuesByFold(t)
		return len(foldValues), err
	},
	Mark: markColumnFold,
}

// markColumnFold marks the rows whose value in the column belongs to fold o.Fold. It returns an
// error that wraps ErrEmptyFold if no row has the fold's number.
func markColumnFold(_ context.Context, t *data.Table, o Options) ([]bool, error) {
	foldValues, err := valuesByFold(t)
	if err != nil {
		return nil, err
	}
	testValues := foldValues[o.Fold]
	if testValues == nil {
		return nil, fmt.Errorf("no row has %d in column %q, which holds fold numbers: %w", o.Fold, t.SplitColumn, ErrEmptyFold)
	}
	return markRows(t.SplitValues, func(v float64) bool { return slices.Contains(testValues, v) }), nil
}

// valuesByFold returns, for each fold, the values that the column has in the fold's test rows. It
// returns an error if the column has only one value, or has other words beside train and test.
func valuesByFold(t *data.Table) ([][]float64, error) {
	values := distinctValues(t)
	if len(values) == 1 {
		return nil, fmt.Errorf("column %q is %s in every row; at least 2 folds are needed, or train and test", t.SplitColumn, t.SplitField.Show(values[0]))
	}
	if folds := numberedFolds(t, values); folds != nil {
		return folds, nil
	}
	return namedFolds(t, values)
}

// numberedFolds returns the values of each fold if all values are whole numbers from 0 that are
// below the number of rows, and nil otherwise. The values are the distinct values of the column.
//
// A text column is judged by its texts, so that a fold may have several values, such as the
// categories "1" and "1.0". A fold has no value if no row has its number; fold 0 always has one.
func numberedFolds(t *data.Table, values []float64) [][]float64 {
	var folds [][]float64
	for _, v := range values {
		number, ok := parseFoldNumber(t.SplitField.Show(v))
		if !ok || number >= float64(t.Rows()) { // the limit bounds the length of folds
			return nil
		}
		fold := int(number)
		for len(folds) <= fold {
			folds = append(folds, nil)
		}
		folds[fold] = append(folds[fold], v)
	}
	if folds[0] == nil {
		return nil // numbers that do not start at 0 are names of folds
	}
	return folds
}

// parseFoldNumber parses a whole number from 0 in decimal notation. ok is false for any other
// text. The number may exceed the range of an int.
func parseFoldNumber(text string) (number float64, ok bool) {
	number, err := strconv.ParseFloat(text, 64)
	isDecimal := err == nil && !strings.ContainsAny(text, "xX_") // ParseFloat also accepts 0x10 and 1_000
	return number, isDecimal && number >= 0 && number == math.Floor(number)
}

// namedFolds returns one fold for each value or, if the values are the words train and test, one
// fold whose test rows have the word test. It returns an error if there are further values beside
// both words.
func namedFolds(t *data.Table, values []float64) ([][]float64, error) {
	test := indexOfWord(t, values, "test", "testing")
	train := indexOfWord(t, values, "train", "training")
	if test < 0 || train < 0 {
		var folds [][]float64
		for _, v := range values {
			folds = append(folds, []float64{v})
		}
		return folds, nil
	}
	for i, v := range values {
		if i != test && i != train {
			return nil, fmt.Errorf("column %q has %s beside %s and %s; want only these two", t.SplitColumn, t.SplitField.Show(v), t.SplitField.Show(values[train]), t.SplitField.Show(values[test]))
		}
	}
	return [][]float64{{values[test]}}, nil
}

// indexOfWord returns the index of the first value whose text is one of the words, in upper or
// lower case, and −1 if there is none. The words are in lower case.
func indexOfWord(t *data.Table, values []float64, words ...string) int {
	return slices.IndexFunc(values, func(v float64) bool {
		return slices.Contains(words, strings.ToLower(t.SplitField.Show(v)))
	})
}
