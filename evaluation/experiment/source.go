package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/graph"
)

// Source says where a table comes from and which of its columns are used: enough
// to read the same one again.
type Source struct {
	Name   string      `json:"name"` // of a data set, or a file as it was given
	Target []string    `json:"target,omitempty"`
	Drop   []string    `json:"drop,omitempty"`
	Extra  []string    `json:"extra,omitempty"`  // columns that an objective may look at
	Weight string      `json:"weight,omitempty"` // column of the rows' weights
	Header read.Header `json:"header,omitempty"`

	// Of a file, what is not to be found out: see read.Options, preparation.Options.
	Categorical []string `json:"categorical,omitempty"`
	Numeric     []string `json:"numeric,omitempty"`
	Dates       []string `json:"dates,omitempty"`
	preparation.Options

	By      string    `json:"by,omitempty"`       // column that rows are split by
	ByAlone bool      `json:"by_alone,omitempty"` // it is no input
	Test    *TestFile `json:"test,omitempty"`     // rows of a file of their own; nil: there is none

	// What was found when it was read first. Layout is nil if it was not read from a file.
	Layout   *data.Layout `json:"layout,omitempty"`
	Rows     int          `json:"rows"`
	LeftOut  leftOut      `json:"left_out,omitzero"` // rows of the file that are not in the table
	Checksum string       `json:"sha256"`            // of the table's names and values

	// Keep are columns whose texts come with the table, see read.Options: for who looks
	// at single rows.
	Keep    []string `json:"-"`
	KeepAll bool     `json:"-"`

	// From reads the table of a source that is StandardInput by name, which nothing
	// else tells where to find.
	From func(context.Context, read.Options) (*data.Table, error) `json:"-"`
}

// leftOut counts rows that are left out of a table, and why.
type leftOut struct {
	Unlabelled int `json:"unlabelled,omitempty"` // they have no target
	Blank      int `json:"blank,omitempty"`      // they have a target and no input
	Incomplete int `json:"incomplete,omitempty"` // they lack an input
}

// StandardInput is the name of a source that is no file and no data set.
const StandardInput = "standard input"

// ErrStandardInput is the error of a table that came from standard input, when it is to
// be read again and nothing says where from.
var ErrStandardInput = errors.New("it came from " + StandardInput)

// ErrChanged is wrapped by the error of a table that is not what it was when it was
// read first.
var ErrChanged = errors.New("has changed")

// Read reads the table; data sets are looked for in dir (read.Locate). Of a source
// that was read before, it has to be the same table.
func (s Source) Read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	t, err := s.read(ctx, dir, protocol)
	if err != nil || s.Checksum == "" {
		return t, err
	}
	changed, err := s.Changed(ctx, t)
	if err != nil {
		return nil, err
	}
	if changed == "" && s.Layout != nil && !bytes.Equal(text(s.Layout), text(t.FileLayout())) {
		changed = s.Name
	}
	if changed != "" {
		return nil, fmt.Errorf("%s %w", changed, ErrChanged)
	}
	return t, nil
}

func (s Source) read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	o := read.Options{
		Targets: s.Target, Drop: s.Drop, Extra: s.Extra, Weight: s.Weight, Header: s.header(),
		Raw: s.Prepared(), Categorical: s.Categorical, Numeric: s.Numeric, Dates: s.Dates, By: s.By, ByAlone: s.ByAlone,
		Keep: s.Keep, KeepAll: s.KeepAll,
	}
	var t *data.Table
	var err error
	switch {
	case s.Name != StandardInput:
		t, err = ReadNamed(ctx, s.Name, dir, s.Protocol(protocol), o)
	case s.From != nil:
		t, err = s.From(ctx, o)
	default:
		err = ErrStandardInput
	}
	if err == nil {
		t, err = s.complete(t)
	}
	if err != nil {
		return nil, err
	}
	return s.withTest(ctx, t)
}

// Prepared tells whether the table's inputs are prepared (package preparation): those
// of files are, and registered data sets are as they are.
func (s Source) Prepared() bool {
	_, err := data.Lookup(s.Name)
	return s.Name != "" && err != nil
}

// Protocol is the one that the table is read under, in a training under another: where
// columns are chosen, all rows of a data set are read.
func (s Source) Protocol(training data.Protocol) data.Protocol {
	if len(s.Target)+len(s.Drop)+len(s.Extra) > 0 || s.Weight != "" || s.By != "" {
		return data.Sound
	}
	return training
}

