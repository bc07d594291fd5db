package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/models"
)

// calibrate fits a calibration of the trained model m and stores it in m: to the calibration rows, if the
// settings hold some out, or else to the validation rows of a cross-validation or a bootstrap. Without either it does
// nothing. validationRows holds the row numbers by member.
func (e *Experiment) calibrate(ctx context.Context, m *models.Model, validationRows [][]int32, workers int) error {
	if e.Calibration.Kind == "" {
		return nil
	}
	decoded, err := Decode(m)
	if err != nil {
		return err
	}
	sampling := e.Sampling()
	sampling.Workers = workers
	numbers := e.Rows.Calibration
	var rows calibrate.Rows
	if e.Training.Calibrate > 0 {
		rows, err = e.predictCalibrationRows(ctx, decoded, sampling)
	} else {
		rows, numbers, err = e.predictValidationRows(ctx, decoded, validationRows, sampling)
	}
	if err != nil {
		return fmt.Errorf("rows to calibrate on: %w", err)
	}
	calibration, err := calibrate.Fit(rows, e.Calibration)
	if err != nil {
		return e.Settings.calibrationError(err)
	}
	kept, err := keepCalibrationRows(calibration, rows, e.Gather(m, numbers))
	if err != nil {
		return err
	}
	decoded.SetCalibration(calibration, kept)
	return nil
}

// predictCalibrationRows returns the calibration rows with their predictions by the model.
func (e *Experiment) predictCalibrationRows(ctx context.Context, m *Model, s evaluation.Sampling) (calibrate.Rows, error) {
	p, err := evaluation.Predict(ctx, m.Model, e.Gather(m.Model, e.Rows.Calibration), s)
	if err != nil {
		return calibrate.Rows{}, err
	}
	return m.calibrationRows(e.table.Table, e.Rows.Calibration, p, e.Calibration)
}

// predictValidationRows returns the validation rows that calibrate the model, and their numbers. Each is predicted by
// the members of the ensemble that were not trained on it. Its target is moved towards the prediction (shrinkTargets),
// unless the calibration combines rows with the predictions of these members, or has a floor (noiseFloor).
func (e *Experiment) predictValidationRows(ctx context.Context, m *Model, validationRows [][]int32, s evaluation.Sampling) (calibrate.Rows, []int, error) {
	foldsMatter := calibrate.FoldsMatter(e.Calibration.Kind)
	parts := calibrationParts(validationRows, foldsMatter)
	var numbers []int
	var members [][]int // that predict each row
	for _, part := range parts {
		numbers = append(numbers, part.rows...)
		members = append(members, slices.Repeat([][]int{part.members}, len(part.rows))...)
	}
	predictor := *m.Model
	predictor.KeepsMembers = foldsMatter
	predictions, spreads, err := evaluation.PredictByMembers(ctx, &predictor, e.Gather(m.Model, numbers), members, s)
	if err != nil {
		return calibrate.Rows{}, nil, err
	}
	rows, err := m.calibrationRows(e.table.Table, numbers, predictions, e.Calibration)
	if err != nil {
		return calibrate.Rows{}, nil, err
	}
	if predictions.Family.Classes > 0 {
		return rows, numbers, nil
	}
	for target := range predictions.Targets {
		rows.Floors = append(rows.Floors, noiseFloor(rows, spreads, target))
	}
	if foldsMatter {
		for fold, part := range parts {
			rows.FoldMembers = append(rows.FoldMembers, part.members)
			rows.Folds = append(rows.Folds, slices.Repeat([]int{fold}, len(part.rows))...)
		}
		return rows, numbers, nil
	}
	shrinkTargets(rows, spreads, len(m.Members))
	return rows, numbers, nil
}

