package data

import (
	"context"
	"errors"
)

// TestFile is the split that tests on the rows of a file of their own.
const TestFile = "file"

var testFile = SplitKind{
	Name: TestFile, Summary: "the rows of a file of their own", Source: "its user", Folds: 1,
	Mark: func(_ context.Context, t *Table, _ int, _ Protocol, _ uint64) ([]bool, error) {
		if t.Held == 0 {
			return nil, errors.New("the table has no rows of a file for testing; name that")
		}
		test := make([]bool, t.Rows())
		for i := t.Rows() - t.Held; i < len(test); i++ {
			test[i] = true
		}
		return test, nil
	},
}
