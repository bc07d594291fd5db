package experiment

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"sml/data"
	"sml/graph"
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

// foldKey is what the rows of an experiment follow from. No split is all rows.
type foldKey struct {
	split    string
	fold     int
	protocol data.Protocol
	seed     uint64
}

func (s Settings) foldKey() foldKey {
	return foldKey{s.Training.Split, s.Training.Fold, s.Training.Protocol, s.Training.Seed}
}

type fold struct {
	lock  sync.Mutex
	found bool
	err   error // why there is no such fold

	test []int       // rows that are held out, ascending; all others train
	x, y data.Scaler // of the training rows
}

func (t *Table) fold(ctx context.Context, k foldKey) (*fold, error) {
	t.lock.Lock()
	f := t.folds[k]
	if f == nil {
		f = new(fold)
		t.folds[k] = f
	}
	t.lock.Unlock()
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.found {
		return f, f.err
	}
	f.err = f.find(ctx, t.Table, k)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.found = true
	return f, f.err
}

func (f *fold) find(ctx context.Context, t *data.Table, k foldKey) (err error) {
	defer panicked(&err, "the split "+k.split)
	var train []int // all
	if k.split != "" {
		split, err := t.Split(ctx, k.split, k.fold, k.protocol, k.seed)
		if err != nil {
			return err
		}
		train, f.test = split.Train, split.Test
		if err := counted(t, k, train, "trained on"); err != nil {
			return err
		}
		if err := counted(t, k, f.test, "held out"); err != nil {
			return err
		}
	}
	f.x = data.FitScaler(t.X, len(t.Columns), train)
	f.y = data.FitScaler(t.Y, len(t.Targets), train)
	return nil
}

// counted returns an error if rows on one side of a fold have weights that are all 0:
// such a side cannot be learnt from, or judged.
func counted(t *data.Table, k foldKey, rows []int, what string) error {
	if t.W == nil || slices.ContainsFunc(t.WeightsOf(rows), func(w float64) bool { return w != 0 }) {
		return nil
	}
	return fmt.Errorf("%s split of %s: fold %d: the weights (column %s) of all %d rows that are %s are 0, and none would count", k.split, t.Name, k.fold, t.Weight, len(rows), what)
}

// train lists the rows, of so many, that are trained on.
func (f *fold) train(rows int) []int {
	held := make([]bool, rows)
	for _, r := range f.test {
		held[r] = true
	}
	train := make([]int, 0, rows-len(f.test))
	for r, test := range held {
		if !test {
			train = append(train, r)
		}
	}
	return train
}

// panicked turns a panic in what others have registered into an error with its line.
func panicked(err *error, what string) {
	if r := recover(); r != nil {
		*err = graph.Panicked(what, r)
	}
}
