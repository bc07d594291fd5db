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

// CrossCRPS returns the mean CRPS of the rows in the unit of their only target, by the rows' weights. A calibration of
// other rows calibrates each row (CrossCalibrate). Of more than 2,000 rows, 2,000 are scored, evenly spread over them.
func CrossCRPS(r Rows, o Options) (float64, error) {
	n := len(r.Y)
	r = r.selectRows(func(row int) bool { return row*maxPowerRows/n != (row+1)*maxPowerRows/n || n <= maxPowerRows })
	p, err := CrossCalibrate(r, o, powerFolds)
	if err != nil {
		return 0, err
	}
	s := r.sample(0, r.all())
	sum, weights := 0.0, 0.0
	for row, prediction := range p.Values {
		crps := s.Unit.Convert(prediction).CRPS(s.inUnit(row))
		sum += float64(s.weight(row) * crps)
		weights += s.weight(row)
	}
	return sum / weights, nil
}
