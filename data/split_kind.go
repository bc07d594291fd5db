package data

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sml/internal/registry"
)

// SplitKind is a way to choose the rows that a network is tested on. It is trained
// on all others.
type SplitKind struct {
	Name    string
	Summary string // one line: what is tested on
	Source  string
	Folds   int // that it has, numbered from 0; 0: Count says it

	// Count returns how many folds a table has, where that follows from the table.
	Count func(t *Table) (int, error)

	// Mark tells for every row whether a fold tests on it. The table is not
	// changed; the seed is what all chance follows from.
	Mark func(ctx context.Context, t *Table, fold int, protocol Protocol, seed uint64) ([]bool, error)

	// Blind says that Mark looks at nothing of a table but how many rows it has.
	Blind bool

	// Column is what it needs Table.By for, a word such as group: rows in which that
	// has one value are all tested on, or none is. "": it needs none. Apart: that
	// column is no input.
	Column string
	Apart  bool

	// Share is the part of the rows that is tested on, where a user may choose it, as
	// AtShare does; 0: it is not to be chosen.
	Share   float64
	AtShare func(share float64) SplitKind

	// Extrapolates tells whether a fold tests outside of what it is trained on;
	// default: none does.
	Extrapolates func(fold int) bool

	// What scores are reported as: those of test rows, default Name; those of
	// test rows of folds that extrapolate, default Test; and those of training
	// rows, "": they are not judged.
	Test, Outer, Train string
}

var splits = registry.New("split", func(k SplitKind) string { return k.Name }, "")

func init() {
	for _, k := range []SplitKind{randomFolds, pcaFolds, labelFolds, singleRandom, singlePCA, singleLabel, stratifiedFolds, groupFolds, latestRows(0.2), columnFolds, testFile} {
		RegisterSplit(k)
	}
}

// RegisterSplit adds a kind of split. It panics when that has no folds or does not
// mark rows, or a name of it is taken, which is a mistake in the program.
func RegisterSplit(k SplitKind) {
	if k.Folds < 1 && k.Count == nil || k.Mark == nil {
		panic(fmt.Sprintf("data: split %q needs folds, and a function that marks their rows", k.Name))
	}
	if taken := ReportedSplits(); slices.ContainsFunc(k.ReportedAs(), func(name string) bool { return slices.Contains(taken, name) }) {
		panic(fmt.Sprintf("data: scores of split %q would be reported as those of another", k.Name))
	}
	splits.Add(k)
}

// Splits returns every kind of split.
func Splits() []SplitKind { return splits.All() }

// SplitNames returns the name of every kind of split.
func SplitNames() []string { return splits.Names() }

// LookupSplit returns the kind of split of that name.
func LookupSplit(name string) (SplitKind, error) { return splits.Lookup(name) }

// CheckFold returns an error that names the folds if there is none of that number,
// as far as that is known without a table.
func (k SplitKind) CheckFold(fold int) error {
	switch {
	case k.Folds > 0:
		return CheckFold(fold, k.Folds)
	case fold < 0:
		return fmt.Errorf("there is no fold %d; folds are numbered from 0", fold)
	}
	return nil
}

// CheckFold returns an error that names the folds if there is none of that number
// among so many.
func CheckFold(fold, folds int) error {
	if fold < 0 || fold >= folds {
		return fmt.Errorf("there is no fold %d; folds are 0 to %d", fold, folds-1)
	}
	return nil
}

// FoldsOf returns how many folds the kind has of a table.
func (k SplitKind) FoldsOf(t *Table) (int, error) {
	if k.Column != "" && t.By == "" {
		return 0, fmt.Errorf("which %s a row is of is to be read from a column, and none is named for it", k.Column)
	}
	if k.Count == nil {
		return k.Folds, nil
	}
	return k.Count(t)
}

// WithShare returns the kind with another share of the rows that it tests on; 0 is
// its own.
func (k SplitKind) WithShare(share float64) (SplitKind, error) {
	switch {
	case share == 0:
		return k, nil
	case k.AtShare == nil:
		return k, fmt.Errorf("what share of the rows a %s split tests on is not to be chosen", k.Name)
	case !(share > 0 && share < 1):
		return k, fmt.Errorf("the share of the rows that is tested on is %v; want more than 0 and less than 1", share)
	}
	return k.AtShare(share), nil
}

// Reported returns what the scores of a fold's test rows are reported as.
func (k SplitKind) Reported(fold int) string {
	test := cmp.Or(k.Test, k.Name)
	if k.Extrapolates != nil && k.Extrapolates(fold) {
		return cmp.Or(k.Outer, test)
	}
	return test
}

// ReportedAs lists what scores are reported as: those of training rows, of test
// rows, and of test rows of folds that extrapolate.
func (k SplitKind) ReportedAs() []string {
	names := slices.Compact([]string{k.Train, cmp.Or(k.Test, k.Name), cmp.Or(k.Outer, k.Test, k.Name)})
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// ReportedSplits lists what scores are reported as, kind by kind.
func ReportedSplits() []string {
	var list []string
	for _, k := range Splits() {
		list = append(list, k.ReportedAs()...)
	}
	return list
}
