package calibrate

import "sml/evaluation"

// CrossCalibrate returns the predictions of the rows, calibrated by cross-validation: the rows of each
// fold by a calibration that is fitted to the rows of the other folds. Row i is in fold i mod folds.
// CrossCalibrate returns the error of Fit.
func CrossCalibrate(r Rows, o Options, folds int) (*evaluation.Predictions, error) {
	var all *evaluation.Predictions // after the loop, each row has the calibration without its fold
	for fold := range folds {
		calibration, err := Fit(r.otherFolds(fold, folds), o)
		if err != nil {
			return nil, err
		}
		calibrated := calibration.Apply(r.Predictions, r.Groups)
		if all == nil {
			all = calibrated
			continue
		}
		for i := range all.Values {
			row := i / all.Targets
			if row%folds == fold {
				all.Values[i] = calibrated.Values[i]
			}
		}
	}
	return all, nil
}

// otherFolds returns the rows that are not in the given one of the folds.
func (r Rows) otherFolds(fold, folds int) Rows {
	p := r.Predictions
	others := Rows{Floors: r.Floors, Predictions: &evaluation.Predictions{
		Targets:    p.Targets,
		Samples:    p.Samples,
		Family:     p.Family,
		Components: p.Components,
	}}
	for row := range len(p.Values) / p.Targets {
		if row%folds == fold {
			continue
		}
		start := row * p.Targets // the targets of a row are side by side
		end := start + p.Targets
		others.Predictions.Values = append(others.Predictions.Values, p.Values[start:end]...)
		others.Y = append(others.Y, r.Y[start:end]...)
		if r.Weights != nil {
			others.Weights = append(others.Weights, r.Weights[row])
		}
		if r.Groups != nil {
			others.Groups = append(others.Groups, r.Groups[row])
		}
	}
	return others
}
