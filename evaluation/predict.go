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

// DefaultSamples is the default number of sub-networks, as in the paper.
const DefaultSamples = 200

// Sampling says how predictions are computed. The zero value is ready to use.
type Sampling struct {
	Samples int              // number of sub-networks; default DefaultSamples; never more than a model stores, if it stores some
	Seed    uint64           // seed of the dropout masks
	Predict models.Predictor // function that makes predictions from the networks' outputs; default the method's
	Workers int              // number of blocks of rows computed at the same time; default all cores
	Engine  graph.Engine     // default the first of graph.Engines
	Moments MomentSource     // where mean and standard deviation over the sub-networks come from; default SampledMoments

	// Progress is called by one goroutine at a time with the number of rows that are done, and of all
	// rows, both times the number of members. It may be nil.
	Progress func(done, total int)
}

// Predictions has the predictions of rows, standardised.
type Predictions struct {
	Targets    int                 // number of targets
	Samples    int                 // number of sub-networks; 0 if none are drawn
	Family     distribution.Family // family of the distributions
	Components []string            // names of the parts of the standard deviation
	Values     []models.Prediction // [rows, targets], row by row
}

// rowNumbers returns the numbers of the rows to predict. It returns an error if there are none, if
// a number is out of range, or if the values or scalers do not fit the model's inputs.
func rowNumbers(m *models.Model, rows data.Subset) ([]int32, error) {
	inputs := m.Architecture.Inputs
	n := len(rows.X) / inputs
	if n == 0 || n*inputs != len(rows.X) {
		return nil, fmt.Errorf("there are %d input values; want rows of %d inputs", len(rows.X), inputs)
	}
	if rows.XScale != nil && len(rows.XScale) != inputs {
		return nil, fmt.Errorf("there are %d scalers of the inputs; want %d, or nil for none", len(rows.XScale), inputs)
	}
	numbers := rows.RowNumbers(inputs)
	if len(numbers) == 0 {
		return nil, errors.New("there are no rows to predict")
	}
	for _, r := range numbers {
		if r < 0 || int(r) >= n {
			return nil, fmt.Errorf("there is no row %d; the table has %d rows", r, n)
		}
	}
	return numbers, nil
}

// HasStd reports whether the predictions have standard deviations.
func (p *Predictions) HasStd() bool {
	return len(p.Values) == 0 || !math.IsNaN(p.Values[0].Std())
}

// Column returns the mean and the standard deviation of one target in all rows; std is nil if the
// predictions have none.
func (p *Predictions) Column(target int) (mean, std []float64) {
	for i := target; i < len(p.Values); i += p.Targets {
		mean = append(mean, p.Values[i].Mean())
		if p.HasStd() {
			std = append(std, p.Values[i].Std())
		}
	}
	return mean, std
}
