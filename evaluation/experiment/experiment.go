// Package experiment trains, calibrates and evaluates models, and predicts rows with saved
// ones; the command line program and whoever embeds it run the same steps, so that the same
// settings give the same bytes. Start with the package example, which trains and evaluates a
// model, and with Open and Model.Predict, which predict rows with a saved model. The package
// defines no method, network or measure, and does not print.
//
// The steps are
//
//	settings → table → split → prepare → train → calibrate → predict → evaluate → save
package experiment

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"sml/data"
	"sml/data/preparation"
	"sml/data/split"
	"sml/evaluation"
	"sml/graph"
	"sml/models"
	"sml/models/methods"
)

// Experiment is a training before it runs: its settings and its split and prepared table.
type Experiment struct {
	Settings         // with all defaults filled in
	Rows     Rows    // numbers of the rows in the table; without a split there are no test rows
	Parent   *Parent // model that provides the initial weights; nil if they are random

	// Inputs and Targets have the mean and standard deviation of each column. They are
	// fitted to the training rows, or taken from the parent.
	Inputs, Targets data.Scalers

	table       *Table                   // table as it was read
	preparation *preparation.Preparation // of inputs and targets; nil if they are used unchanged
	prepared    *data.Table              // table with its inputs and targets prepared
	initial     []*graph.Params          // initial weights of each ensemble member; nil to draw them from the seed

	// ranges has the range of each input column as it was read. Release fills it; before,
	// it is nil.
	ranges []models.ColumnRange
}

// Prepare splits a table by the settings and fits the preparation and the scalers of its
// columns to the training rows. It sets the number of network inputs if the table needs a
// preparation.
//
// Prepare returns an error that wraps split.ErrEmptyFold if the split has no such fold,
// calibrate.ErrTooFew if there are too few calibration rows, and the error of ctx if it has
// ended. It also returns an error if all training rows or all test rows have the weight 0.
func Prepare(ctx context.Context, s Settings, t *Table) (*Experiment, error) {
	s, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	fold, prepared, err := t.fold(ctx, s.foldKey())
	if err != nil {
		return nil, err
	}
	if err := s.checkCalibration(t.Table, fold.rows); err != nil {
		return nil, err
	}
	s.Spec = withInputs(s.Spec, fold.preparation, prepared)
	if err := checkNetworkSize(s.Spec.Architecture, prepared); err != nil {
		return nil, err
	}
	if err := checkClasses(s, t.Table, fold.rows.Train); err != nil {
		return nil, err
	}
	s.Spec.PartlyKnown = t.LacksTargets(fold.rows.Train)
	return &Experiment{
		Settings:    s,
		Rows:        fold.rows,
		table:       t,
		preparation: fold.preparation,
		prepared:    prepared,
		Inputs:      fold.inputScalers,
		Targets:     fold.targetScalers,
	}, nil
}

// checkNetworkSize returns an error unless the network has as many inputs and targets as
// the prepared table.
func checkNetworkSize(a models.Architecture, prepared *data.Table) error {
	if a.Inputs == len(prepared.Columns) && a.Targets == len(prepared.Targets) {
		return nil
	}
	return fmt.Errorf("a network of %d inputs and %d targets does not fit %s, which has %d and %d",
		a.Inputs, a.Targets, prepared.Name, len(prepared.Columns), len(prepared.Targets))
}

// Release frees the inputs as they were read if the experiment has prepared copies of them,
// so that a large table is in memory only once. After Release no other experiment may use
// the table, and StartFrom and Resume must not be called.
func (e *Experiment) Release() {
	// A preparation that changes only targets leaves the inputs in the table's memory.
	inputsAreShared := len(e.table.X) == 0 || &e.prepared.X[0] == &e.table.X[0]
	if e.preparation == nil || inputsAreShared {
		return
	}
	e.ranges = e.inputRanges()
	released := e.table.WithInputs(e.table.Columns, nil)
	e.table = &Table{Table: released, read: released}
	runtime.GC() // frees the memory now; otherwise the heap doubles first
}

