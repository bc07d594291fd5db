package evaluation

import (
	"errors"
	"fmt"
	"math"

	"sml/data"
	"sml/graph"
	"sml/models"
	"sml/models/distribution"
)

// DefaultSamples is the paper's number of dropout sub-networks.
const DefaultSamples = 200

// Sampling says how predictions are made. The zero value is ready to use.
type Sampling struct {
	Samples  int                   // sub-networks for each row, at most as many as the model stores, if it stores some; default DefaultSamples
	Seed     uint64                // of their masks
	Predict  models.Predictor      // default the method's
	Workers  int                   // blocks of rows computed at the same time; default all cores
	Engine   graph.Engine          // default the first of graph.Engines
	Progress func(done, total int) // rows times networks; never called by two goroutines at once
}

// Predictions holds the predictions of rows, in standardised units.
type Predictions struct {
	Targets    int
	Samples    int                 // sub-networks drawn for each row; 0 if the method draws none
	Family     distribution.Family // of the method
	Components []string            // names of the parts of the standard deviation
	Values     []models.Prediction // [rows, targets], row-major
}

// numbersOf returns the numbers of rows that fit the model.
func rowNumbers(m *models.Model, rows data.Subset) ([]int32, error) {
	inputs := m.Architecture.Inputs
	n := len(rows.X) / inputs
	if n == 0 || n*inputs != len(rows.X) {
		return nil, fmt.Errorf("%d values are not rows of %d inputs", len(rows.X), inputs)
	}
	numbers := rows.RowNumbers(inputs)
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

// HasStd reports whether the predictions have standard deviations.
func (p *Predictions) HasStd() bool {
	return len(p.Values) == 0 || !math.IsNaN(p.Values[0].Std())
}

// Column returns mean and standard deviation of one target, for all rows; std is nil
// where there is none.
func (p *Predictions) Column(target int) (mean, std []float64) {
	for i := target; i < len(p.Values); i += p.Targets {
		mean = append(mean, p.Values[i].Mean())
		if p.HasStd() {
			std = append(std, p.Values[i].Std())
		}
	}
	return mean, std
}
