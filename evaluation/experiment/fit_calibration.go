package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"sml/evaluation"
	"sml/evaluation/calibrate"
	"sml/graph"
	"sml/models"
)

// calibrate fits a calibration of the trained model m and stores it in m: to the calibration rows, if the
// settings hold some out, or else to the validation rows of a cross-validation. Without either it does nothing.
// validationRows holds the row numbers by member.
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

// predictValidationRows returns all validation rows of a cross-validation, and their numbers. Each is predicted by
// the members of the ensemble that were not trained on it. Its target is moved towards the prediction (shrinkTargets),
// unless the calibration combines rows with the predictions of these members.
func (e *Experiment) predictValidationRows(ctx context.Context, m *Model, validationRows [][]int32, s evaluation.Sampling) (all calibrate.Rows, allNumbers []int, err error) {
	var spreads []memberSpread
	parts := divideByMembers(validationRows)
	foldsMatter := calibrate.FoldsMatter(e.Calibration.Kind)
	for fold, part := range parts {
		rows, partSpreads, err := e.predictByMembers(ctx, m, part.members, part.rows, s)
		if err != nil {
			return calibrate.Rows{}, nil, err
		}
		spreads = append(spreads, partSpreads...)
		if foldsMatter {
			rows.Folds = slices.Repeat([]int{fold}, len(part.rows))
			rows.FoldMembers = [][]int{part.members}
		}
		all = appendRows(all, rows)
		allNumbers = append(allNumbers, part.rows...)
	}
	if !foldsMatter && all.Predictions.Family.Classes == 0 {
		shrinkTargets(all, spreads, len(m.Members))
	}
	return all, allNumbers, nil
}

// memberSpread says how much the predictions of one target of one row by several members differ.
type memberSpread struct {
	members  float64 // number of members
	variance float64 // sample variance (n−1) of the members' means
	between  float64 // part of the variance of the joint prediction that is the variance between the members
}

// validationPart holds rows that the same members of an ensemble hold out.
type validationPart struct {
	members []int // indices, ascending
	rows    []int // numbers, ascending
}

// divideByMembers divides all validation rows by the members that hold them out. validationRows holds the row
// numbers by member.
func divideByMembers(validationRows [][]int32) []validationPart {
	type extension struct{ part, member int }
	parts := []validationPart{{}}         // part 0 has the rows that no member holds out
	extensions := make(map[extension]int) // part that holds a part's members and one more
	partOf := make([]int, 1+lastRow(validationRows))
	for member, rows := range validationRows {
		for _, row := range rows {
			key := extension{partOf[row], member}
			extended, ok := extensions[key]
			if !ok {
				extended = len(parts)
				extensions[key] = extended
				members := append(slices.Clone(parts[key.part].members), member)
				parts = append(parts, validationPart{members: members})
			}
			partOf[row] = extended
		}
	}
	for row, part := range partOf {
		parts[part].rows = append(parts[part].rows, row)
	}
	return slices.DeleteFunc(parts, func(p validationPart) bool { return len(p.members) == 0 || len(p.rows) == 0 })
}

// lastRow returns the largest of the row numbers, which are ascending for each member.
func lastRow(validationRows [][]int32) int {
	last := 0
	for _, rows := range validationRows {
		last = max(last, int(rows[len(rows)-1]))
	}
	return last
}

