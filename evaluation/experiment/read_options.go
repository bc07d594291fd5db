package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/data/split"
	"sml/internal/strict"
)

// ReadOptions says how a table is read, as users write it in flags, YAML and JSON. The zero
// value of a field is its default. See read.Options and preparation.Options.
type ReadOptions struct {
	Target strict.List[string] `yaml:"target" json:"target,omitempty"` // target columns; default the last column
	Drop   strict.List[string] `yaml:"drop" json:"drop,omitempty"`     // columns to leave out
	Extra  strict.List[string] `yaml:"extra" json:"extra,omitempty"`   // columns for the objective only
	Weight string              `yaml:"weight" json:"weight,omitempty"` // column with the weights of the rows
	Header string              `yaml:"header" json:"header,omitempty"` // whether the file begins with column names: auto, yes or no

	Categorical    strict.List[string] `yaml:"categorical" json:"categorical,omitempty"`         // columns of categories
	Numeric        strict.List[string] `yaml:"numeric" json:"numeric,omitempty"`                 // columns of numbers
	Decimal        string              `yaml:"decimal" json:"decimal,omitempty"`                 // decimal sign of numbers: . or ,
	Thousands      string              `yaml:"thousands" json:"thousands,omitempty"`             // what separates thousands: . , ' or a blank
	NA             strict.List[string] `yaml:"na" json:"na,omitempty"`                           // values that stand for missing ones: VALUE, or COLUMN=VALUE for one column
	Date           strict.List[string] `yaml:"date" json:"date,omitempty"`                       // columns of dates
	Ordinal        strict.List[string] `yaml:"ordinal" json:"ordinal,omitempty"`                 // columns with the order of their categories, such as cut=Fair,Good,Ideal
	DropDuplicates bool                `yaml:"drop-duplicates" json:"drop-duplicates,omitempty"` // leave out copies of earlier rows
	Missing        string              `yaml:"missing" json:"missing,omitempty"`                 // treatment of missing values: median, mean, drop or error; default median
	MaxCategories  int                 `yaml:"max-categories" json:"max-categories,omitempty"`   // maximum number of categories of a column with a feature each; default preparation.DefaultMaxCategories
	Transform      string              `yaml:"transform" json:"transform,omitempty"`             // transform of the targets; default auto for files under the sound protocol
	Support        string              `yaml:"support" json:"support,omitempty"`                 // bounds of the targets; default auto for files under the sound protocol

	// A column or a file for the split, at most one of the four. It also chooses the split, unless
	// the user names one.
	Group        string  `yaml:"group" json:"group,omitempty"`                 // column of the split group, not an input
	Time         string  `yaml:"time" json:"time,omitempty"`                   // column of the split time
	FoldsColumn  string  `yaml:"folds-column" json:"folds-column,omitempty"`   // column of the split folds, not an input
	Test         string  `yaml:"test" json:"test,omitempty"`                   // file of the split file
	TestFraction float64 `yaml:"test-fraction" json:"test-fraction,omitempty"` // fraction of the rows to hold out, for the splits random (default: a tenth) and time (a fifth)
}

// SplitOption is an option that names the column or the file of a split.
type SplitOption struct {
	Key    string // such as "folds-column"
	Column string // kind of the column, as split.Kind.Column names it; "" if the option is a file
	Split  string // split that the option chooses
	Value  string // column or file; "" if the user has not chosen it
}

// SplitOptions returns all options that name the column or the file of a split, with their
// values.
func (o ReadOptions) SplitOptions() []SplitOption {
	return []SplitOption{
		{Key: "group", Column: "group", Split: "group", Value: o.Group},
		{Key: "time", Column: "time", Split: "time", Value: o.Time},
		{Key: "folds-column", Column: "fold", Split: "folds", Value: o.FoldsColumn},
		{Key: "test", Split: split.TestFile, Value: o.Test},
	}
}

// Serves reports whether the option provides the column or the file of a kind of split.
func (o SplitOption) Serves(kind split.Kind) bool {
	return o.Split == kind.Name || o.Column != "" && o.Column == kind.Column
}

// chosenSplitOptions returns the split options with a value.
func (o ReadOptions) chosenSplitOptions() []SplitOption {
	return slices.DeleteFunc(o.SplitOptions(), func(s SplitOption) bool { return s.Value == "" })
}

// DefaultSplit returns the split that the split options choose, "" if none has a value.
func (o ReadOptions) DefaultSplit() string {
	chosen := o.chosenSplitOptions()
	if len(chosen) == 0 {
		return ""
	}
	return chosen[0].Split
}

// CheckSplits returns an error if one of the named splits needs an option without a value,
// or if an option has a value and none of the splits uses it.
func (o ReadOptions) CheckSplits(names []string) error {
	chosen := o.chosenSplitOptions()
	if len(chosen) > 1 {
		return fmt.Errorf("%s and %s: choose only one; rows are split in one way", chosen[0].Key, chosen[1].Key)
	}
	var kinds []split.Kind
	for _, name := range names {
		kind, err := split.Lookup(name)
		if err != nil {
			return err
		}
		isServed := len(chosen) > 0 && chosen[0].Serves(kind)
		if err := o.checkSplit(kind, isServed); err != nil {
			return err
		}
		kinds = append(kinds, kind)
	}
	choosesFraction := func(kind split.Kind) bool { return kind.ChoosesFraction }
	switch {
	case len(chosen) > 0 && !slices.ContainsFunc(kinds, chosen[0].Serves):
		return fmt.Errorf("%s is for the split %s, but the split is %s", chosen[0].Key, chosen[0].Split, strings.Join(names, ", "))
	case o.TestFraction != 0 && !slices.ContainsFunc(kinds, choosesFraction):
		return fmt.Errorf("test-fraction is for the splits random and time, but the split is %s", strings.Join(names, ", "))
	}
	return nil
}

