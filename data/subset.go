package data

// Subset are rows of a table in the units of one training. The table's values are
// shared, not copied: each is standardised by itself, and then rounded to float32,
// when it is gathered into a batch, so that it is the same wherever it is used. The
// zero value of all but X, and Y for a training, stands for all rows of values that
// are standardised already.
type Subset struct {
	X, Y    []float64 // the whole table, [n, inputs] and [n, targets], row-major
	Indices []int32   // of the rows; nil: all

	Extras []string  // names of further columns
	E      []float64 // their values, [n, len(Extras)], row-major
	W      []float64 // weights of the table's rows; nil: all count alike
	By     []float64 // of the table's rows, by which they are held apart for validation; nil: it does not matter
	Latest bool      // validation takes the rows with the largest By; else rows of one By stay together

	XScale, YScale Scalers // of the inputs and the targets
}

// Subset returns the rows of those numbers, nil for all, with inputs
// standardised by x and targets by y.
func (t *Table) Subset(numbers []int, x, y Scalers) Subset {
	r := Subset{X: t.X, Y: t.Y, Extras: t.Extras, E: t.E, W: t.W, XScale: x, YScale: y}
	if numbers != nil {
		r.Indices = make([]int32, len(numbers))
	}
	for i, n := range numbers {
		r.Indices[i] = int32(n)
	}
	return r
}

// All returns the numbers of the rows, of a table of so many inputs.
func (r Subset) All(inputs int) []int32 {
	if r.Indices != nil {
		return r.Indices
	}
	return upTo[int32](len(r.X) / inputs)
}
