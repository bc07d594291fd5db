package baseline

import "slices"

// Rows are some rows of a table with their values of one target. There is at least one.
type Rows struct {
	X       []float64 // features of all rows of the table, [rows, Inputs], row by row; none is missing
	Inputs  int       // number of features
	Numbers []int     // numbers of the rows in X

	Classes int       // number of classes, if the target is a class; 0 if it is a number
	Y       []float64 // targets of the rows, in their own unit, or their classes from 0
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

// totalWeight returns the sum of the weights.
func (r Rows) totalWeight() float64 {
	total := 0.0
	for i := range r.Numbers {
		total += r.weight(i)
	}
	return total
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

// thin returns at most maxCount evenly spaced rows.
func (r Rows) thin(maxCount int) Rows {
	rows := len(r.Numbers)
	if rows <= maxCount {
		return r
	}
	var positions []int
	for i := range maxCount {
		positions = append(positions, i*rows/maxCount)
	}
	thinned := r.choose(positions)
	if r.Weights != nil && !slices.ContainsFunc(thinned.Weights, func(w float64) bool { return w > 0 }) {
		thinned.Weights = nil
	}
	return thinned
}

// choose returns the rows at the positions.
func (r Rows) choose(positions []int) Rows {
	chosen := Rows{X: r.X, Inputs: r.Inputs, Classes: r.Classes}
	for _, position := range positions {
		chosen.Numbers = append(chosen.Numbers, r.Numbers[position])
		chosen.Y = append(chosen.Y, r.Y[position])
		if r.Weights != nil {
			chosen.Weights = append(chosen.Weights, r.Weights[position])
		}
	}
	return chosen
}
