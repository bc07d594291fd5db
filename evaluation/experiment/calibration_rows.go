package experiment

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/internal/portable"
	"sml/models"
)

// calibrationSampleSeed is the seed of the choice of the calibration rows that a model keeps.
const calibrationSampleSeed = 1

// FitCalibration fits a calibration to rows of a table as it was read and to the model's
// predictions p of these rows, and returns it with the rows that the model keeps (SetCalibration).
// numbers has the rows' numbers in the table, nil for all rows, and inputs has the same rows as they were
// predicted. The model must not have been trained on these rows (see TrainingOverlap).
func (m *Model) FitCalibration(t *data.Table, numbers []int, inputs data.Subset, p *evaluation.Predictions, o calibrate.Options) (*calibrate.Calibration, *models.CalibrationRows, error) {
	rows, err := m.calibrationRows(t, numbers, p, o)
	if err != nil {
		return nil, nil, err
	}
	calibration, err := calibrate.Fit(rows, o)
	if err != nil {
		return nil, nil, err
	}
	kept, err := keepCalibrationRows(calibration, rows, inputs)
	return calibration, kept, err
}

// keepCalibrationRows returns the rows of a calibration that a model keeps: all of them, or a random sample if they
// are too many. It returns nil if the calibration has no scores. inputs has the inputs of the rows.
func keepCalibrationRows(c *calibrate.Calibration, rows calibrate.Rows, inputs data.Subset) (*models.CalibrationRows, error) {
	scores, err := c.Scores(rows)
	if errors.Is(err, calibrate.ErrNoScores) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	columns := len(inputs.XScale)
	perRow := rows.Predictions.Targets * c.ScoresPerTarget()
	count := len(scores) / perRow
	sample := portable.Perm(rand.New(rand.NewPCG(calibrationSampleSeed, 0)), count)
	sample = sample[:min(count, models.MaxCalibrationRows(columns, perRow))]
	slices.Sort(sample)
	numbers := inputs.RowNumbers(columns)
	var features, keptScores, keptWeights []float64
	weights := rows.MeanWeights()
	for _, row := range sample {
		number := int(numbers[row])
		features = appendStandardised(features, inputs.X[number*columns:(number+1)*columns], inputs.XScale)
		for _, score := range scores[row*perRow : (row+1)*perRow] {
			keptScores = append(keptScores, clipFloat32(score))
		}
		if weights != nil {
			keptWeights = append(keptWeights, clipFloat32(weights[row]))
		}
	}
	return models.NewCalibrationRows(len(sample), features, keptScores, keptWeights)
}

// appendStandardised appends the standardised features of rows to dst, as CalibrationRows holds them.
func appendStandardised(dst, features []float64, scalers data.Scalers) []float64 {
	for i, v := range features {
		scaler := scalers[i%len(scalers)]
		dst = append(dst, clipFloat32((v-scaler.Mean)/scaler.Std))
	}
	return dst
}

// clipFloat32 returns x, or the nearest finite float32 if x is beyond it: an error would lose the training, and
// numbers so large are all the same to a calibration.
func clipFloat32(x float64) float64 { return max(-math.MaxFloat32, min(math.MaxFloat32, x)) }
