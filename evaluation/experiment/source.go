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
	"sml/data/read"
	"sml/graph"
	"sml/internal/preparation"
)

// Source describes the origin of a table and the use of its columns. After the table was read,
// Found returns a source that identifies it: reading that source again returns the same table or
// an error.
type Source struct {
	Name   string      `json:"name"` // data set, or path of a file as the user wrote it
	Target []string    `json:"target,omitempty"`
	Drop   []string    `json:"drop,omitempty"`
	Extra  []string    `json:"extra,omitempty"`  // columns for the objective only
	Weight string      `json:"weight,omitempty"` // column with the weights of the rows
	Header read.Header `json:"header,omitempty"`

	// Kinds of columns that sml does not detect by itself, for files only; see read.Options
	// and preparation.Options.
	Categorical []string `json:"categorical,omitempty"`
	Numeric     []string `json:"numeric,omitempty"`
	Dates       []string `json:"dates,omitempty"`
	preparation.Options

	Classes bool `json:"classes,omitempty"` // whether the targets are classes, whose texts are labels; for files only

	By     string    `json:"by,omitempty"`       // column of the split
	DropBy bool      `json:"by_alone,omitempty"` // whether By is not an input
	Test   *TestFile `json:"test,omitempty"`     // file with the test rows; nil if the split chooses them

	// Properties of the table when it was first read. Layout is nil if the table was not read
	// from a file.
	Layout      *data.Layout `json:"layout,omitempty"`
	Rows        int          `json:"rows"`
	OmittedRows omittedRows  `json:"left_out,omitzero"` // number of the file's rows that the table leaves out, by reason
	Checksum    string       `json:"sha256"`            // SHA-256 of the table's column names and values

	// Keep names columns whose texts are kept with the table, to show single rows; see
	// read.Options. KeepAll keeps all columns.
	Keep    []string `json:"-"`
	KeepAll bool     `json:"-"`

	// From reads the table if Name is StandardInput.
	ReadStandardInput func(context.Context, read.Options) (*data.Table, error) `json:"-"`
}

// leftOut counts the rows of a file that its table leaves out, by reason.
type omittedRows struct {
	Unlabelled int `json:"unlabelled,omitempty"` // they have no target
	Blank      int `json:"blank,omitempty"`      // they have a target and no input
	Incomplete int `json:"incomplete,omitempty"` // they lack an input
}

// StandardInput is the name of a source that Source.From reads.
const StandardInput = "standard input"

// ErrStandardInput is returned by Source.Read for a table from standard input if Source.From is
// nil.
var ErrStandardInput = errors.New("it came from " + StandardInput)

// ErrChanged is wrapped by the error of Source.Read if the table differs from the table that was
// read first.
var ErrChanged = errors.New("has changed")

// Read reads the table. It looks for data sets in dir, as read.Locate does. If the source has a
// checksum and the table is another one, Read returns an error that wraps ErrChanged.
func (s Source) Read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	t, err := s.read(ctx, dir, protocol)
	if err != nil || s.Checksum == "" {
		return t, err
	}
	changed, err := s.ChangedFile(ctx, t)
	if err != nil {
		return nil, err
	}
	if changed == "" && s.Layout != nil && !bytes.Equal(encodeJSON(s.Layout), encodeJSON(t.FileLayout())) {
		changed = s.Name
	}
	if changed != "" {
		return nil, fmt.Errorf("%s %w", changed, ErrChanged)
	}
	return t, nil
}

func (s Source) read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	o := read.Options{
		Targets: s.Target, Drop: s.Drop, Extra: s.Extra, Weight: s.Weight, Header: s.headerForReading(),
		Raw: s.Prepared(), Categorical: s.Categorical, Numeric: s.Numeric, Dates: s.Dates, By: s.By, ByAlone: s.DropBy,
		Keep: s.Keep, KeepAll: s.KeepAll, Classes: s.Classes && s.Prepared(),
	}
	var t *data.Table
	var err error
	switch {
	case s.Name != StandardInput:
		t, err = ReadTable(ctx, s.Name, dir, s.Protocol(protocol), o)
	case s.ReadStandardInput != nil:
		t, err = s.ReadStandardInput(ctx, o)
	default:
		err = ErrStandardInput
	}
	if err == nil {
		t, err = s.dropIncompleteRows(t)
	}
	if err != nil {
		return nil, err
	}
	return s.appendTestRows(ctx, t)
}

