// Package baseline predicts targets by two simple methods that every model should beat: ridge regression and
// a constant. Start with Predict. Both work in the target's own unit, without transforms, bounds or
// calibration.
package baseline

import (
	"fmt"

	"sml/evaluation/measure"
)

// Names of the methods.
const (
	ridgeName    = "ridge"
	constantName = "constant"
)

// Names returns the names of the methods, in the order of Predict.
func Names() []string { return []string{ridgeName, constantName} }

// Prediction has the predictions of the test rows by one method, in the target's own unit.
type Prediction struct {
	Name   string // one of Names
	Column *measure.Column
}

// Predict fits ridge regression and a constant to the training rows, and returns their predictions of the test
// rows, in this order. It returns an error if a prediction is not finite.
func Predict(train, test Rows) ([]Prediction, error) {
	predictions := []Prediction{
		{Name: ridgeName, Column: fitRidge(train).predict(test)},
		{Name: constantName, Column: fitConstant(train).predict(test)},
	}
	for _, p := range predictions {
		if err := p.Column.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return predictions, nil
}
