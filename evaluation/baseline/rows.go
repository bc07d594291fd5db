package baseline

// Rows are some rows of a table with their values of one target. There is at least one.
type Rows struct {
	X       []float64 // features of all rows of the table, [rows, Inputs], row by row; none is missing
	Inputs  int       // number of features
	Numbers []int     // numbers of the rows in X

	Y       []float64 // targets of the rows, in their own unit
	Weights []float64 // weights of the rows, with at least one above 0; nil if all rows count the same
}

// features returns the features of the row at a position.
func (r Rows) features(position int) []float64 {
	first := r.Numbers[position] * r.Inputs
	return r.X[first : first+r.Inputs]
}

// weight returns the weight of the row at a position.
func (r Rows) weight(position int) float64 {
	if r.Weights == nil {
		return 1
	}
	return r.Weights[position]
}

// meanTarget returns the weighted mean of the targets.
func (r Rows) meanTarget() float64 {
	sum := 0.0
	total := 0.0
	for i, y := range r.Y {
		sum += float64(r.weight(i) * y)
		total += r.weight(i)
	}
	return sum / total
}
