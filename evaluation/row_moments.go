package evaluation

import (
	"sml/data"
	"sml/models"
)

// newRowMoments has room for what one network says about a row, for each target,
// and what is the same for all rows; draws are the caller's.
func newRowMoments(m *models.Model, method models.Method, levels []float64) []models.Moments {
	all := make([]models.Moments, m.Architecture.Targets)
	for target := range all {
		d := models.Moments{Full: make([]float64, method.Outputs), Target: target, Scale: data.Scaler{Std: 1}, Levels: levels, All: all}
		if method.Stochastic {
			d.Mean, d.Std = make([]float64, method.Outputs), make([]float64, method.Outputs)
		}
		if target < len(m.Targets) {
			d.Scale = m.Targets[target]
		}
		all[target] = d
	}
	return all
}
