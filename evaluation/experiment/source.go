package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sml/data"
	"sml/data/preparation"
	"sml/data/read"
	"sml/graph"
)

// Source describes where a table comes from and how its columns are used. After the table was
// read, Identify returns a source that identifies it: reading that source again returns the
// same table or an error.
type Source struct {
	Name   string      `json:"name"`             // data set, or path of a file as the user wrote it
	Target []string    `json:"target,omitempty"` // target columns; nil for the last column
	Drop   []string    `json:"drop,omitempty"`   // columns to leave out
	Extra  []string    `json:"extra,omitempty"`  // columns for the objective only
	Weight string      `json:"weight,omitempty"` // column with the weights of the rows; "" for none
	Header read.Header `json:"header,omitempty"` // whether the file begins with column names; "" to detect it

	// Kinds of columns that the reader does not detect by itself, for files only; see
	// read.Options and preparation.Options.
	Categorical []string `json:"categorical,omitempty"`
	Numeric     []string `json:"numeric,omitempty"`
	Decimal     string   `json:"decimal,omitempty"`
	Thousands   string   `json:"thousands,omitempty"`
	Dates       []string `json:"dates,omitempty"`
	preparation.Options

	MissingValues  []string `json:"na,omitempty"`              // values that stand for missing ones, VALUE or COLUMN=VALUE; for files only
	DropDuplicates bool     `json:"drop_duplicates,omitempty"` // whether copies of earlier rows are left out

	// Unlabelled is set if rows without any target are kept (models.Method.UsesUnlabelled); for files only.
	Unlabelled bool `json:"unlabelled,omitempty"`

	Classes bool `json:"classes,omitempty"` // whether the targets are classes, whose texts are labels; for files only

	SplitColumn string    `json:"by,omitempty"`       // column that the table is split by, such as its groups; "" for none
	DropBy      bool      `json:"by_alone,omitempty"` // whether the SplitColumn is only for the split, and not an input
	Test        *TestFile `json:"test,omitempty"`     // file with the test rows; nil if the split chooses them

	// Properties of the table when it was first read. Layout is nil if the table was not read
	// from a file.
	Layout      *data.Layout `json:"layout,omitempty"`
	Rows        int          `json:"rows"`
	OmittedRows omittedRows  `json:"left_out,omitzero"`
	Inputs      int          `json:"inputs,omitempty"`    // number of input columns
	SplitValues int          `json:"by_values,omitempty"` // number of different values of the SplitColumn, such as groups; 0 without one
	Checksum    string       `json:"sha256"`              // SHA-256 of the table's column names and values

	// Keep names columns whose texts are kept with the table, to show single rows; see
	// read.Options. KeepAll keeps all columns.
	Keep    []string `json:"-"`
	KeepAll bool     `json:"-"`

	// ReadStandardInput reads the table if Name is StandardInput; otherwise it may be nil.
	ReadStandardInput func(context.Context, read.Options) (*data.Table, error) `json:"-"`
}

// omittedRows counts the rows of a file that its table omits, by reason.
type omittedRows struct {
	Unlabelled int `json:"unlabelled,omitempty"` // rows without a target
	Blank      int `json:"blank,omitempty"`      // rows with a target and no input
	Incomplete int `json:"incomplete,omitempty"` // rows with a missing input
	Duplicates int `json:"duplicates,omitempty"` // copies of earlier rows
	Weightless int `json:"weightless,omitempty"` // rows of weight 0, which Source.Rows counts: they take part in the split
}

// WeightedRows returns the number of rows of the table that count, because their weight is above 0.
func (s Source) WeightedRows() int { return s.Rows - s.OmittedRows.Weightless }

// StandardInput is the name of a source that Source.ReadStandardInput reads.
const StandardInput = "standard input"

// ErrStandardInput is returned by Source.Read for a table from standard input if
// Source.ReadStandardInput is nil.
var ErrStandardInput = errors.New("it came from " + StandardInput)

// ErrChanged is wrapped by the error of Source.Read if the table differs from the table that
// was read first.
var ErrChanged = errors.New("has changed")