// ReadNamed reads a data set, looked for in dir or made from madeSeed, or else a file.
func ReadNamed(ctx context.Context, name, dir string, protocol data.Protocol, o read.Options) (t *data.Table, err error) {
	defer graph.Recover(&err, "the data set "+name)
	_, unknown := data.Lookup(name)
	if unknown == nil {
		return read.Dataset(ctx, name, dir, protocol, madeSeed, o)
	}
	t, err = read.File(ctx, name, o)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) { // it could be the name of a data set
		err = fmt.Errorf("%w; nor is it a file", unknown)
	}
	return t, err
}

// madeSeed is the seed of data sets that are made: there is one table of each
// name, whatever the seed of a training.
const madeSeed = 1

// Found returns the source with what was found of its table: columns that were given
// by number have the name by which objectives know them.
func (s Source) Found(ctx context.Context, t *data.Table) (Source, error) {
	own, test := t.Parts()
	layout := t.FileLayout()
	s.Layout, s.Rows = &layout, own.Rows()
	s.Extra, s.Weight, s.By = t.Extras, t.Weight, t.By
	s.LeftOut = leftOut{t.Unlabelled, t.Blank, t.Incomplete}
	s.Options = s.Options.Named(t)
	var err error
	if s.Checksum, err = own.Checksum(ctx); err != nil || test == nil {
		return s, err
	}
	s.Test = &TestFile{Name: s.Test.Name, Rows: test.Rows()}
	s.Test.Checksum, err = test.Checksum(ctx)
	return s, err
}

// header is what was asked for, or, of a table that was read before, what was found.
func (s Source) header() read.Header {
	switch {
	case s.Layout == nil:
		return s.Header
	case s.Layout.Header:
		return read.HeaderYes
	}
	return read.HeaderNo
}

func (s Source) check() error {
	if !slices.Contains([]read.Header{"", read.HeaderAuto, read.HeaderYes, read.HeaderNo}, s.Header) {
		return fmt.Errorf("there is no header %q", s.Header)
	}
	if s.Name == "" || s.Test != nil && s.Test.Name == "" {
		return errors.New("it names no data")
	}
	return nil
}

// TestFile is a file whose rows are tested on, and nothing else. They are read and
// prepared as the training table's: what texts and levels they have changes neither.
type TestFile struct {
	Name string `json:"name"` // of the file, as it was given

	// What was found when it was read first.
	Rows     int    `json:"rows"`
	Checksum string `json:"sha256"` // as Source.Checksum
}

// withTest returns the table with the rows of the file for testing, if there is one.
func (s Source) withTest(ctx context.Context, t *data.Table) (*data.Table, error) {
	if s.Test == nil {
		return t, nil
	}
	fail := func(err error) (*data.Table, error) { return nil, fmt.Errorf("the rows for testing: %w", err) }
	test, err := read.File(ctx, s.Test.Name, read.TestOptions(t, s.Prepared()))
	if err != nil {
		return fail(err)
	}
	if test, err = s.complete(test); err != nil {
		return fail(err)
	}
	both, err := t.WithTest(test)
	if err != nil {
		return fail(err)
	}
	return both, nil
}

// complete leaves out rows that lack an input, where the source asks for that.
func (s Source) complete(t *data.Table) (*data.Table, error) {
	if s.Missing != preparation.Drop {
		return t, nil
	}
	if whole := t.Complete(); whole.Rows() > 0 {
		return whole, nil
	}
	return nil, fmt.Errorf("%s: every row lacks a value, and none is left; see which columns are mostly empty, and leave them out", t.Name)
}

// Changed names the source's table or its file for testing, whichever is not what it
// was when it was read first; "": both are.
func (s Source) Changed(ctx context.Context, t *data.Table) (string, error) {
	own, test := t.Parts()
	sum, err := own.Checksum(ctx)
	switch {
	case err != nil:
		return "", err
	case sum != s.Checksum || own.Rows() != s.Rows:
		return s.Name, nil
	case s.Test == nil:
		return "", nil
	case test == nil || test.Rows() != s.Test.Rows:
		return s.Test.Name, nil
	}
	if sum, err = test.Checksum(ctx); err != nil || sum == s.Test.Checksum {
		return "", err
	}
	return s.Test.Name, nil
}

// text encodes a value of this package as JSON.
func text(v any) []byte {
	t, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return t
}
