package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/models"
)

// OpenChanged reads the model in a directory as Open does, also if its files were changed since the
// model was written. It returns the paths of the changed files, and an error if a changed model cannot predict.
func OpenChanged(dir string) (m *Model, changed []string, err error) {
	loaded, changed, err := models.LoadChanged(dir)
	if err != nil {
		return nil, nil, err
	}
	m, err = decodeIn(dir, loaded)
	if err == nil && len(changed) > 0 {
		err = m.tryOut()
	}
	if err != nil {
		return nil, changed, fmt.Errorf("the changed model in %s cannot be used: %w", dir, err)
	}
	return m, changed, nil
}

// tryOut returns an error if the model cannot predict, since no checksum says that the parts of a changed model fit
// together: if its preparation makes other features than its inputs, or if a prediction of the means of the inputs, once
// in each group of the calibration, fails or panics.
func (m *Model) tryOut() (err error) {
	defer graph.Recover(&err, "a trial prediction")
	if m.Preparation != nil && !slices.Equal(m.Preparation.FeatureNames(), m.Inputs.Names()) {
		return errors.New("the features of its preparation are not its inputs")
	}
	rows := 1
	var groups []string
	if m.Calibration != nil && m.Calibration.GroupColumn != "" {
		rows = len(m.Calibration.Groups)
		for _, g := range m.Calibration.Groups {
			groups = append(groups, g.Value)
		}
	}
	converter, err := m.NewConverter(Outputs{})
	if err != nil {
		return err
	}
	p, err := evaluation.Predict(context.Background(), m.Model, data.Subset{X: slices.Repeat(m.Inputs.Means(), rows), XScale: m.Inputs}, m.Sampling)
	if err != nil {
		return err
	}
	if m.Calibration != nil {
		p = m.Calibration.Apply(p, groups)
	}
	_, err = converter.targetPredictions(p, rows)
	return err
}
