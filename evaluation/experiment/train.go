package experiment

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"sml/data/preparation"
	"sml/models"
	"sml/trainers"
)

// Trained is a trained model with the warnings of its training.
type Trained struct {
	*models.Model
	Experiment *Experiment
	Warnings   []string
	Choice     *MethodChoice // how TrainBetter chose the method; nil if it had no choice

	heldOut *heldOutRows // nil if the model is not calibrated
}

// Train trains the model and calibrates it if the settings say so. The options do not change
// the result unless o.AfterStep stops the training; Train sets o.Initial itself. It returns an
// error if a step diverges, if ctx ends or if too few rows are left to calibrate on.
func (e *Experiment) Train(ctx context.Context, o trainers.Options) (*Trained, error) {
	if err := e.checkFrozenUnits(); err != nil {
		return nil, err
	}
	if err := e.checkMemory(o); err != nil {
		return nil, err
	}
	if e.memory(cmp.Or(o.Workers, runtime.GOMAXPROCS(0))) >= largeTraining {
		defer collectOften()()
	}
	o.Initial = e.initial
	o.MeasuredColumns = slices.DeleteFunc(slices.Clone(e.table.Extras), func(name string) bool { return !isMeasured(name) })
	if e.Training.ValidationMeasure != "" { // otherwise the loss chooses the best epoch
		scorer := e.newValidationScorer()
		defer scorer.close()
		o.ScoreValidation = scorer.score
		o.Progress = releaseAfter(o.Progress, scorer)
	}
	rows := e.prepared.Subset(e.Rows.Train, e.Inputs, e.Targets)
	rows.Separation = separationFor(e.table.Table, e.Training.Split, e.Spec.Architecture.Classes > 0)
	result, err := trainers.Train(ctx, e.Spec, rows, e.Training, o)
	if err != nil {
		return nil, err
	}
	m := result.Model(e.Spec, e.Inputs, e.Targets)
	e.describe(m)
	heldOut, err := e.calibrate(ctx, m, result.ValidationRows, o.Workers)
	if err != nil {
		return nil, err
	}
	return &Trained{
		Model:      m,
		Experiment: e,
		Warnings:   append(result.Warnings, e.absentClassWarnings()...),
		heldOut:    heldOut,
	}, nil
}

// releaseAfter returns report, which may be nil, with the release of what the scorer keeps for a member that has finished.
func releaseAfter(report func(trainers.Progress), scorer *validationScorer) func(trainers.Progress) {
	return func(p trainers.Progress) {
		if p.Finished {
			scorer.release(p.Member)
		}
		if report != nil {
			report(p)
		}
	}
}

// describe stores in m the facts about its table and training that model.json keeps.
func (e *Experiment) describe(m *models.Model) {
	if e.preparation != nil {
		m.Preparation = encodeJSON(e.preparation)
	}
	m.Ranges = e.inputRanges()
	m.Labels = classLabels(e.table.Table)
	m.Data = encodeJSON(e.Table)
	m.Training = encodeJSON(e.Training)
	m.TrainingRows = e.trainingRows()
	if e.Parent != nil {
		m.Parent = &e.Parent.Parent
	}
}

// checkFrozenUnits returns an error if a frozen model that the objective uses was trained in
// other units than its column names tell: on targets with another transform, or on
// categories in another order.
func (e *Experiment) checkFrozenUnits() error {
	frozen, err := e.Spec.FrozenModels()
	if err != nil {
		return err
	}
	for _, model := range frozen {
		p, err := decodePreparation(model.Preparation)
		if err != nil {
			return fmt.Errorf("the model in %s: %w", model.Dir, err)
		}
		if err := preparation.CheckSameUnits(p, e.preparation); err != nil {
			return fmt.Errorf("the model in %s was trained in other units: %w", model.Dir, err)
		}
	}
	return nil
}
