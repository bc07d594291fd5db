package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sml/data"
	"sml/data/read"
	"sml/data/split"
	"sml/internal/preparation"
	"sml/internal/strict"
)

// ReadOptions says how a table is read, as its user writes it in flags, YAML and JSON. The
// zero value of a field is its default. See read.Options and preparation.Options.
type ReadOptions struct {
	Target strict.List[string] `yaml:"target" json:"target,omitempty"` // default the last column
	Drop   strict.List[string] `yaml:"drop" json:"drop,omitempty"`
	Extra  strict.List[string] `yaml:"extra" json:"extra,omitempty"`
	Weight string              `yaml:"weight" json:"weight,omitempty"`
	Header string              `yaml:"header" json:"header,omitempty"` // auto, yes or no

	Categorical strict.List[string] `yaml:"categorical" json:"categorical,omitempty"`
	Numeric     strict.List[string] `yaml:"numeric" json:"numeric,omitempty"`
	Date        strict.List[string] `yaml:"date" json:"date,omitempty"`
	Ordinal     strict.List[string] `yaml:"ordinal" json:"ordinal,omitempty"` // such as cut=Fair,Good,Ideal
	Missing     string              `yaml:"missing" json:"missing,omitempty"`
	Transform   string              `yaml:"transform" json:"transform,omitempty"` // of the targets

	// A column or a file for the split, at most one. It stands for its split where no split
	// is chosen.
	Group       string  `yaml:"group" json:"group,omitempty"`               // column of the split group, no input
	Time        string  `yaml:"time" json:"time,omitempty"`                 // column of the split time
	FoldsColumn string  `yaml:"folds-column" json:"folds-column,omitempty"` // column of the split folds, no input
	Test        string  `yaml:"test" json:"test,omitempty"`                 // file of the split file
	TestShare   float64 `yaml:"test-share" json:"test-share,omitempty"`     // fraction of the rows, for the split time; default 0.2
}

// SplitOption is an option that a kind of split needs.
type SplitOption struct {
	Key    string // such as "folds-column"
	Column string // the split's word for the column; "" if the option is a file
	Split  string // split that the option stands for
	Value  string // column or file; "" if it is not given
}

// SplitOptions returns all options that kinds of split need, with their values.
func (o ReadOptions) SplitOptions() []SplitOption {
	return []SplitOption{
		{Key: "group", Column: "group", Split: "group", Value: o.Group},
		{Key: "time", Column: "time", Split: "time", Value: o.Time},
		{Key: "folds-column", Column: "fold", Split: "folds", Value: o.FoldsColumn},
		{Key: "test", Split: split.TestFile, Value: o.Test},
	}
}

// Serves reports whether a kind of split needs the option.
func (o SplitOption) Serves(kind split.Kind) bool {
	return o.Split == kind.Name || o.Column != "" && o.Column == kind.Column
}

// given returns the options with values.
func (o ReadOptions) chosenSplitOptions() []SplitOption {
	return slices.DeleteFunc(o.SplitOptions(), func(s SplitOption) bool { return s.Value == "" })
}

// DefaultSplit returns the split that the options stand for, "" if there is none.
func (o ReadOptions) DefaultSplit() string {
	if given := o.chosenSplitOptions(); len(given) > 0 {
		return given[0].Split
	}
	return ""
}

// CheckSplits returns an error if one of the splits needs another option, or no split needs
// a given one.
func (o ReadOptions) CheckSplits(names []string) error {
	given := o.chosenSplitOptions()
	if len(given) > 1 {
		return fmt.Errorf("%s and %s: the rows are split one way", given[0].Key, given[1].Key)
	}
	used, shared := false, false
	for _, name := range names {
		kind, err := split.Lookup(name)
		if err != nil {
			return err
		}
		uses := len(given) > 0 && given[0].Serves(kind)
		if err := o.checkSplit(kind, uses); err != nil {
			return err
		}
		used = used || uses
		shared = shared || kind.Share > 0
	}
	switch {
	case len(given) > 0 && !used:
		return fmt.Errorf("%s is for the split %s, and the split is %s", given[0].Key, given[0].Split, strings.Join(names, ", "))
	case o.TestShare != 0 && !shared:
		return fmt.Errorf("test-share is for the split time, and the split is %s", strings.Join(names, ", "))
	}
	return nil
}

