package read

import (
	"context"
	"math"
	"slices"
	"testing"

	"sml/data"
	"sml/internal/expect"
)

// The conformance suite covers every data set, and also a data set that another package could
// register.
func init() {
	data.Register(data.Dataset{Name: "flat", Rows: 50, Features: 2, Target: "one", Make: func(context.Context, uint64) (*data.Table, error) {
		return &data.Table{Columns: []string{"a", "b"}, Targets: []string{"one"}, X: make([]float64, 100), Y: slices.Repeat([]float64{1}, 50)}, nil
	}})
}

func TestEveryDataset(t *testing.T) {
	for _, d := range data.Datasets() {
		if d.Make == nil {
			if _, err := Locate(d.Name, ""); err != nil {
				t.Logf("left out: %v", err)
				continue
			}
			if testing.Short() && d.Rows > 15000 {
				continue
			}
		}
		for _, protocol := range []data.Protocol{data.Paper, data.Sound} {
			var sums [2]string
			for i := range sums {
				table := expect.Must(Dataset(ctx, d.Name, "", protocol, 3, Options{}))
				if table.Name != d.Name || table.Rows() != d.RowsUnder(protocol) || len(table.Columns) != d.Features || !slices.Equal(table.Targets, []string{d.Target}) ||
					len(table.X) != table.Rows()*d.Features || len(table.Y) != table.Rows() {
					t.Errorf("%s, %s: %d rows of %d inputs for %v", d.Name, protocol, table.Rows(), len(table.Columns), table.Targets)
				}
				names := slices.Sorted(slices.Values(slices.Concat(table.Columns, table.Targets)))
				if len(slices.Compact(names)) != d.Features+1 {
					t.Errorf("%s: names %v", d.Name, names)
				}
				if slices.ContainsFunc(slices.Concat(table.X, table.Y), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
					t.Errorf("%s: a value is not finite", d.Name)
				}
				if table.Difference != "" {
					t.Error(table.Difference)
				}
				sums[i] = expect.Must(table.Checksum(ctx))
			}
			if sums[0] != sums[1] {
				t.Errorf("%s, %s: two readings, two tables", d.Name, protocol)
			}
		}
	}
}

// A made table that contradicts its data set is reported as an error.
func TestMadeWrong(t *testing.T) {
	d := data.Dataset{Name: "wrong", Rows: 3, Features: 1, Target: "y", Make: func(context.Context, uint64) (*data.Table, error) { return data.Friedman(3, 1), nil }}
	if _, err := generateDataset(ctx, d, 1, Options{}); err == nil {
		t.Error("a table of another shape is taken")
	}
}