// noiseFloor returns the smallest standard deviation with which an ensemble may be calibrated for a target, or 0 if any
// may.
//
// Few members agree in some rows by chance. The residuals of these rows are then huge in predicted standard deviations,
// and would widen the intervals of all members together, which agree by chance less often. A variance between m members
// has the relative standard error √(2/(m−1)) if their predictions are normal; the floor is the root of three standard
// errors, as a mean over the rows by their weights. Where they are not above the mean predicted variance, other parts of the variance keep
// residuals small enough, and there is no floor.
func noiseFloor(rows calibrate.Rows, spreads []evaluation.Spread, target int) float64 {
	const standardErrors = 3
	p := rows.Predictions
	weights := rows.MeanWeights()
	var predicted, noise float64 // sums over the rows
	for i := target; i < len(p.Values); i += p.Targets {
		variance := square(p.Values[i].Std())
		between := spreads[i].Between
		if spreads[i].Points {
			between = variance
		}
		standardError := max(0, between) * math.Sqrt(2/float64(spreads[i].Members-1))
		weight := 1.0
		if weights != nil {
			weight = weights[i/p.Targets]
		}
		predicted += float64(weight * variance)
		noise += float64(weight * standardError)
	}
	floor := standardErrors * noise
	if !(floor > predicted) {
		return 0
	}
	return math.Sqrt(floor * float64(p.Targets) / float64(len(p.Values)))
}

// shrinkTargets multiplies the residuals of rows by a factor for each target and number of members that predict a row.
// The shrunk residuals are as large, in standard deviations, as the residuals of all members together. Two effects of
// the number of members are removed: see ensembleErrors.
func shrinkTargets(rows calibrate.Rows, spreads []evaluation.Spread, all int) {
	p := rows.Predictions
	for target := range p.Targets {
		if rows.Floors[target] > 0 { // it takes the place of most standard deviations, whatever the number of members
			continue
		}
		errors := estimateErrors(rows, spreads, target)
		for i := target; i < len(p.Values); i += p.Targets {
			factor := errors.shrinkage(spreads[i].Members, all)
			mean := p.Values[i].Mean()
			rows.Y[i] = mean + float64(factor*(rows.Y[i]-mean))
		}
	}
}

// ensembleErrors describes how the errors and the predicted variance of an ensemble depend on the number of members m,
// as means over rows:
//
//   - The squared error is bias + variance/m (Krogh and Vedelsby 1995, equation 7).
//   - The predicted variance is within + (1 − 1/m)·between: the variance between the members is a part of it.
type ensembleErrors struct {
	bias     float64 // squared error of many members: noise and squared bias
	variance float64 // variance of one member's mean
	within   float64 // predicted variance of one member
	between  float64 // predicted variance between many members
}

// estimateErrors returns the errors of one target, estimated from rows that two or more members predict each, by the
// rows' weights.
func estimateErrors(rows calibrate.Rows, spreads []evaluation.Spread, target int) ensembleErrors {
	p := rows.Predictions
	weights := rows.MeanWeights()
	var e ensembleErrors
	var squaredError, predicted, inverse float64 // means over the rows; inverse of 1/m
	for i := target; i < len(p.Values); i += p.Targets {
		n := float64(len(p.Values) / p.Targets)
		if weights != nil {
			n /= weights[i/p.Targets]
		}
		one := 1 / float64(spreads[i].Members)
		inverse += one / n
		squaredError += square(rows.Y[i]-p.Values[i].Mean()) / n
		e.variance += spreads[i].Variance / n
		if p.HasStd() {
			predicted += square(p.Values[i].Std()) / n
			e.between += spreads[i].Between / (1 - one) / n
		}
	}
	e.between = max(0, e.between)
	e.bias = max(0, squaredError-float64(inverse*e.variance))
	e.within = max(0, predicted-float64((1-inverse)*e.between))
	return e
}

// shrinkage returns the size of the residuals of all members, in standard deviations, divided by the size of the
// residuals of m of them.
func (e ensembleErrors) shrinkage(m, all int) float64 {
	one, ofAll := 1/float64(m), 1/float64(all)
	squaredError := e.bias + float64(one*e.variance)
	predicted := e.within + float64((1-one)*e.between)
	if squaredError == 0 || predicted == 0 {
		return 1
	}
	errorRatio := (e.bias + float64(ofAll*e.variance)) / squaredError
	varianceRatio := (e.within + float64((1-ofAll)*e.between)) / predicted
	return math.Sqrt(errorRatio / varianceRatio)
}

// square returns x², rounded to float64 before it is added to anything.
func square(x float64) float64 { return float64(x * x) }
