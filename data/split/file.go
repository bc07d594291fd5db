package split

import (
	"context"
	"errors"

	"sml/data"
)

// TestFile is the name of the split whose test rows come from another file than the training
// rows. The test rows are the last Table.TestRows rows of the table.
const TestFile = "file"

var testFile = Kind{
	Name:    TestFile,
	Summary: "the rows of another file",
	Source:  "its user",
	Folds:   1,
	Mark: func(_ context.Context, t *data.Table, _ Options) ([]bool, error) {
		if t.TestRows == 0 {
			return nil, errors.New("the table has no rows from a test file; name a file of test rows")
		}
		marks := make([]bool, t.Rows())
		for row := t.Rows() - t.TestRows; row < t.Rows(); row++ {
			marks[row] = true
		}
		return marks, nil
	},
}
