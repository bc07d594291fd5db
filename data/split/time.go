package split

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// latestRows trains on the earlier rows and tests on the latest fraction of them.
var latestRows = Kind{
	Name:            "time",
	Summary:         "the latest rows, a fifth or another fraction",
	Source:          "Tashman 2000, out-of-sample tests",
	Folds:           1,
	Column:          "time",
	ChoosesFraction: true,
	TestFraction:    0.2,
	Mark:            markLatestRows,
}

// markLatestRows marks the latest rows, o.TestFraction of all. Rows that share the cut-off time
// stay together: they are test rows, unless no earlier row would be left to train on. It returns
// an error if the times are text.
func markLatestRows(_ context.Context, t *data.Table, o Options) ([]bool, error) {
	if t.SplitField.Kind == data.Category {
		return nil, fmt.Errorf("column %q holds texts, such as %q; want numbers or dates; if they are dates, declare the column's date format, such as dd.mm.yyyy", t.SplitColumn, t.SplitField.Categories[0])
	}
	times := slices.Sorted(slices.Values(t.SplitValues))
	n := len(times)
	testRows := int(math.Round(o.TestFraction * float64(n)))
	testRows = min(max(testRows, 1), n)
	cutoff := times[n-testRows] // earliest time of a test row
	if cutoff == times[0] {     // no row is earlier
		return markRows(t.SplitValues, func(v float64) bool { return v > cutoff }), nil
	}
	return markRows(t.SplitValues, func(v float64) bool { return v >= cutoff }), nil
}
