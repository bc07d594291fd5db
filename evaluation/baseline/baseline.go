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

	// SampledRows is the number of training rows that the method was fitted to, if there were too many to fit it to all
	// of them in a second; 0 otherwise.
	SampledRows int
}

// Predict fits the methods to the training rows, and returns their predictions of the test rows in the order of Names.
// It returns an error if a prediction is not finite.
func Predict(train, test Rows) ([]Prediction, error) {
	names := Names(train.Classes)
	regression := predictRegression(train, test)
	regression.Name = names[0]
	constant := Prediction{Name: names[1], Column: predictConstant(train, test)}
	predictions := []Prediction{regression, constant}
	for _, p := range predictions {
		if err := p.Column.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return predictions, nil
}

// predictRegression returns the predictions of the test rows by ridge regression, or by logistic regression if the
// target is a class, without the name.
func predictRegression(train, test Rows) Prediction {
	sample := train.thin(maxRegressionRows(train))
	var p Prediction
	if len(sample.Numbers) < len(train.Numbers) {
		p.SampledRows = len(sample.Numbers)
	}
	if train.Classes > 0 {
		p.Column = fitLogistic(sample).predict(test)
	} else {
		p.Column = fitRidge(sample).predict(test)
	}
	return p
}

// maxRegressionRows returns the maximum number of training rows that a regression is fitted to.
func maxRegressionRows(train Rows) int {
	if train.Classes > 0 {
		return maxLogisticRows(train.Inputs, train.Classes)
	}
	return maxRidgeRows(train.Inputs)
}
