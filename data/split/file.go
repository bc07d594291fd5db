package split

import (
	"context"
	"errors"

	"sml/data"
)

// TestFile is the name of the split whose test rows come from another file than the training
// rows. They are the last rows of the table (Table.TestRows).
const TestFile = "file"

var testFile = Kind{
	Name:    TestFile,
	Summary: "the rows of another file",
	Source:  "its user",
	Folds:   1,
	Mark: func(_ context.Context, t *data.Table, _ Options) ([]bool, error) {
		if t.TestRows == 0 {
			return nil, errors.New("the table has no rows of a file for testing; name that")
		}
		tested := make([]bool, t.Rows())
		for i := t.Rows() - t.TestRows; i < len(tested); i++ {
			tested[i] = true
		}
		return tested, nil
	},
}
