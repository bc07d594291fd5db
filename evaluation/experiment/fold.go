package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"weak"

	"sml/data"
	"sml/data/split"
	"sml/graph"
	"sml/internal/preparation"
	"sml/models"
	"sml/trainers"
)

// Table is a table that experiments share: each fold that they cut it into is
// found once. Several goroutines may use one.
type Table struct {
	*data.Table

	lock  sync.Mutex
	folds map[foldKey]*fold
}

// Share lets experiments share a table.
func Share(t *data.Table) *Table { return &Table{Table: t, folds: make(map[foldKey]*fold)} }

// foldKey holds all settings that decide which rows an experiment trains on, holds out and
// calibrates on. If split is "", it trains on all rows.
type foldKey struct {
	split    string
	fold     int
	share    float64 // fraction of test rows, for splits that let the user choose it
	protocol data.Protocol
	seed     uint64
	inner    trainers.Inner

	calibrate     float64 // fraction of the training rows that become calibration rows
	calibrateSeed uint64  // seed of the choice of calibration rows

	classes  bool // whether the targets are classes
	prepared bool
	options  string // of the preparation, as JSON
}

func (s Settings) foldKey() foldKey {
	k := foldKey{
		split:    s.Training.Split,
		fold:     s.Training.Fold,
		share:    s.Training.TestShare,
		protocol: s.Training.Protocol,
		seed:     s.Training.Seed,
		inner:    s.Training.Inner,
		classes:  s.Spec.Architecture.Classes > 0,
		prepared: s.Table.Prepared() || s.Table.Transform != "",
	}
	if s.Training.Calibrate > 0 {
		k.calibrate, k.calibrateSeed = s.Training.Calibrate, s.Training.FoldSeed()
	}
	if k.prepared {
		k.options = string(encodeJSON(s.Table.Options))
	}
	return k
}

type fold struct {
	lock     sync.Mutex
	computed bool
	err      error // why the fold cannot be made; nil if it can

	test        []int        // test rows, ascending
	calibration []int        // calibration rows, ascending
	excluded    []int        // unused rows of an inner fold: the split's own test rows and, in a split by time, later rows
	x, y        data.Scalers // scales of the inputs and targets of the training rows

	preparation *preparation.Preparation // fitted to the training rows; nil if the inputs are used unchanged
	table       weak.Pointer[data.Table] // prepared table; it is prepared again once no experiment uses it
}

