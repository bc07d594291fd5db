// Package experiment is the one way from settings to a judged model:
//
//	settings → table → split → scale → train → calibrate → predict → judge → save
//
// The train command, the cells of a study, the quickstart and whoever imports this
// package go it, so that the same settings give the same bytes whichever door they
// came in by.
package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"sml/data"
	"sml/evaluation"
	"sml/graph"
	"sml/internal/preparation"
	"sml/models"
	"sml/models/methods"
	"sml/trainers"
)

// Experiment is a training before its run: its settings, and its table, split and prepared.
type Experiment struct {
	Settings         // resolved
	Rows     Rows    // training, calibration and test rows of the table; without a split there are no test rows
	Parent   *Parent // model with the initial weights; nil if they are random

	// Inputs and Targets are the scales of the columns: the training rows' own, or the parent's.
	Inputs, Targets data.Scalers

	table    *Table
	fold     *fold
	prepared *data.Table     // the table with its inputs and targets prepared
	initial  []*graph.Params // initial weights of each ensemble member; nil to draw them from the seed

	ranges []models.ColumnRange // ranges of the inputs as they were read, kept by Release; nil before
}

// Prepare splits a table, and fits the preparation of the inputs and the scale of all columns
// to the training rows. It sets the number of inputs of the network of a prepared table.
//
// Prepare returns an error that wraps split.ErrEmptyFold if the split has no such fold,
// calibrate.ErrTooFew if there are too few calibration rows, and the error of ctx if it has
// ended. It also returns an error if the rows on one side of the fold all have the weight 0.
func Prepare(ctx context.Context, s Settings, t *Table) (*Experiment, error) {
	s, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	f, prepared, err := t.fold(ctx, s.foldKey())
	if err != nil {
		return nil, err
	}
	if err := s.checkCalibration(t.Table, f.calibration); err != nil {
		return nil, err
	}
	if f.preparation != nil {
		if s.Spec, err = f.withInputs(s.Spec, prepared); err != nil {
			return nil, err
		}
	}
	if a := s.Spec.Architecture; a.Inputs != len(prepared.Columns) || a.Targets != len(t.Targets) {
		return nil, fmt.Errorf("a network of %d inputs and %d targets does not fit %s, which has %d and %d", a.Inputs, a.Targets, t.Name, len(prepared.Columns), len(t.Targets))
	}
	rows := f.partition(t.Rows())
	if err := checkClasses(s, t.Table, rows.Train); err != nil {
		return nil, err
	}
	return &Experiment{
		Settings: s,
		Rows:     rows,
		table:    t,
		fold:     f,
		prepared: prepared,
		Inputs:   f.x,
		Targets:  f.y,
	}, nil
}

// Release frees the inputs as they were read if there are prepared inputs, so that a large table
// is in memory once. After Release no other experiment may use the table, and StartFrom and GoOn
// cannot prepare it again.
func (e *Experiment) Release() {
	if e.fold.preparation == nil || len(e.table.X) == 0 || &e.prepared.X[0] == &e.table.X[0] {
		return
	}
	e.ranges = e.inputRanges()
	e.table = Share(e.table.WithInputs(e.table.Columns, nil))
	runtime.GC() // frees the memory now, not only once the heap has doubled
}

// Data returns the table as it was read. It has no inputs after Release.
func (e *Experiment) Data() *data.Table { return e.table.Table }

// TargetsOf returns the transformed targets of the rows with these numbers.
func (e *Experiment) TargetsOf(numbers []int) []float64 { return e.prepared.TargetsOf(numbers) }

// Preparation returns the preparation of the inputs, or nil if they are used unchanged.
func (e *Experiment) Preparation() *preparation.Preparation { return e.fold.preparation }

// ErrOtherNetwork is wrapped by the error of a training that cannot start from a
// model, since its weights would mean something else.
var ErrNetworkDiffers = errors.New("its network is another")

