package split

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// latestRows tests on the latest share of the rows. Rows that share the cut-off time stay
// together: they are tested on, unless no earlier row would be left to train on.
var latestRows = Kind{
	Name:         "time",
	Summary:      "the latest rows, a fifth or another fraction",
	Source:       "Tashman 2000, out-of-sample tests",
	Folds:        1,
	Column:       "time",
	TestFraction: 0.2,
	Mark: func(_ context.Context, t *data.Table, o Options) ([]bool, error) {
		if t.SplitField.Kind == data.Category {
			return nil, fmt.Errorf("column %q holds texts, such as %q, and neither dates that are known nor numbers; name another column, or say that it is a date and how that is written, such as dd.mm.yyyy", t.SplitColumn, t.SplitField.Categories[0])
		}
		times := slices.Sorted(slices.Values(t.SplitValues))
		n := len(times)
		cutoff := times[n-min(max(1, int(math.Round(o.TestFraction*float64(n)))), n)]
		if cutoff == times[0] {
			return markRows(t.SplitValues, func(v float64) bool { return v > cutoff }), nil
		}
		return markRows(t.SplitValues, func(v float64) bool { return v >= cutoff }), nil
	},
}
