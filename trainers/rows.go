package trainers

import "sml/data"

// Rows are the rows to train on, as part of a table that trainings share.
type Rows struct {
	X, Y  []float32 // the whole table, [n, inputs] and [n, targets], row-major
	Train []int32   // numbers of the rows to train on; nil: all

	// What standardises the table's values: (v − shift)·scale for each
	// column. Nil where they are standardised already.
	XShift, XScale []float32
	YShift, YScale []float32
}

// numbers lists the rows to train on.
func (r Rows) numbers(targets int) []int32 {
	if r.Train != nil {
		return r.Train
	}
	all := make([]int32, len(r.Y)/targets)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// RowsOf returns the given rows of a table for a training that standardises
// inputs by x and targets by y. The table is shared, not copied.
func RowsOf(t *data.Compact, train []int, x, y data.Scaler) Rows {
	r := Rows{X: t.X, Y: t.Y, Train: make([]int32, len(train))}
	for i, row := range train {
		r.Train[i] = int32(row)
	}
	r.XShift, r.XScale = t.InputUnits(x)
	r.YShift, r.YScale = t.TargetUnits(y)
	return r
}