// StartFrom makes the training begin with the weights, the preparation and the scale of a
// model. It returns an error if the model has another network or other columns, or if its
// TrainingRows show that it was trained on rows to calibrate on.
func (e *Experiment) StartFrom(m *Model) error {
	if err := e.checkParent(m); err != nil {
		return err
	}
	if err := e.usePreparation(m.Preparation); err != nil {
		return err
	}
	sum, err := m.WeightsSum()
	if err != nil {
		return err
	}
	e.Parent = &Parent{Parent: models.Parent{Model: e.InitFrom, Weights: sum}, Rows: m.TrainingRows}
	e.initial = m.Members
	e.Inputs, e.Targets = m.Inputs, m.Targets
	return e.checkCalibrationRows()
}

// prepareAs prepares the table by p instead of its own preparation. With a nil p the table
// stays as it was read.
func (e *Experiment) usePreparation(p *preparation.Preparation) (err error) {
	prepared := e.table.Table
	if p != nil {
		if prepared, _, err = p.Table(e.table.Table); err != nil {
			return err
		}
	}
	e.prepared = prepared
	e.fold = &fold{
		test:        e.fold.test,
		calibration: e.fold.calibration,
		excluded:    e.fold.excluded,
		preparation: p,
		x:           e.fold.x,
		y:           e.fold.y,
	}
	e.Spec, err = e.fold.withInputs(e.Spec, prepared)
	return err
}

// checkParent returns an error unless the model has the experiment's columns and network.
func (e *Experiment) checkParent(m *Model) error {
	has, want := m.Architecture, e.Spec.Architecture
	network, err := m.Network()
	if err != nil {
		return err
	}
	wanted, err := e.Spec.Network()
	if err != nil {
		return err
	}
	columns := m.tableColumns()
	switch {
	case !slices.Equal(columns, e.table.Columns) || !slices.Equal(m.Targets.Names(), e.table.Targets):
		return fmt.Errorf("its columns are %s for %s, and those of %s are %s for %s; they must be the same in the same order",
			strings.Join(columns, ", "), strings.Join(m.Targets.Names(), ", "),
			e.table.Name, strings.Join(e.table.Columns, ", "), strings.Join(e.table.Targets, ", "))
	case !slices.EqualFunc(m.Labels, classLabels(e.table.Table), slices.Equal):
		return fmt.Errorf("its classes are %v, and those of %s are %v", m.Labels, e.table.Name, classLabels(e.table.Table))
	case network.Name != wanted.Name:
		return fmt.Errorf("%w: it is %s, and not %s", ErrNetworkDiffers, network.Name, wanted.Name)
	case has.Outputs != want.Outputs:
		return fmt.Errorf("%w: its method, %s, has %d network outputs and %s has %d; start from a model of %[4]s", ErrNetworkDiffers, m.Method, has.Outputs, e.Spec.Method, want.Outputs)
	case !slices.Equal(has.Hidden, want.Hidden) || has.Activation != want.Activation:
		return fmt.Errorf("%w: hidden layers of %v units with %s, and not %v with %s", ErrNetworkDiffers, has.Hidden, has.Activation, want.Hidden, want.Activation)
	}
	return nil
}

// errOtherScale is the error of an interrupted training whose scale is not the scale of its
// training rows: its weights would get inputs in other units.
var errScaleDiffers = errors.New("the interrupted training standardises its columns by others than its own training rows")

// GoOn takes the preparation, the scale and the parent of an interrupted training, which
// has its weights already. A training without a parent has fitted preparation and scale to
// its own training rows: GoOn returns errOtherScale if the scale is another.
func (e *Experiment) Resume(p *preparation.Preparation, inputs, targets data.Scalers, parent *Parent) error {
	if e.InitFrom == "" {
		if !slices.Equal(e.Inputs, inputs) || !slices.Equal(e.Targets, targets) {
			return errScaleDiffers
		}
		return nil
	}
	if err := e.usePreparation(p); err != nil {
		return err
	}
	if !slices.Equal(inputs.Names(), e.prepared.Columns) || !slices.Equal(targets.Names(), e.table.Targets) {
		return errors.New("the columns of the interrupted training are not those of the table")
	}
	e.Inputs, e.Targets = inputs, targets
	e.Parent = parent
	return nil
}

// Trained is a trained model with the warnings of its training.
type Trained struct {
	*models.Model
	Experiment *Experiment
	Warnings   []string
}