// Data returns the table as it was read, without the rows of weight 0. It has no inputs after Release.
func (e *Experiment) Data() *data.Table { return e.table.Table }

// Folds returns the number of folds of the split, or 0 if there is no split.
func (e *Experiment) Folds() int {
	kind, err := split.Lookup(e.Training.Split)
	if err != nil {
		return 0
	}
	folds, _ := kind.CountFolds(e.table.read) // Prepare has divided the rows into them
	return folds
}

// TargetsOf returns the transformed targets of the rows with these numbers.
func (e *Experiment) TargetsOf(numbers []int) []float64 { return e.prepared.TargetsOf(numbers) }

// Preparation returns the preparation of the inputs, or nil if they are used unchanged.
func (e *Experiment) Preparation() *preparation.Preparation { return e.preparation }

// ErrNetworkDiffers is wrapped by the error of StartFrom if the model has another network
// than the experiment, so that its weights would mean something else.
var ErrNetworkDiffers = errors.New("its network differs")

// StartFrom makes the training begin with the weights, the preparation and the scalers of
// model m. It returns an error if the model has other columns, an error that wraps
// ErrNetworkDiffers if it has another network, and an error if the model was trained on
// rows that the experiment calibrates on, as far as its TrainingRows tell.
func (e *Experiment) StartFrom(m *Model) error {
	if err := e.checkParent(m); err != nil {
		return err
	}
	if err := e.usePreparation(m.Preparation); err != nil {
		return err
	}
	if err := e.checkParentEmbeddings(m); err != nil {
		return err
	}
	sum, err := m.WeightsSum()
	if err != nil {
		return err
	}
	e.Parent = &Parent{Parent: models.Parent{Model: e.InitFrom, Weights: sum}, Rows: m.TrainingRows}
	e.initial = m.Members
	e.Inputs = m.Inputs
	e.Targets = m.Targets
	return e.checkCalibrationRows(m)
}

// usePreparation prepares the table by p in place of the preparation that was fitted to the
// training rows. If p is nil, the table is used as it was read.
func (e *Experiment) usePreparation(p *preparation.Preparation) error {
	prepared := e.table.Table
	if p != nil {
		var err error
		prepared, _, err = p.Table(e.table.Table)
		if err != nil {
			return err
		}
	}
	e.prepared = prepared
	e.preparation = p
	e.Spec = withInputs(e.Spec, p, prepared)
	return nil
}

// checkParent returns an error unless the model has the experiment's columns, classes and
// network.
func (e *Experiment) checkParent(m *Model) error {
	if err := e.checkParentColumns(m); err != nil {
		return err
	}
	network, err := m.Network()
	if err != nil {
		return err
	}
	wantNetwork, err := e.Spec.Network()
	if err != nil {
		return err
	}
	got, want := m.Architecture, e.Spec.Architecture
	switch {
	case network.Name != wantNetwork.Name:
		return fmt.Errorf("%w: it is %s; want %s", ErrNetworkDiffers, network.Name, wantNetwork.Name)
	case got.Outputs != want.Outputs:
		method := e.Spec.Method
		return fmt.Errorf("%w: its method, %s, has %d network outputs and %s has %d; start from a model of %s",
			ErrNetworkDiffers, m.Method, got.Outputs, method, want.Outputs, method)
	case got.Bins != want.Bins:
		return fmt.Errorf("%w: it encodes inputs in %d bins; want %d", ErrNetworkDiffers, got.Bins, want.Bins)
	case got.Periodic != want.Periodic:
		return fmt.Errorf("%w: it has %d frequencies for each input; want %d", ErrNetworkDiffers, got.Periodic, want.Periodic)
	case got.Copies != want.Copies:
		return fmt.Errorf("%w: it has %d copies; want %d", ErrNetworkDiffers, got.Copies, want.Copies)
	case !slices.Equal(got.Hidden, want.Hidden) || got.Activation != want.Activation:
		return fmt.Errorf("%w: it has hidden layers of %v units with %s; want %v with %s",
			ErrNetworkDiffers, got.Hidden, got.Activation, want.Hidden, want.Activation)
	}
	return nil
}

