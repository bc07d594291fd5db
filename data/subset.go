package data

// Subset is a set of rows of a table, with the scalers of one training. It shares the table's
// values. A value is standardised and rounded to float32 when it is gathered into a batch, so
// that it is the same in every batch. Only X is needed, and Y for a training: without Indices
// the subset has all rows, and without scalers the values are standardised already.
type Subset struct {
	X, Y    []float64 // values of the whole table, [n, inputs] and [n, targets], row-major
	Indices []int32   // numbers of the subset's rows; nil for all rows

	Extras []string  // names of extra columns
	E      []float64 // values of the extra columns, [n, len(Extras)], row-major
	W      []float64 // weights of the table's rows; nil if all rows count alike

	Separation // how the rows of the validation set are chosen

	XScale, YScale Scalers // scalers of the inputs and the targets
}

// Separation says how some of the training rows are chosen for validation or calibration. The zero
// value chooses them at random.
type Separation struct {
	By     []float64 // value of each of the table's rows; rows with equal values stay together; nil if rows have none
	Latest bool      // whether the rows with the largest values in By are chosen

	// Classes has the class of each of the table's rows: the same fraction of every class is
	// chosen. It is nil if the targets are numbers, and is not used if By is set.
	Classes []float64
}

// RowClasses returns the class of each row if all targets are classes, which are row-major in y.
// With several targets it returns a number for each combination of classes.
func RowClasses(y []float64, targets int) []float64 {
	if targets < 2 {
		return y
	}
	classes := 1.0
	for _, class := range y {
		classes = max(classes, class+1)
	}
	combined := make([]float64, len(y)/targets)
	for r := range combined {
		for _, class := range y[r*targets:][:targets] {
			combined[r] = float64(combined[r]*classes) + class
		}
	}
	return combined
}

// Subset returns the rows with the given numbers, or all rows if numbers is nil. x standardises
// the inputs and y the targets.
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

// All returns the numbers of the subset's rows. The table has the given number of inputs.
func (r Subset) All(inputs int) []int32 {
	if r.Indices != nil {
		return r.Indices
	}
	return indices[int32](len(r.X) / inputs)
}

// indices returns 0, …, n−1.
func indices[T int | int32](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}