// Train trains the model and calibrates it. No option changes the result, except for an
// o.AfterStep that stops the training; StartFrom sets o.From.
func (e *Experiment) Train(ctx context.Context, o trainers.Options) (*Trained, error) {
	if err := e.checkFrozenUnits(); err != nil {
		return nil, err
	}
	o.Initial = e.initial
	rows := e.prepared.Subset(e.Rows.Train, e.Inputs, e.Targets)
	rows.Separation = separationFor(e.table.Table, e.Training.Split, e.Spec.Architecture.Classes > 0)
	r, err := trainers.Train(ctx, e.Spec, rows, e.Training, o)
	if err != nil {
		return nil, err
	}
	m := r.Model(e.Spec, e.Inputs, e.Targets)
	if e.fold.preparation != nil {
		m.Preparation = encodeJSON(e.fold.preparation)
	}
	m.Ranges, m.Labels = e.inputRanges(), classLabels(e.table.Table)
	m.Data, m.Training = encodeJSON(e.Table), encodeJSON(e.Training)
	m.TrainingRows = e.trainingRows()
	if e.Parent != nil {
		m.Parent = &e.Parent.Parent
	}
	if e.Training.Calibrate > 0 {
		if err := e.calibrate(ctx, m, o.Workers); err != nil {
			return nil, err
		}
	}
	return &Trained{m, e, append(r.Warnings, e.absentClassWarnings()...)}, nil
}

// calibrate fits the calibration of a trained model to the calibration rows.
func (e *Experiment) calibrate(ctx context.Context, m *models.Model, workers int) error {
	s := e.Sampling()
	s.Workers = workers
	p, err := evaluation.Predict(ctx, m, e.Gather(m, e.Rows.Calibration), s)
	if err != nil {
		return fmt.Errorf("rows to calibrate on: %w", err)
	}
	decoded, err := Decode(m)
	if err != nil {
		return err
	}
	c, err := decoded.FitCalibration(e.table.Table, e.Rows.Calibration, p, e.Calibration)
	if err != nil {
		return e.Settings.calibrationError(err)
	}
	decoded.SetCalibration(c)
	return nil
}

// understands returns an error if a model that the objective looks at was trained on
// other units than its columns tell: targets through a transform, levels in another order.
func (e *Experiment) checkFrozenUnits() error {
	list, err := e.Spec.FrozenModels()
	if err != nil {
		return err
	}
	for _, f := range list {
		p, err := decodePreparation(f.Preparation, f.Inputs, f.Targets)
		if err == nil {
			err = preparation.CheckSameUnits(p, e.fold.preparation)
		}
		if err != nil {
			return fmt.Errorf("the model in %s was trained in other units: %w", f.Dir, err)
		}
	}
	return nil
}

// Sampling returns the settings of the experiment's predictions.
func (e *Experiment) Sampling() evaluation.Sampling {
	s := evaluation.Sampling{Samples: e.Prediction.Samples, Seed: e.Training.FoldSeed(), Engine: e.Training.Engine}
	if e.Prediction.Mode == SubNetworkMode {
		s.Predict = methods.SubNetworks
	}
	return s
}

// Gather returns the rows with these numbers as a model's inputs and targets.
func (e *Experiment) Gather(m *models.Model, numbers []int) data.Subset {
	return e.prepared.Subset(numbers, m.Inputs, m.Targets)
}

// Judge predicts the rows with these numbers and scores the predictions, with the rows' weights if
// there are any. If the model is calibrated, Judge calibrates the predictions;
// Evaluation.Uncalibrated has the scores of the predictions before. Only s.Workers and s.Progress
// may differ from Sampling.
func (e *Experiment) Evaluate(ctx context.Context, m *models.Model, numbers []int, s evaluation.Sampling) (evaluation.Evaluation, *evaluation.Predictions, error) {
	p, err := evaluation.Predict(ctx, m, e.Gather(m, numbers), s)
	if err != nil {
		return evaluation.Evaluation{}, nil, err
	}
	decoded, err := Decode(m)
	if err != nil {
		return evaluation.Evaluation{}, nil, err
	}
	return decoded.Evaluate(e.table.Table, numbers, p, e.Training.Protocol, e.Prediction.Measures)
}
