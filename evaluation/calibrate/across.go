package calibrate

import "sml/evaluation"

// Across returns predictions of rows, each calibrated by rows of which it is none: those
// of the other of so many folds. Row i is of fold i mod folds. An error is one of Fit.
func CrossCalibrate(r Rows, o Options, folds int) (*evaluation.Predictions, error) {
	p := r.Predictions
	rows := len(p.Values) / p.Targets
	var all *evaluation.Predictions
	for fold := range folds {
		part := Rows{Predictions: &evaluation.Predictions{Targets: p.Targets, Samples: p.Samples, Family: p.Family, Components: p.Components}}
		for row := range rows {
			if row%folds == fold {
				continue
			}
			from, to := row*p.Targets, (row+1)*p.Targets
			part.Predictions.Values = append(part.Predictions.Values, p.Values[from:to]...)
			part.Y = append(part.Y, r.Y[from:to]...)
			if r.Weights != nil {
				part.Weights = append(part.Weights, r.Weights[row])
			}
			if r.By != nil {
				part.By = append(part.By, r.By[row])
			}
		}
		c, err := Fit(part, o)
		if err != nil {
			return nil, err
		}
		said := c.Apply(p, r.By)
		if all == nil {
			all = said
			continue
		}
		for i := range all.Values {
			if i/p.Targets%folds == fold {
				all.Values[i] = said.Values[i]
			}
		}
	}
	return all, nil
}