// checkParentEmbeddings returns an error unless the model embeds the same columns as the experiment, in as
// many numbers. The experiment must have the model's preparation.
func (e *Experiment) checkParentEmbeddings(m *Model) error {
	got, want := m.Architecture, e.Spec.Architecture
	if slices.Equal(got.Embeddings, want.Embeddings) && (len(want.Embeddings) == 0 || got.EmbeddingWidth == want.EmbeddingWidth) {
		return nil
	}
	return fmt.Errorf("%w: it embeds categories in %d numbers; want %d", ErrNetworkDiffers, got.EmbeddingWidth, want.EmbeddingWidth)
}

// checkParentColumns returns an error unless the model has the input columns, target columns
// and classes of the experiment's table.
func (e *Experiment) checkParentColumns(m *Model) error {
	columns := m.tableColumns()
	targets := m.Targets.Names()
	if !slices.Equal(columns, e.table.Columns) || !slices.Equal(targets, e.table.Targets) {
		return fmt.Errorf("its columns are %s for %s, but %s has %s for %s; they must be the same in the same order",
			strings.Join(columns, ", "), strings.Join(targets, ", "),
			e.table.Name, strings.Join(e.table.Columns, ", "), strings.Join(e.table.Targets, ", "))
	}
	tableLabels := classLabels(e.table.Table)
	if !slices.EqualFunc(m.Labels, tableLabels, slices.Equal) {
		return fmt.Errorf("its classes are %v, but %s has %v", m.Labels, e.table.Name, tableLabels)
	}
	return nil
}

// Resume sets the preparation, the scalers and the parent of an interrupted training that started from a
// model. The weights are in its checkpoint. It returns an error if the columns do not fit the table.
func (e *Experiment) Resume(p *preparation.Preparation, inputs, targets data.Scalers, parent *Parent) error {
	if err := e.usePreparation(p); err != nil {
		return err
	}
	if !slices.Equal(inputs.Names(), e.prepared.Columns) || !slices.Equal(targets.Names(), e.table.Targets) {
		return errors.New("the columns of the interrupted training differ from the table's columns")
	}
	e.Inputs = inputs
	e.Targets = targets
	e.Parent = parent
	return nil
}

// Sampling returns how the experiment's settings sample predictions.
func (e *Experiment) Sampling() evaluation.Sampling {
	sampling := evaluation.Sampling{
		Samples: e.Prediction.Samples,
		Seed:    e.Training.FoldSeed(),
		Engine:  e.Training.Engine,
		Moments: e.Prediction.Moments,
	}
	if e.Prediction.Mode == SubNetworkMode {
		sampling.Predict = methods.PredictSubNetworks
	}
	return sampling
}

// Gather returns the prepared rows with these numbers, to be standardised by the scalers of
// model m.
func (e *Experiment) Gather(m *models.Model, numbers []int) data.Subset {
	return e.prepared.Subset(numbers, m.Inputs, m.Targets)
}

// Evaluate predicts the rows with these numbers and scores the predictions by the measures
// of the settings. Rows count by their weights, if the table has any.
//
// If the model is calibrated, the scores and the returned predictions are calibrated, and
// Evaluation.Uncalibrated has the scores without the calibration. s must be the result of Sampling, except
// for its Workers and Progress. Evaluate returns a *evaluation.NotFiniteError if a
// prediction is not finite.
func (e *Experiment) Evaluate(ctx context.Context, m *models.Model, numbers []int, s evaluation.Sampling) (evaluation.Evaluation, *evaluation.Predictions, error) {
	predictions, err := evaluation.Predict(ctx, m, e.Gather(m, numbers), s)
	if err != nil {
		return evaluation.Evaluation{}, nil, err
	}
	decoded, err := Decode(m)
	if err != nil {
		return evaluation.Evaluation{}, nil, err
	}
	return decoded.Evaluate(e.table.Table, numbers, predictions, e.Training.Protocol, e.Prediction.Measures)
}