// checkSplit returns an error if a kind of split needs a column or a file of test rows and no option names it. isServed
// says whether the user's split option names it.
func (o ReadOptions) checkSplit(kind split.Kind, isServed bool) error {
	switch {
	case !isServed && kind.Name == split.TestFile:
		return fmt.Errorf("the split %s needs a file of test rows: choose it with test", kind.Name)
	case !isServed && kind.Column != "":
		return fmt.Errorf("the split %s needs a column with the %s of each row: choose it with %s", kind.Name, kind.Column, o.columnKeys(kind))
	case !isServed && o.Test != "":
		return fmt.Errorf("test: all other rows are trained on, and it cannot be split by %s", kind.Name)
	case kind.ChoosesFraction:
		return kind.CheckTestFraction(o.TestFraction)
	}
	return nil
}

// columnKeys returns the keys of the options that provide the column of a kind of split, joined
// by "or".
func (o ReadOptions) columnKeys(kind split.Kind) string {
	var keys []string
	for _, s := range o.SplitOptions() {
		if s.Serves(kind) {
			keys = append(keys, s.Key)
		}
	}
	return strings.Join(keys, " or ")
}

// ErrGenerated is wrapped by the error of ReadOptions.Source if the options choose columns of a
// generated data set.
var ErrGenerated = errors.New("its columns cannot be chosen")

// Source returns the source for reading a file or data set with the options. It returns an
// error if an option is not valid, or if the name is a data set's and an option is only for files.
func (o ReadOptions) Source(name string) (Source, error) {
	s := Source{
		Name:        name,
		Target:      o.Target,
		Drop:        o.Drop,
		Extra:       o.Extra,
		Weight:      o.Weight,
		Header:      read.Header(o.Header),
		Categorical: o.Categorical,
		Numeric:     o.Numeric,
		Decimal:     o.Decimal,
		Thousands:   o.Thousands,
		Dates:       o.Date,

		MissingValues:  o.NA,
		DropDuplicates: o.DropDuplicates,

		Options: preparation.Options{
			Keep:          slices.Concat(o.Categorical, o.Numeric),
			Transform:     o.Transform,
			Support:       o.Support,
			Missing:       preparation.Missing(o.Missing),
			MaxCategories: o.MaxCategories,
		},
	}
	// A source has "" for defaults, so that equal tables have equal sources.
	if s.Header == read.HeaderAuto {
		s.Header = ""
	}
	if s.Missing == preparation.Median {
		s.Missing = ""
	}
	if s.MaxCategories == preparation.DefaultMaxCategories {
		s.MaxCategories = 0
	}
	s.dropNone()
	o.applySplitOptions(&s)
	if err := o.applyOrdinal(&s); err != nil {
		return s, err
	}
	if !slices.Contains([]read.Header{"", read.HeaderYes, read.HeaderNo}, s.Header) {
		return s, fmt.Errorf("header %q: want %s, %s or %s", o.Header, read.HeaderAuto, read.HeaderYes, read.HeaderNo)
	}
	if err := o.checkDataset(s); err != nil {
		return s, err
	}
	if err := (read.Options{Decimal: o.Decimal, Thousands: o.Thousands}).CheckNotation(); err != nil {
		return s, err
	}
	return s, s.Options.Check()
}

// applySplitOptions sets the split column and the file of test rows of the source.
func (o ReadOptions) applySplitOptions(s *Source) {
	for _, option := range o.chosenSplitOptions() {
		if option.Column == "" {
			s.Test = &TestFile{Name: option.Value}
			continue
		}
		s.SplitColumn = option.Value
		kind, err := split.Lookup(option.Split)
		s.DropBy = err == nil && kind.ColumnIsNoInput
	}
}

// applyOrdinal sets the orders of categories of the source.
func (o ReadOptions) applyOrdinal(s *Source) error {
	for _, text := range o.Ordinal {
		order, isOrder := preparation.ParseOrder(text)
		if !isOrder {
			return fmt.Errorf("ordinal %q: want a column and its categories, such as cut=Fair,Good,Ideal", text)
		}
		s.Ordinal = append(s.Ordinal, order)
	}
	return nil
}

// checkDataset returns an error if the source is a registered data set and an option is only for
// files.
func (o ReadOptions) checkDataset(s Source) error {
	dataset, err := data.Lookup(s.Name)
	if err != nil {
		return nil // a file
	}
	choosesColumns := len(o.Target)+len(o.Drop)+len(o.Extra) > 0 || o.Weight != "" || s.SplitColumn != ""
	choosesKinds := len(o.Categorical)+len(o.Numeric)+len(o.Date)+len(o.Ordinal) > 0 || o.Decimal+o.Thousands != "" || len(o.NA) > 0 || o.DropDuplicates
	switch {
	case choosesColumns && dataset.Make != nil:
		return fmt.Errorf("%s is a generated data set, and %w: target, drop, extra, weight, group, time and folds-column are for files", s.Name, ErrGenerated)
	case choosesKinds || o.Missing != "" || o.MaxCategories != 0:
		return fmt.Errorf("%s has only numbers and is read unchanged: categorical, numeric, decimal, thousands, na, drop-duplicates, date, ordinal, missing and max-categories are for files", s.Name)
	case s.Header == read.HeaderNo:
		return fmt.Errorf("the columns of %s have names: header is for files", s.Name)
	}
	return nil
}