// Read reads the table. It looks for data sets in the directory dir, as read.Locate does. The
// protocol decides which rows of a published data set are read. If the source has a checksum
// and the table is another one, Read returns an error that wraps ErrChanged.
func (s Source) Read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	t, err := s.read(ctx, dir, protocol)
	if err != nil || s.Checksum == "" {
		return t, err
	}
	changed, err := s.ChangedFile(ctx, t)
	if err != nil {
		return nil, err
	}
	layoutDiffers := s.Layout != nil && !bytes.Equal(encodeJSON(s.Layout), encodeJSON(t.FileLayout()))
	if changed == "" && layoutDiffers {
		changed = s.Name
	}
	if changed != "" {
		return nil, fmt.Errorf("%s %w", changed, ErrChanged)
	}
	return t, nil
}

// read reads the table and its file of test rows without comparing checksums.
func (s Source) read(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	t, err := s.readOrigin(ctx, dir, protocol)
	if err != nil {
		return nil, err
	}
	if s.DropDuplicates {
		t = t.WithoutDuplicates()
	}
	t, err = s.dropIncompleteRows(t)
	if err != nil {
		return nil, err
	}
	return s.appendTestRows(ctx, t)
}

// readOrigin reads the table from a data set, a file or standard input.
func (s Source) readOrigin(ctx context.Context, dir string, protocol data.Protocol) (*data.Table, error) {
	options := s.readOptions()
	if s.Name != StandardInput {
		return ReadTable(ctx, s.Name, dir, s.Protocol(protocol), options)
	}
	if s.ReadStandardInput == nil {
		return nil, ErrStandardInput
	}
	return s.ReadStandardInput(ctx, options)
}

// readOptions returns the options with which package read reads the table.
func (s Source) readOptions() read.Options {
	return read.Options{
		Targets:              s.Target,
		Drop:                 s.Drop,
		Extra:                s.Extra,
		Weight:               s.Weight,
		Header:               s.headerForReading(),
		Raw:                  s.Prepared(),
		KeepUnlabelled:       s.Unlabelled,
		Categorical:          s.Categorical,
		Numeric:              s.Numeric,
		Decimal:              s.Decimal,
		Thousands:            s.Thousands,
		MissingValues:        s.MissingValues,
		Dates:                s.Dates,
		SplitColumn:          s.SplitColumn,
		SplitColumnIsNoInput: s.DropBy,
		Keep:                 s.Keep,
		KeepAll:              s.KeepAll,
		Classes:              s.Classes && s.Prepared(),
	}
}

// Prepared reports whether package preparation prepares the table's inputs: it does for files,
// and not for registered data sets.
func (s Source) Prepared() bool {
	_, err := data.Lookup(s.Name)
	return s.Name != "" && err != nil
}

// Protocol returns the protocol for reading the table: data.Sound, which reads all rows of a
// data set, if the source chooses columns, and the training's protocol otherwise.
func (s Source) Protocol(training data.Protocol) data.Protocol {
	choosesColumns := len(s.Target)+len(s.Drop)+len(s.Extra) > 0 || s.Weight != "" || s.SplitColumn != ""
	if choosesColumns {
		return data.Sound
	}
	return training
}

