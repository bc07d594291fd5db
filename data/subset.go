package data

// Subset is a set of rows of a table, with the scalers of one training. It shares the table's
// values. A value is standardised and rounded to float32 when it is gathered into a batch, so
// that it is the same in every batch. Only X is needed, and Y for a training.
type Subset struct {
	X, Y    []float64 // values of the whole table, [n, inputs] and [n, targets], row-major
	Indices []int32   // row numbers of the subset; nil for all rows

	Extras []string  // names of extra columns
	E      []float64 // values of the extra columns, [n, len(Extras)], row-major
	W      []float64 // row weights, [n]; nil if all rows count alike

	Separation // choice of the validation rows among the rows of the subset

	XScale, YScale Scalers // scalers that standardise X and Y; nil if X and Y have been standardised already
}

// Separation says how some of the training rows are chosen for validation or calibration. The zero
// value chooses them at random.
type Separation struct {
	// Values has a value for each row of the table, such as its group or its time. Rows with equal
	// values are chosen together. It is nil if rows have no such value.
	Values []float64

	ByLatest bool // whether the rows with the largest values in Values are chosen

	// Classes has the class of each row of the table: the same fraction of every class is chosen.
	// It is nil if the targets are numbers, and is not used if Values is set.
	Classes []float64
}

// RowClasses returns the class of each row. y has the classes of all targets, [n, targets],
// row-major. With several targets the result is a different number for each combination of
// classes: the classes are the digits of the number in the base of the number of classes.
func RowClasses(y []float64, targets int) []float64 {
	if targets < 2 {
		return y
	}
	classCount := 1.0
	for _, class := range y {
		classCount = max(classCount, class+1)
	}
	combined := make([]float64, len(y)/targets)
	for r := range combined {
		for _, class := range y[r*targets:][:targets] {
			combined[r] = float64(combined[r]*classCount) + class
		}
	}
	return combined
}

// Subset returns the rows with the given numbers, or all rows if numbers is nil. x standardises
// the inputs and y the targets.
func (t *Table) Subset(numbers []int, x, y Scalers) Subset {
	s := Subset{X: t.X, Y: t.Y, Extras: t.Extras, E: t.E, W: t.W, XScale: x, YScale: y}
	if numbers != nil {
		s.Indices = make([]int32, len(numbers))
	}
	for i, n := range numbers {
		s.Indices[i] = int32(n)
	}
	return s
}

// RowNumbers returns the row numbers of the subset. inputs is the number of the table's inputs.
func (s Subset) RowNumbers(inputs int) []int32 {
	if s.Indices != nil {
		return s.Indices
	}
	return indices[int32](len(s.X) / inputs)
}

// indices returns 0, …, n−1.
func indices[T int | int32](n int) []T {
	sequence := make([]T, n)
	for i := range sequence {
		sequence[i] = T(i)
	}
	return sequence
}
