package evaluation

import (
	"errors"
	"fmt"

	"sml/data"
	"sml/evaluation/measure"
	"sml/graph"
	"sml/models"
)

// DefaultSamples is the paper's number of dropout sub-networks.
const DefaultSamples = 200

// Sampling says how predictions are made. The zero value is ready to use.
type Sampling struct {
	Samples  int                   // dropout sub-networks for each row; default DefaultSamples
	Seed     uint64                // of their masks
	Predict  models.Predictor      // what is made of them, mean and σ alone; default the method's
	Workers  int                   // blocks of rows computed at the same time; default all cores
	Engine   graph.Engine          // default the first of graph.Engines
	Progress func(done, total int) // rows times networks; never called by two goroutines at once
}

// Predictions are what a model says about rows, in standardised units.
type Predictions struct {
	Targets int
	Samples int                 // sub-networks drawn for each row; 0 if the method draws none
	Levels  []float64           // of the quantiles; nil: the method gives none
	Classes int                 // of the probabilities; 0: the method gives none
	Values  []models.Prediction // [rows, targets], row-major
	Shapes  []measure.Shape     // of each value, where a calibration has found some; nil: all are normal
}

// Shape is that of a value, by its place among Values.
func (p *Predictions) Shape(value int) measure.Shape {
	if p.Shapes == nil {
		return measure.Normal
	}
	return p.Shapes[value]
}

// numbersOf returns the numbers of rows that fit the model.
func numbersOf(m *models.Model, rows data.Subset) ([]int32, error) {
	inputs := m.Architecture.Inputs
	n := len(rows.X) / inputs
	if n == 0 || n*inputs != len(rows.X) {
		return nil, fmt.Errorf("%d values are not rows of %d inputs", len(rows.X), inputs)
	}
	numbers := rows.All(inputs)
	if len(numbers) == 0 {
		return nil, errors.New("there are no rows to predict")
	}
	for _, r := range numbers {
		if r < 0 || int(r) >= n {
			return nil, fmt.Errorf("there is no row %d in a table of %d", r, n)
		}
	}
	return numbers, nil
}

// combine makes one prediction of what every member says; like is a row's targets.
func combine(dst []models.Prediction, members [][]models.Prediction, method models.Method, like []models.Moments) error {
	said := make([]models.Prediction, len(members))
	for i := range dst {
		for k := range members {
			said[k] = members[k][i]
		}
		var err error
		if dst[i], err = method.Combination(said, like[i%len(like)]); err != nil {
			return err
		}
	}
	return nil
}

// HasStd tells whether the predictions have standard deviations.
func (p *Predictions) HasStd() bool { return len(p.Values) == 0 || !p.Values[0].NoStd }

// checkStd returns an error if some predictions have a standard deviation and
// others say that they have none.
func (p *Predictions) checkStd(method string) error {
	for i, v := range p.Values {
		if v.NoStd != p.Values[0].NoStd {
			return fmt.Errorf("the predictions of method %s have a standard deviation for some rows and targets, and none for others (row %d of those given): want one for all, or NoStd for all", method, i/p.Targets+1)
		}
	}
	return nil
}

// Column returns mean and standard deviation of one target, for all rows; std is nil
// where there is none.
func (p *Predictions) Column(target int) (mean, std []float64) {
	for i := target; i < len(p.Values); i += p.Targets {
		mean = append(mean, p.Values[i].Mean)
		if p.HasStd() {
			std = append(std, p.Values[i].Std)
		}
	}
	return mean, std
}
