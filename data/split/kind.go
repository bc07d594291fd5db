// Package split divides the rows of a table into training rows and test rows. Start with Lookup and
// Kind.Rows; a program may add kinds of its own with Register. The package does not choose
// validation rows or calibration rows.
//
// The kinds are random, stratified and uci; pca and label, which hold out a part of the space of inputs or
// of the range of the target; single-random, single-pca and single-label, with one fold each; and
// group, time, folds and file, by values of the table. Kind.Summary describes each.
package split

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/data"
	"sml/internal/registry"
)

// Sources of the kinds of split (Kind.Source).
const (
	thePaper    = "A Novel Regression Loss for Non-Parametric Uncertainty Optimization"
	theNotebook = "the notebook of the authors of " + thePaper
)

// Kind is a way to choose the test rows of a table. All other rows are training rows.
type Kind struct {
	Name    string
	Summary string // description of the test rows, one line
	Source  string // publication that describes the kind
	Folds   int    // number of folds, which are counted from 0; 0 if it depends on the table

	// Count returns the number of folds of a table. It is nil if Folds is the number.
	Count func(t *data.Table) (int, error)

	// Mark returns a mark for every row: whether it is a test row of fold o.Fold. It does not change
	// the table, and all randomness follows from o.Seed. The fold exists, and o.TestFraction is the
	// user's choice or else the kind's default.
	Mark func(ctx context.Context, t *data.Table, o Options) ([]bool, error)

	// IgnoresValues is true if Mark uses only a table's number of rows, its weights and, with
	// Options.ByClass, its classes.
	IgnoresValues bool

	// Column says what the values in Table.SplitValues are to this kind, such as "group": rows with
	// the same value are all test rows or all training rows. It is "" if the kind needs no column.
	Column string

	// ColumnIsNoInput is true if the network must not see that column.
	ColumnIsNoInput bool

	// ChoosesFraction is true if a user may choose the fraction of test rows.
	ChoosesFraction bool

	// TestFraction is the default of that choice; 0 if Mark has a default of its own.
	TestFraction float64

	// Extrapolates reports whether the fold's test rows lie outside of the range of its training
	// rows. If it is nil, no fold extrapolates.
	Extrapolates func(fold int) bool

	// Test is the name under which scores of test rows are reported; "" stands for Name.
	Test string

	// Outer is the name under which scores of test rows are reported for folds that extrapolate;
	// "" stands for Test.
	Outer string

	// Train is the name under which scores of training rows are reported; "" if training rows are
	// not scored.
	Train string
}

// Options choose one fold of a kind of split.
type Options struct {
	Fold         int     // counted from 0
	TestFraction float64 // fraction of test rows; 0 for the kind's default
	Protocol     data.Protocol
	Seed         uint64

	// ByClass is true if the targets are classes. The random and the stratified splits then test
	// on the same fraction of every class.
	ByClass bool
}

var kinds = registry.New("split", func(k Kind) string { return k.Name }, "")

// init registers the built-in kinds of split, in the order of listings.
func init() {
	for _, k := range []Kind{randomFolds, pcaFolds, labelFolds, singleRandom, singlePCA, singleLabel, stratifiedFolds, uciFolds, groupFolds, latestRows, columnFolds, testFile} {
		Register(k)
	}
}

// Register adds a kind of split. It panics if the kind has neither Folds nor Count, or no Mark, or
// if another kind has its name or one of its score names: these are mistakes in the program.
func Register(k Kind) {
	hasFolds := k.Folds > 0 || k.Count != nil
	if !hasFolds || k.Mark == nil {
		panic(fmt.Sprintf("split: kind %q needs Folds or Count, and Mark", k.Name))
	}
	taken := ScoreNames()
	for _, name := range k.ScoreNames() {
		if slices.Contains(taken, name) {
			panic(fmt.Sprintf("split: kind %q reports scores as %q, as another kind does", k.Name, name))
		}
	}
	kinds.Add(k)
}

// All returns every kind of split, in the order of registration.
func All() []Kind { return kinds.All() }

// Names returns the name of every kind of split, in the order of registration.
func Names() []string { return kinds.Names() }

// Lookup returns the kind of split with the given name, or an error that lists the known names.
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
	test := cmp.Or(k.Test, k.Name)
	outer := cmp.Or(k.Outer, test)
	names := slices.Compact([]string{k.Train, test, outer}) // test and outer may be the same name
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

// CountFolds returns the number of folds of a table. It returns an error if the kind splits by a
// column and none is chosen (Table.SplitColumn), or if the column has too few values.
func (k Kind) CountFolds(t *data.Table) (int, error) {
	if k.Column != "" && t.SplitColumn == "" {
		return 0, fmt.Errorf("the split needs the column with the %s of each row; none is named", k.Column)
	}
	if k.Count == nil {
		return k.Folds, nil
	}
	return k.Count(t)
}

// CheckFold returns an error if the kind has no fold of that number in any table. If the number of
// folds depends on the table, it refuses only negative numbers.
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
// for the kind's default. NaN is an error.
func (k Kind) CheckTestFraction(fraction float64) error {
	switch {
	case fraction == 0:
		return nil
	case !k.ChoosesFraction:
		return fmt.Errorf("a %s split does not let you choose the fraction of test rows", k.Name)
	case !(fraction > 0 && fraction < 1):
		return fmt.Errorf("the fraction of test rows is %v; want more than 0 and less than 1", fraction)
	}
	return nil
}
