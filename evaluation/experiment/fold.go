package experiment

import (
	"context"
	"slices"
	"sync"
	"weak"

	"sml/data"
	"sml/data/preparation"
	"sml/graph"
	"sml/models"
	"sml/trainers"
)

// Table is a table that several experiments share: each fold of it is split and prepared
// only once. Several goroutines may use it at the same time.
type Table struct {
	*data.Table // without the rows of weight 0, which count like no rows

	read *data.Table // table as it was read, which is split before rows of weight 0 are left out

	lock  sync.Mutex
	folds map[foldKey]*fold
}

// NewTable returns t as a table that several experiments can share. The numbers of its rows in experiments are those
// of t.Weighted.
func NewTable(t *data.Table) *Table {
	weighted := t.Weighted()
	if weighted != t {
		weighted.TargetFields = dropAbsentClasses(weighted)
	}
	return &Table{Table: weighted, read: t, folds: make(map[foldKey]*fold)}
}

// dropAbsentClasses numbers the classes of a table's targets without the classes that no row has, and returns the
// fields with their labels.
func dropAbsentClasses(t *data.Table) []data.Field {
	fields := slices.Clone(t.TargetFields)
	for j := range fields {
		var labels []string
		for class, label := range fields[j].Categories {
			isPresent := false
			for i := j; i < len(t.Y); i += len(fields) {
				if t.Y[i] == float64(class) {
					isPresent = true
					t.Y[i] = float64(len(labels))
				}
			}
			if isPresent {
				labels = append(labels, label)
			}
		}
		fields[j].Categories = labels
	}
	return fields
}

// foldKey holds all settings that decide which rows an experiment trains on, holds out and
// calibrates on. If split is "", it trains on all rows.
type foldKey struct {
	split        string
	fold         int
	testFraction float64 // fraction of the rows to hold out; 0 unless the user can choose it for the split
	protocol     data.Protocol
	seed         uint64
	inner        trainers.Inner

	calibrationFraction float64 // fraction of the training rows that become calibration rows
	calibrationSeed     uint64  // seed of the choice of calibration rows

	classes  bool   // whether the targets are classes
	prepared bool   // whether the table needs a preparation
	options  string // preparation.Options as JSON, so that keys are comparable
}

// foldKey returns the settings that decide on the rows. Settings that have no effect are left at zero, so that
// experiments which differ only in them share a fold.
func (s Settings) foldKey() foldKey {
	k := foldKey{
		split:        s.Training.Split,
		fold:         s.Training.Fold,
		testFraction: s.Training.TestFraction,
		protocol:     s.Training.Protocol,
		seed:         s.Training.Seed,
		inner:        s.Training.Inner,
		classes:      s.Spec.Architecture.Classes > 0,
		prepared:     s.Table.Prepared() || s.Table.changesTargets(),
	}
	if s.SplitSeed != nil {
		k.seed = *s.SplitSeed
	}
	if s.Training.Calibrate > 0 {
		k.calibrationFraction = s.Training.Calibrate
		k.calibrationSeed = s.Training.FoldSeed()
	}
	if k.prepared {
		k.options = string(encodeJSON(s.Table.Options))
	}
	return k
}

// fold is a split of a table into training, calibration and test rows, with the preparation
// and the scalers that are fitted to its training rows.
type fold struct {
	lock     sync.Mutex
	computed bool  // whether compute has run to its end
	err      error // why the fold cannot be made; nil if it can

	rows Rows // experiments share them, so they must not be modified

	inputScalers, targetScalers data.Scalers // fitted to the training rows

	preparation *preparation.Preparation // fitted to the training rows; nil if the inputs are used unchanged
	table       weak.Pointer[data.Table] // prepared table; it is prepared again once no experiment uses it
}

// fold returns a fold and its prepared table. The first call computes them and keeps the fold, or the reason why it
// cannot be made, for later calls. If ctx ends meanwhile, fold returns ctx's error and a later call computes the fold.
func (t *Table) fold(ctx context.Context, k foldKey) (*fold, *data.Table, error) {
	f := t.foldEntry(k)
	f.lock.Lock()
	defer f.lock.Unlock()
	var prepared *data.Table
	var err error
	if f.computed {
		prepared, err = f.preparedTable(t.Table)
	} else {
		prepared, err = f.compute(ctx, t, k)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f.computed = true
	}
	if err != nil {
		f.err = err
		return nil, nil, err
	}
	f.table = weak.Make(prepared)
	return f, prepared, nil
}