// fold returns a fold and its prepared table.
func (t *Table) fold(ctx context.Context, k foldKey) (*fold, *data.Table, error) {
	t.lock.Lock()
	f := t.folds[k]
	if f == nil {
		f = new(fold)
		t.folds[k] = f
	}
	t.lock.Unlock()
	f.lock.Lock()
	defer f.lock.Unlock()
	var table *data.Table
	switch {
	case !f.computed:
		table, f.err = f.compute(ctx, t.Table, k)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f.computed = true
	case f.err == nil && f.preparation != nil:
		table = f.table.Value()
		if table == nil {
			table, _, f.err = f.preparation.Table(t.Table)
		}
	default:
		table = t.Table
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	f.table = weak.Make(table)
	return f, table, nil
}

// find finds the fold, and returns its table.
func (f *fold) compute(ctx context.Context, t *data.Table, k foldKey) (table *data.Table, err error) {
	defer graph.Recover(&err, "the split "+k.split)
	train, o, err := f.chooseRows(ctx, t, k)
	if err != nil {
		return nil, err
	}
	table = t
	if k.prepared || t.Fields != nil {
		if f.preparation, table, err = prepare(t, train, o); err != nil {
			return nil, err
		}
	}
	f.x = data.FitScalers(table.X, table.Columns, train)
	f.y = data.UnitScalers(t.Targets)
	if !k.classes {
		f.y = data.FitScalers(table.Y, t.Targets, train)
	}
	keepIndicators(f.preparation, f.x)
	return table, nil
}

// rows sets the test, calibration and excluded rows of the fold. It returns the training rows, nil
// for all rows, and the options of their preparation.
func (f *fold) chooseRows(ctx context.Context, t *data.Table, k foldKey) (train []int, o preparation.Options, err error) {
	train, o, err = f.chooseTestRows(ctx, t, k)
	if err == nil && k.inner.Folds > 0 {
		train, err = f.applyInnerFold(t, k, train)
	}
	if err == nil && k.calibrate > 0 {
		train, f.calibration, err = splitCalibrationRows(t, k, train)
	}
	return train, o, err
}

// split sets the test rows of the fold. It returns all other rows, nil for all rows of the table,
// and the options of their preparation.
func (f *fold) chooseTestRows(ctx context.Context, t *data.Table, k foldKey) (train []int, o preparation.Options, err error) {
	fail := func(err error) ([]int, preparation.Options, error) { return nil, o, err }
	if k.options != "" {
		if err := json.Unmarshal([]byte(k.options), &o); err != nil {
			return fail(err)
		}
	}
	if k.split == "" {
		if t.TestRows > 0 {
			return fail(fmt.Errorf("%d rows of %s are of a file for testing, and nothing is to be tested; split by %s", t.TestRows, t.Name, split.TestFile))
		}
		return nil, o, nil
	}
	kind, err := split.Lookup(k.split)
	if err != nil {
		return fail(err)
	}
	o.PredictsFuture = kind.Column == "time"
	whole := t
	if t.Fields != nil && kind.Column == "" && t.TestRows == 0 && !kind.Blind { // it may be split by its inputs
		if _, whole, err = prepare(t, nil, o); err != nil {
			return fail(err)
		}
	}
	rows, err := kind.Rows(ctx, whole, split.Options{
		Fold:     k.fold,
		Share:    k.share,
		Protocol: k.protocol,
		Seed:     k.seed,
		ByClass:  k.classes,
	})
	if err != nil {
		return fail(err)
	}
	f.test = rows.Test
	if err := checkWeights(t, k, rows.Train, "trained on"); err != nil {
		return fail(err)
	}
	return rows.Train, o, checkWeights(t, k, f.test, "held out")
}

// prepare fits a preparation to some rows, nil for all, and applies it to the whole table.
func prepare(t *data.Table, rows []int, o preparation.Options) (*preparation.Preparation, *data.Table, error) {
	p, err := preparation.Fit(t, rows, o)
	if err != nil {
		return nil, nil, err
	}
	prepared, _, err := p.Table(t)
	return p, prepared, err
}

// spec returns s with the inputs of the prepared table.
func (f *fold) withInputs(s models.Spec, prepared *data.Table) (models.Spec, error) {
	s.Architecture.Inputs, s.Architecture.Texts = len(prepared.Columns), nil
	network, err := s.Network()
	if err != nil || !network.Embeds || f.preparation == nil {
		return s, err
	}
	for _, column := range f.preparation.OneHots() {
		s.Architecture.Texts = append(s.Architecture.Texts, models.Text{First: column.First, Categories: column.Count})
	}
	return s, nil
}

// keepIndicators sets the scale of indicators, and of other features with SkipScaling, to the mean 0 and
// the standard deviation 1, so that standardising does not change them.
func keepIndicators(p *preparation.Preparation, x data.Scalers) {
	if p == nil {
		return
	}
	for j, f := range p.Features() {
		if f.SkipScaling {
			x[j].Mean, x[j].Std = 0, 1
		}
	}
}

// Rows are the numbers of a table's training, calibration and test rows, each list ascending. A
// row is in one list at most.
type Rows struct {
	Train       []int
	Calibration []int
	Test        []int
}

// Rows returns the training, calibration and test rows of a table.
func (s Settings) Rows(ctx context.Context, t *data.Table) (rows Rows, err error) {
	defer graph.Recover(&err, "the split "+s.Training.Split)
	f := new(fold)
	if _, _, err := f.chooseRows(ctx, t, s.foldKey()); err != nil {
		return Rows{}, err
	}
	return f.partition(t.Rows()), nil
}

// partition returns the rows of the fold. rows is the number of rows of the table.
func (f *fold) partition(rows int) Rows {
	held := make([]bool, rows)
	for _, r := range slices.Concat(f.test, f.calibration, f.excluded) {
		held[r] = true
	}
	train := make([]int, 0, rows-len(f.test)-len(f.excluded)-len(f.calibration))
	for r, isHeld := range held {
		if !isHeld {
			train = append(train, r)
		}
	}
	return Rows{Train: train, Calibration: f.calibration, Test: f.test}
}