// ReadTable reads the data set of this name, from a file in the directory dir or generated. If
// there is no such data set, it reads the file of this name.
func ReadTable(ctx context.Context, name, dir string, protocol data.Protocol, o read.Options) (t *data.Table, err error) {
	defer graph.Recover(&err, "the data set "+name)
	_, unknownDataset := data.Lookup(name)
	if unknownDataset == nil {
		return read.Dataset(ctx, name, dir, protocol, generationSeed, o)
	}
	t, err = read.File(ctx, name, o)
	couldBeDataset := !strings.ContainsAny(name, `./\`)
	if errors.Is(err, fs.ErrNotExist) && couldBeDataset {
		err = fmt.Errorf("%w; and there is no file of this name", unknownDataset)
	}
	return t, err
}

// generationSeed is the seed of generated data sets. It does not depend on the training's
// seed, so that each name stands for one table.
const generationSeed = 1

// Identify returns the source with the properties of its table t: the rows, the layout and the
// checksum. Columns that the user chose by number have their names.
func (s Source) Identify(ctx context.Context, t *data.Table) (Source, error) {
	own, test := t.SeparateTestRows()
	layout := t.FileLayout()
	s.Layout = &layout
	s.Rows = own.Rows()
	s.Inputs = len(own.Columns)
	s.Extra = t.Extras
	s.Weight = t.Weight
	s.SplitColumn = t.SplitColumn
	weighted := own.Weighted()
	s.SplitValues = len(distinct(weighted.SplitValues))
	s.OmittedRows = omittedRows{
		Unlabelled: t.UnlabelledRows,
		Blank:      t.BlankRows,
		Incomplete: t.IncompleteRows,
		Duplicates: t.DuplicateRows,
		Weightless: weighted.WeightlessRows,
	}
	s.Options = s.Options.ResolveColumns(t)
	sum, err := own.Checksum(ctx)
	s.Checksum = sum
	if err != nil || test == nil {
		return s, err
	}
	sum, err = test.Checksum(ctx)
	s.Test = &TestFile{Name: s.Test.Name, Rows: test.Rows(), Checksum: sum}
	return s, err
}

// headerForReading returns whether the file has a header: as it was found if the table was read
// before, otherwise as the user chose.
func (s Source) headerForReading() read.Header {
	switch {
	case s.Layout == nil, s.Layout.TitleRows > 0: // titles are skipped only where the header is found
		return s.Header
	case s.Layout.Header:
		return read.HeaderYes
	}
	return read.HeaderNo
}

// TestFile is a file with only test rows. The kinds of its columns and their preparation
// come from the training table; no text or category of the test rows changes them.
type TestFile struct {
	Name string `json:"name"` // path of the file, as the user wrote it

	// Properties of the file when it was first read.
	Rows     int    `json:"rows"`
	Checksum string `json:"sha256"` // as Source.Checksum
}

// appendTestRows returns the table with the rows of the file of test rows, if there is one.
func (s Source) appendTestRows(ctx context.Context, t *data.Table) (*data.Table, error) {
	if s.Test == nil {
		return t, nil
	}
	test, err := s.readTestRows(ctx, t)
	if err == nil {
		t, err = t.WithTest(test)
	}
	if err != nil {
		return nil, fmt.Errorf("the test rows: %w", err)
	}
	return t, nil
}

// readTestRows reads the file of test rows with the kinds of columns of the training table.
func (s Source) readTestRows(ctx context.Context, training *data.Table) (*data.Table, error) {
	test, err := read.File(ctx, s.Test.Name, read.TestOptions(training, s.Prepared()))
	if err != nil {
		return nil, err
	}
	return s.dropIncompleteRows(test)
}

// dropIncompleteRows returns the table without rows that have a missing input, if the source
// drops such rows. It returns an error if no row would be left.
func (s Source) dropIncompleteRows(t *data.Table) (*data.Table, error) {
	if s.Missing != preparation.Drop {
		return t, nil
	}
	complete := t.Complete()
	if complete.Rows() == 0 {
		return nil, fmt.Errorf("%s: every row has a missing value; drop the columns that are mostly empty", t.Name)
	}
	return complete, nil
}

// ChangedFile returns the name of the first file that differs from the file that was read
// first: the table's own or its file of test rows. It returns "" if neither differs.
func (s Source) ChangedFile(ctx context.Context, t *data.Table) (string, error) {
	now, err := s.Identify(ctx, t)
	switch {
	case err != nil:
		return "", err
	case now.Checksum != s.Checksum || now.Rows != s.Rows:
		return s.Name, nil
	case s.Test != nil && *now.Test != *s.Test:
		return s.Test.Name, nil
	}
	return "", nil
}

// encodeJSON returns a value of this package as JSON. It panics if the value has no JSON form,
// which would be a mistake in its type.
func encodeJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
