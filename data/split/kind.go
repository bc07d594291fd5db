// Package split chooses the rows of a table that a network is trained on and the rows that it
// is tested on. Each kind of split is one file and one entry of a list; a program may register
// further kinds.
package split

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/data"
	"sml/internal/registry"
)

// Sources of the kinds of split.
const (
	thePaper    = "A Novel Regression Loss for Non-Parametric Uncertainty Optimization"
	theNotebook = "the notebook of the authors of " + thePaper
)

// Kind is a way to choose the test rows of a table. All other rows are training rows.
type Kind struct {
	Name    string
	Summary string // description of the test rows, one line
	Source  string
	Folds   int // number of folds, which are counted from 0; 0 if Count returns it

	// Count returns the number of folds of a table if it depends on the table.
	Count func(t *data.Table) (int, error)

	// Mark reports for every row whether the fold tests on it. It does not change the table,
	// and all randomness follows from the seed.
	Mark func(ctx context.Context, t *data.Table, o Options) ([]bool, error)

	// IgnoresValues is true if Mark uses nothing of a table but its number of rows, and with
	// Options.ByClass the classes.
	IgnoresValues bool

	// Column describes the values that the kind needs in Table.SplitValues, such as "group": rows with
	// the same value are all tested on or all trained on. It is "" if the kind needs no column.
	Column string

	// ColumnIsNoInput is true if that column is not an input of the network.
	ColumnIsNoInput bool

	// TestFraction is the default fraction of test rows, if a user may choose the fraction; otherwise 0.
	TestFraction float64

	// Extrapolates reports whether the fold's test rows lie outside of the range of its training
	// rows. If it is nil, no fold extrapolates.
	Extrapolates func(fold int) bool

	// Test is the name under which scores of test rows are reported; "" stands for Name.
	// Outer is the name for test rows of folds that extrapolate; "" stands for Test.
	// Train is the name for training rows, which are not scored if it is "".
	Test, Outer, Train string
}

// Options choose one fold of a kind of split.
type Options struct {
	Fold         int     // counted from 0
	TestFraction float64 // fraction of test rows; 0 for the kind's default
	Protocol     data.Protocol
	Seed         uint64

	// ByClass is true if the targets are classes. A split at random then tests on the same
	// fraction of every class.
	ByClass bool
}

var kinds = registry.New("split", func(k Kind) string { return k.Name }, "")

func init() {
	for _, k := range []Kind{randomFolds, pcaFolds, labelFolds, singleRandom, singlePCA, singleLabel, stratifiedFolds, groupFolds, latestRows, columnFolds, testFile} {
		Register(k)
	}
}

// Register adds a kind of split. It panics if the kind has no folds or does not mark rows, or
// if its name or a name of its scores is taken: these are mistakes in the program.
func Register(k Kind) {
	if k.Folds < 1 && k.Count == nil || k.Mark == nil {
		panic(fmt.Sprintf("split: kind %q needs folds, and a function that marks their rows", k.Name))
	}
	taken := ScoreNames()
	if slices.ContainsFunc(k.ScoreNames(), func(name string) bool { return slices.Contains(taken, name) }) {
		panic(fmt.Sprintf("split: scores of kind %q would be reported as those of another", k.Name))
	}
	kinds.Add(k)
}

// All returns every kind of split.
func All() []Kind { return kinds.All() }

// Names returns the name of every kind of split.
func Names() []string { return kinds.Names() }

// Lookup returns the kind of split with the given name.
func Lookup(name string) (Kind, error) { return kinds.Lookup(name) }

// ScoreNames returns the names under which scores are reported, for all kinds of split.
func ScoreNames() []string {
	var names []string
	for _, k := range All() {
		names = append(names, k.ScoreNames()...)
	}
	return names
}

// ScoreNames returns the names under which scores of the kind are reported: scores of training
// rows, of test rows, and of test rows of folds that extrapolate.
func (k Kind) ScoreNames() []string {
	names := slices.Compact([]string{k.Train, cmp.Or(k.Test, k.Name), cmp.Or(k.Outer, k.Test, k.Name)})
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// ScoreName returns the name under which scores of a fold's test rows are reported.
func (k Kind) ScoreName(fold int) string {
	test := cmp.Or(k.Test, k.Name)
	if k.Extrapolates != nil && k.Extrapolates(fold) {
		return cmp.Or(k.Outer, test)
	}
	return test
}

// CountFolds returns the number of folds of a table.
func (k Kind) CountFolds(t *data.Table) (int, error) {
	if k.Column != "" && t.SplitColumn == "" {
		return 0, fmt.Errorf("which %s a row is of is to be read from a column, and none is named for it", k.Column)
	}
	if k.Count == nil {
		return k.Folds, nil
	}
	return k.Count(t)
}

// CheckFold returns an error unless the kind has a fold of that number, as far as this is known
// without a table.
func (k Kind) CheckFold(fold int) error {
	switch {
	case k.Folds > 0:
		return CheckFold(fold, k.Folds)
	case fold < 0:
		return fmt.Errorf("there is no fold %d; folds are numbered from 0", fold)
	}
	return nil
}

// CheckFold returns an error unless fold is a number from 0 to folds−1.
func CheckFold(fold, folds int) error {
	if fold < 0 || fold >= folds {
		return fmt.Errorf("there is no fold %d; folds are 0 to %d", fold, folds-1)
	}
	return nil
}

// CheckTestFraction returns an error unless the kind can test on that fraction of the rows. 0 stands
// for the kind's default.
func (k Kind) CheckTestFraction(share float64) error {
	switch {
	case share == 0:
		return nil
	case k.TestFraction == 0:
		return fmt.Errorf("a %s split does not let you choose the fraction of test rows", k.Name)
	case !(share > 0 && share < 1):
		return fmt.Errorf("the fraction of test rows is %v; want more than 0 and less than 1", share)
	}
	return nil
}