// foldEntry returns the fold of this key, which need not be computed yet.
func (t *Table) foldEntry(k foldKey) *fold {
	t.lock.Lock()
	defer t.lock.Unlock()
	f := t.folds[k]
	if f == nil {
		f = new(fold)
		t.folds[k] = f
	}
	return f
}

// preparedTable returns the prepared table of a computed fold, or the error of the computation. It prepares t again if
// no experiment has used the table since, so that the garbage collector has freed it.
func (f *fold) preparedTable(t *data.Table) (*data.Table, error) {
	if f.err != nil {
		return nil, f.err
	}
	if f.preparation == nil {
		return t, nil
	}
	if prepared := f.table.Value(); prepared != nil {
		return prepared, nil
	}
	prepared, _, err := f.preparation.Table(t)
	return prepared, err
}

// compute sets the rows, the preparation and the scalers of the fold, and returns the prepared table.
func (f *fold) compute(ctx context.Context, table *Table, k foldKey) (prepared *data.Table, err error) {
	defer graph.Recover(&err, "the split "+k.split)
	var options preparation.Options
	f.rows, options, err = table.chooseRows(ctx, k)
	if err != nil {
		return nil, err
	}
	t := table.Table
	if err := checkTargets(t, f.rows.Train, k.classes); err != nil {
		return nil, err
	}
	prepared = t
	hasTexts := t.Fields != nil
	if k.prepared || hasTexts {
		f.preparation, prepared, err = prepare(t, f.rows.Train, options)
		if err != nil {
			return nil, err
		}
	}
	f.inputScalers = data.FitScalers(prepared.X, prepared.Columns, f.rows.Train)
	if k.classes {
		f.targetScalers = data.IdentityScalers(t.Targets)
	} else {
		f.targetScalers = data.FitScalers(prepared.Y, prepared.Targets, f.rows.Train)
	}
	skipScaling(f.preparation, f.inputScalers)
	return prepared, nil
}

// checkTargets returns an error if a target is known in no training row, or if a target of numbers is outside the range that
// a training can represent.
func checkTargets(t *data.Table, training []int, areClasses bool) error {
	if err := checkKnownTargets(t, training); err != nil || areClasses {
		return err
	}
	return checkTargetRange(t)
}

// withInputs returns the spec with the inputs of the prepared table, with the columns that the network
// embeds, and with the inputs that it does not encode. It returns the spec unchanged without a preparation.
func withInputs(spec models.Spec, p *preparation.Preparation, prepared *data.Table) models.Spec {
	if p == nil {
		return spec
	}
	spec.Architecture.Inputs = len(prepared.Columns)
	spec.Architecture.Embeddings = nil
	for _, column := range p.OneHots() {
		if spec.Architecture.Embeds(column.Count) {
			embedding := models.Embedding{First: column.First, Categories: column.Count}
			spec.Architecture.Embeddings = append(spec.Architecture.Embeddings, embedding)
		}
	}
	spec.Architecture.Indicators = nil
	if !spec.Architecture.EncodesNumbers() {
		return spec
	}
	for i, feature := range p.Features() {
		if feature.SkipScaling { // an indicator, or a sine or cosine of a date
			spec.Architecture.Indicators = append(spec.Architecture.Indicators, i)
		}
	}
	return spec
}

// skipScaling sets the scalers of the features with SkipScaling, such as indicators of categories, to
// the mean 0 and the standard deviation 1, so that standardising does not change them. It does nothing without a
// preparation.
func skipScaling(p *preparation.Preparation, inputs data.Scalers) {
	if p == nil {
		return
	}
	for i, feature := range p.Features() {
		if feature.SkipScaling {
			inputs[i].Mean = 0
			inputs[i].Std = 1
		}
	}
}

// Rows holds the numbers of a table's training, calibration and test rows, each list
// ascending. A row is in at most one list.
type Rows struct {
	Train       []int
	Calibration []int
	Test        []int
}

// Rows returns the training, calibration and test rows of a table under these settings. It
// fails as Prepare does.
func (s Settings) Rows(ctx context.Context, t *Table) (rows Rows, err error) {
	defer graph.Recover(&err, "the split "+s.Training.Split)
	rows, _, err = t.chooseRows(ctx, s.foldKey())
	return rows, err
}