// checkSplit returns an error if a split needs another option. uses reports whether it
// needs the given option.
func (o ReadOptions) checkSplit(kind split.Kind, uses bool) error {
	switch {
	case !uses && kind.Name == split.TestFile:
		return fmt.Errorf("the split %s needs a file of test rows: choose it with test", kind.Name)
	case !uses && kind.Column != "":
		return fmt.Errorf("the split %s needs a column with the %s of each row: choose it with %s", kind.Name, kind.Column, o.columnKeys(kind))
	case !uses && o.Test != "":
		return fmt.Errorf("test: all other rows are trained on, and it cannot be split by %s", kind.Name)
	case kind.Share > 0:
		return kind.CheckShare(o.TestShare)
	}
	return nil
}

// columnKeys returns the keys of the options that a kind of split needs.
func (o ReadOptions) columnKeys(kind split.Kind) string {
	var keys []string
	for _, s := range o.SplitOptions() {
		if s.Serves(kind) {
			keys = append(keys, s.Key)
		}
	}
	return strings.Join(keys, " or ")
}

// ErrMade is wrapped by the error for options that choose columns of a made data set.
var ErrGenerated = errors.New("its columns are what they are")

// Source returns a file or data set with the options, as experiments read it. It returns an
// error if no file or data set of this name can be read with the options.
func (o ReadOptions) Source(name string) (Source, error) {
	s := Source{
		Name: name, Target: o.Target, Drop: o.Drop, Extra: o.Extra, Weight: o.Weight, Header: read.Header(o.Header),
		Categorical: o.Categorical, Numeric: o.Numeric, Dates: o.Date,
		Options: preparation.Options{Keep: slices.Concat(o.Categorical, o.Numeric), Transform: o.Transform},
	}
	if s.Header == read.HeaderAuto {
		s.Header = ""
	}
	if s.Missing = preparation.Missing(o.Missing); s.Missing == preparation.Median {
		s.Missing = ""
	}
	for _, option := range o.chosenSplitOptions() {
		if option.Column == "" {
			s.Test = &TestFile{Name: option.Value}
			continue
		}
		s.By = option.Value
		kind, err := split.Lookup(option.Split)
		s.DropBy = err == nil && kind.Apart
	}
	for _, text := range o.Ordinal {
		order, ok := preparation.ParseOrder(text)
		if !ok {
			return s, fmt.Errorf("ordinal %q: want a column and its categories, such as cut=Fair,Good,Ideal", text)
		}
		s.Ordinal = append(s.Ordinal, order)
	}
	if !slices.Contains([]read.Header{"", read.HeaderYes, read.HeaderNo}, s.Header) {
		return s, fmt.Errorf("header %q: there is %s, %s, %s", o.Header, read.HeaderAuto, read.HeaderYes, read.HeaderNo)
	}
	if err := o.checkDataset(s); err != nil {
		return s, err
	}
	return s, s.Options.Check()
}

// checkDataset returns an error if the source is a data set and has options for files.
func (o ReadOptions) checkDataset(s Source) error {
	known, err := data.Lookup(s.Name)
	if err != nil {
		return nil // a file
	}
	chosen := len(o.Target)+len(o.Drop)+len(o.Extra) > 0 || o.Weight != "" || s.By != ""
	kinds := len(o.Categorical) + len(o.Numeric) + len(o.Date) + len(o.Ordinal)
	switch {
	case chosen && known.Make != nil:
		return fmt.Errorf("%s is made, and %w: target, drop, extra, weight, group, time and folds-column are for files", s.Name, ErrGenerated)
	case kinds > 0 || o.Missing != "":
		return fmt.Errorf("%s is all numbers, and read as it is: categorical, numeric, date, ordinal and missing are for files", s.Name)
	case s.Header == read.HeaderNo:
		return fmt.Errorf("the columns of %s have names: header is for files", s.Name)
	}
	return nil
}