// Prepared reports whether package preparation prepares the table's inputs: it does for files,
// and not for registered data sets.
func (s Source) Prepared() bool {
	_, err := data.Lookup(s.Name)
	return s.Name != "" && err != nil
}

// Protocol returns the protocol for reading the table: data.Sound, which reads all rows of a data
// set, if columns are chosen, and the training's protocol otherwise.
func (s Source) Protocol(training data.Protocol) data.Protocol {
	if len(s.Target)+len(s.Drop)+len(s.Extra) > 0 || s.Weight != "" || s.By != "" {
		return data.Sound
	}
	return training
}

// ReadNamed reads the data set of this name, from a file in dir or generated, or, if there is no
// such data set, the file of this name.
func ReadTable(ctx context.Context, name, dir string, protocol data.Protocol, o read.Options) (t *data.Table, err error) {
	defer graph.Recover(&err, "the data set "+name)
	_, unknown := data.Lookup(name)
	if unknown == nil {
		return read.Dataset(ctx, name, dir, protocol, generationSeed, o)
	}
	t, err = read.File(ctx, name, o)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(name, `./\`) { // it could be the name of a data set
		err = fmt.Errorf("%w; nor is it a file", unknown)
	}
	return t, err
}

// madeSeed is the seed of generated data sets. It does not depend on the training's seed, so
// that each name stands for one table.
const generationSeed = 1

// Found returns the source with the properties of its table t. Columns that the user chose by
// number have their names.
func (s Source) Identify(ctx context.Context, t *data.Table) (Source, error) {
	own, test := t.SeparateTestRows()
	layout := t.FileLayout()
	s.Layout, s.Rows = &layout, own.Rows()
	s.Extra, s.Weight, s.By = t.Extras, t.Weight, t.By
	s.OmittedRows = omittedRows{t.Unlabelled, t.Blank, t.Incomplete}
	s.Options = s.Options.ResolveColumns(t)
	var err error
	if s.Checksum, err = own.Checksum(ctx); err != nil || test == nil {
		return s, err
	}
	s.Test = &TestFile{Name: s.Test.Name, Rows: test.Rows()}
	s.Test.Checksum, err = test.Checksum(ctx)
	return s, err
}

// header is what was asked for, or, of a table that was read before, what was found.
func (s Source) headerForReading() read.Header {
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

// TestFile is a file with test rows only. The kinds of columns and the preparation are the
// training table's; no text or category of the test rows changes them.
type TestFile struct {
	Name string `json:"name"` // path of the file, as the user wrote it

	// Properties of the file when it was first read.
	Rows     int    `json:"rows"`
	Checksum string `json:"sha256"` // as Source.Checksum
}

// withTest returns the table with the rows of the file of test rows, if there is one.
func (s Source) appendTestRows(ctx context.Context, t *data.Table) (*data.Table, error) {
	if s.Test == nil {
		return t, nil
	}
	fail := func(err error) (*data.Table, error) { return nil, fmt.Errorf("the rows for testing: %w", err) }
	test, err := read.File(ctx, s.Test.Name, read.TestOptions(t, s.Prepared()))
	if err != nil {
		return fail(err)
	}
	if test, err = s.dropIncompleteRows(test); err != nil {
		return fail(err)
	}
	both, err := t.WithTest(test)
	if err != nil {
		return fail(err)
	}
	return both, nil
}

// complete leaves out rows with a missing input if the source asks for complete rows.
func (s Source) dropIncompleteRows(t *data.Table) (*data.Table, error) {
	if s.Missing != preparation.Drop {
		return t, nil
	}
	if whole := t.Complete(); whole.Rows() > 0 {
		return whole, nil
	}
	return nil, fmt.Errorf("%s: every row lacks a value, and none is left; see which columns are mostly empty, and leave them out", t.Name)
}

// Changed returns the name of the first file that differs from the file that was read first: the
// table or its file of test rows. It returns "" if both are the same.
func (s Source) ChangedFile(ctx context.Context, t *data.Table) (string, error) {
	own, test := t.SeparateTestRows()
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
func encodeJSON(v any) []byte {
	t, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return t
}
