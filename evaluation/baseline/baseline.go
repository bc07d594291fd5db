// Package baseline predicts targets by simple methods that every model should beat: numbers by ridge regression and a
// constant, and classes by logistic regression and a constant. Start with Predict. All work in the target's own unit,
// without transforms, bounds or calibration.
package baseline

import (
	"fmt"

	"sml/evaluation/measure"
)

// Names of the methods.
const (
	ridgeName    = "ridge"
	logisticName = "logistic"
	constantName = "constant"
)

// Names returns the names of the methods, in the order of Predict, for a target with this number of classes, 0 for a
// number.
func Names(classes int) []string {
	if classes > 0 {
		return []string{logisticName, constantName}
	}
	return []string{ridgeName, constantName}
}

// Prediction has the predictions of the test rows by one method, in the target's own unit.
type Prediction struct {
	Name   string // one of Names
	Column *measure.Column
}

// Predict fits the methods to the training rows, and returns their predictions of the test rows in the order of Names.
// It returns an error if a prediction is not finite.
func Predict(train, test Rows) ([]Prediction, error) {
	columns := []*measure.Column{predictRegression(train, test), predictConstant(train, test)}
	var predictions []Prediction
	for i, name := range Names(train.Classes) {
		if err := columns[i].Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		predictions = append(predictions, Prediction{Name: name, Column: columns[i]})
	}
	return predictions, nil
}

// predictRegression returns the predictions of the test rows by ridge regression, or by logistic regression if the
// target is a class.
func predictRegression(train, test Rows) *measure.Column {
	if train.Classes > 0 {
		return fitLogistic(train).predict(test)
	}
	return fitRidge(train).predict(test)
}

// predictConstant returns the same prediction for all test rows.
func predictConstant(train, test Rows) *measure.Column {
	if train.Classes > 0 {
		return train.classFrequencies().predict(test)
	}
	return fitConstant(train).predict(test)
}