// predictByMembers returns the rows with these numbers with their predictions by some members of the ensemble m,
// and how much these members differ.
func (e *Experiment) predictByMembers(ctx context.Context, m *Model, members []int, numbers []int, s evaluation.Sampling) (calibrate.Rows, []memberSpread, error) {
	subset := e.Gather(m.Model, numbers)
	selected := selectMembers(m.Model, members)
	selected.KeepsMembers = calibrate.FoldsMatter(e.Calibration.Kind)
	joint, err := evaluation.Predict(ctx, selected, subset, s)
	if err != nil {
		return calibrate.Rows{}, nil, err
	}
	spreads := make([]memberSpread, len(joint.Values))
	n := float64(len(members))
	for _, member := range members {
		single, err := evaluation.Predict(ctx, selectMembers(m.Model, []int{member}), subset, s)
		if err != nil {
			return calibrate.Rows{}, nil, err
		}
		for i, v := range single.Values {
			spreads[i].members = n
			deviation := v.Mean() - joint.Values[i].Mean()
			spreads[i].variance += float64(deviation*deviation) / (n - 1)
			if single.HasStd() {
				difference := square(joint.Values[i].Std()) - square(v.Std())
				spreads[i].between += difference / n
			}
		}
	}
	rows, err := m.calibrationRows(e.table.Table, numbers, joint, e.Calibration)
	return rows, spreads, err
}

// square returns x², rounded to float64 before it is added to anything.
func square(x float64) float64 { return float64(x * x) }

// selectMembers returns a copy of the model with the members of these indices alone.
func selectMembers(m *models.Model, members []int) *models.Model {
	selected := *m
	selected.Members = make([]*graph.Params, len(members))
	selected.Stored = nil
	for i, member := range members {
		selected.Members[i] = m.Members[member]
		if m.Stored != nil {
			selected.Stored = append(selected.Stored, m.Stored[member])
		}
	}
	return &selected
}

// appendRows returns the rows of a, followed by the rows of b. The zero a has no rows.
func appendRows(a, b calibrate.Rows) calibrate.Rows {
	if a.Predictions == nil {
		return b
	}
	a.Predictions.Values = append(a.Predictions.Values, b.Predictions.Values...)
	a.Y = append(a.Y, b.Y...)
	a.Weights = append(a.Weights, b.Weights...)
	a.Groups = append(a.Groups, b.Groups...)
	a.Folds = append(a.Folds, b.Folds...)
	a.FoldMembers = append(a.FoldMembers, b.FoldMembers...)
	return a
}

// shrinkTargets multiplies the residuals of rows by a factor for each target. Each row is predicted by some of all
// members of an ensemble; the shrunk residuals are as large, in standard deviations, as the residuals of the
// whole ensemble. Two effects of the number of members m are removed, by their means over the rows:
//
//   - The squared error is b² + s²/m, with the variance s² of one member's mean (Krogh and Vedelsby 1995,
//     equation 7). It is at least m/all of the squared error, which is its value without noise and bias.
//   - The variance between the members, a part of the predicted variance, grows as 1 − 1/m.
func shrinkTargets(rows calibrate.Rows, spreads []memberSpread, all int) {
	p := rows.Predictions
	for target := range p.Targets {
		var squaredError, excessError float64     // sums over the rows; the excess is what the whole ensemble removes
		var predicted, additionalVariance float64 // sums over the rows; the addition is what the whole ensemble predicts besides
		fewest := float64(all)                    // smallest number of members that predict a row
		for i := target; i < len(p.Values); i += p.Targets {
			spread := spreads[i]
			squaredError += square(rows.Y[i] - p.Values[i].Mean())
			excessError += float64((1/spread.members - 1/float64(all)) * spread.variance)
			if p.HasStd() {
				predicted += square(p.Values[i].Std())
				growth := (1-1/float64(all))/(1-1/spread.members) - 1
				additionalVariance += float64(growth * spread.between)
			}
			fewest = min(fewest, spread.members)
		}
		if squaredError == 0 {
			continue
		}
		errorRatio := max(1-excessError/squaredError, fewest/float64(all))
		varianceRatio := 1.0
		if predicted > 0 {
			varianceRatio += max(0, additionalVariance) / predicted
		}
		factor := math.Sqrt(errorRatio / varianceRatio)
		for i := target; i < len(p.Values); i += p.Targets {
			mean := p.Values[i].Mean()
			rows.Y[i] = mean + float64(factor*(rows.Y[i]-mean))
		}
	}
}
