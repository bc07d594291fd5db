// Package baseline predicts targets by two simple methods that every model should beat: ridge regression and
// a constant. Start with Predict. Both work in the target's own unit, without transforms, bounds or
// calibration.
package baseline

import "sml/evaluation/measure"

// Rows are some rows of a table with their values of one target. There is at least one.
type Rows struct {
	X       []float64 // features of all rows of the table, [rows, Inputs], row by row; none is missing
	Inputs  int       // number of features
	Numbers []int     // numbers of the rows in X

	Y       []float64 // targets of the rows, in their own unit
	Weights []float64 // weights of the rows, one of them above 0; nil if all count the same
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

// Prediction has the predictions of the test rows by one method, in the target's own unit.
type Prediction struct {
	Name   string // "ridge" or "constant"
	Column *measure.Column
}

// Predict fits ridge regression and a constant to the training rows, and returns their predictions of the test
// rows, in this order. It returns an error if a prediction is not finite.
func Predict(train, test Rows) ([]Prediction, error) {
	predictions := []Prediction{
		{Name: "ridge", Column: fitRidge(train).predict(test)},
		{Name: "constant", Column: fitConstant(train).predict(test)},
	}
	for _, p := range predictions {
		if err := p.Column.Check(); err != nil {
			return nil, err
		}
	}
	return predictions, nil
}
