package calibrate

import "sml/evaluation"

// CrossCalibrate returns the predictions of the rows, calibrated by cross-validation: the rows of each
// fold by a calibration that is fitted to the rows of the other folds. Row i is in fold i mod folds.
// CrossCalibrate returns the error of Fit.
func CrossCalibrate(r Rows, o Options, folds int) (*evaluation.Predictions, error) {
	var all *evaluation.Predictions // after the loop, each row has the calibration without its fold
	for fold := range folds {
		calibration, err := Fit(r.selectRows(func(row int) bool { return row%folds != fold }), o)
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
