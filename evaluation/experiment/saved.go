package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sml/data"
	"sml/data/preparation"
	"sml/evaluation"
	"sml/internal/strict"
	"sml/models"
)

// Of returns the settings that a model was trained with, without Settings.Prediction. A
// model that keeps no settings has its spec alone. Of returns an error if model.json has a
// setting that does not exist, lacks one or has one twice.
func Of(m *models.Model) (Settings, error) {
	s := Settings{Spec: m.Spec}
	err := readPart("data", m.Data, &s.Table)
	if err == nil {
		err = readPart("training", m.Training, &s.Training)
	}
	return s, err
}

// readPart decodes a part of model.json strictly. Without the part it changes nothing.
func readPart(name string, text json.RawMessage, to any) error {
	if len(text) == 0 {
		return nil
	}
	if err := strict.Unmarshal(text, to); err != nil {
		return fmt.Errorf("model.json: %s: %w", name, err)
	}
	return nil
}

// PreparationOf returns the preparation of a model's inputs. It is nil if the model takes
// the columns Model.Inputs of a table unchanged; a nil preparation's methods may be called.
func PreparationOf(m *models.Model) (*preparation.Preparation, error) {
	if m.Preparation == nil {
		return nil, nil
	}
	p := new(preparation.Preparation)
	if err := strict.Unmarshal(m.Preparation, p); err != nil {
		return nil, fmt.Errorf("model.json: preparation: %w", err)
	}
	if err := p.Check(len(m.Targets)); err != nil {
		return nil, fmt.Errorf("model.json: preparation: %w", err)
	}
	if names := p.FeatureNames(); !slices.Equal(names, models.ColumnNames(m.Inputs)) {
		return nil, errors.New("model.json: what the preparation makes are not the model's inputs")
	}
	if err := models.CheckColumnNames(p.TableColumns(), models.ColumnNames(m.Targets)); err != nil {
		return nil, fmt.Errorf("model.json: %w", err)
	}
	return p, nil
}

// TransformsOf returns what a model's targets were put through, one of each; nil: they
// are as they are.
func TransformsOf(m *models.Model) ([]evaluation.Transform, error) {
	p, err := PreparationOf(m)
	if err != nil || p == nil {
		return nil, err
	}
	var list []evaluation.Transform
	for _, t := range p.Targets {
		list = append(list, t)
	}
	return list, nil
}

// prepareAs prepares the table in another way than fitted, nil: it is as it was read.
func (e *Experiment) prepareAs(p *preparation.Preparation) (err error) {
	prepared := e.table.Table
	if p != nil {
		if prepared, _, err = p.Table(e.table.Table); err != nil {
			return err
		}
	}
	e.prepared, e.fold = prepared, &fold{test: e.fold.test, calibration: e.fold.calibration, left: e.fold.left, preparation: p, x: e.fold.x, y: e.fold.y}
	e.Spec, err = e.fold.spec(e.Spec, prepared)
	return err
}

// Rows are the rows of an experiment by what they are for, ascending: every row of the
// table is in one of the three.
type Rows struct{ Train, Calibration, Test []int }

// Rows returns the rows of a table that settings train on, those that they calibrate on
// and those that they hold out.
func (s Settings) Rows(ctx context.Context, t *data.Table) (rows Rows, err error) {
	defer panicked(&err, "the split "+s.Training.Split)
	f := new(fold)
	if _, _, err := f.rows(ctx, t, s.foldKey()); err != nil {
		return Rows{}, err
	}
	return Rows{Train: f.train(t.Rows()), Test: f.test, Calibration: f.calibration}, nil
}
