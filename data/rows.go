package data

// Rows are rows of a table, as trainings and predictions gather them. The table
// is shared, not copied. The zero value of all but X, and Y for a training, stands
// for all rows of values that are standardised already.
type Rows struct {
	X, Y    []float32 // the whole table, [n, inputs] and [n, targets], row-major
	Numbers []int32   // of the rows; nil: all

	// What standardises the table's values: (v − shift)·scale for each
	// column. Nil where they are standardised already.
	XShift, XScale []float32
	YShift, YScale []float32
}

// All returns the numbers of the rows, of a table of so many inputs.
func (r Rows) All(inputs int) []int32 {
	if r.Numbers != nil {
		return r.Numbers
	}
	all := make([]int32, len(r.X)/inputs)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
