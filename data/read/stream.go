package read

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"sml/data"
	"sml/internal/texts"
)

// Stream reads the rows of a table one after the other, so that a table of any length can be read. Its memory does not
// grow with the number of rows, unless texts are kept.
type Stream struct {
	Name    string
	Columns []string // names of the inputs
	Targets []string
	Extras  []string // names of further columns
	Weight  string   // name of the column of weights; "" if there is none
	Kept    []string // names of columns whose texts are kept
	Layout  data.Layout
	Note    string // note for the user if the first row could be a header or values; "" if it is clear

	file           *os.File // to be closed with the stream; nil unless OpenFile opened it
	size           int64    // bytes of the input; 0 if not known
	reader         rowReader
	text           *textReader    // reader if it reads delimited text; else nil
	parquet        *parquetReader // reader if it reads a Parquet file; else nil
	json           *jsonReader    // reader if it reads JSON; else nil
	isWorkbook     bool           // the input is a workbook, whose numbers may be shown as percentages
	reportProgress func(read, size int64)

	schema       *schema
	columns      []*column // columns of the groups that are read
	signRemark   string    // line for the user on the decimal sign; "" if it is not worth one
	commaMistake bool      // a number with a comma was refused in a column of numbers

	titleRows  int         // number of rows above the header
	peekedRows []peekedRow // rows that were read ahead
	pending    []*piece    // parsed rows after peekedRows
	single     piece       // memory for a row that was read outside of a block, and for a block of Parquet

	blocks
	rowCounts

	textTargetCount   int    // number of rows with a text in place of the target's number
	textTargetExample string // column and text of the first of these rows

	keptTexts        *texts.Columns // destination of kept texts; nil if none are kept
	keepsPassedTexts bool           // the texts of rows with a mistake are kept, too
	checkedTextBytes int            // size of keptTexts when it was last compared with the free memory
	reportedBytes    int64          // bytes read at the last report of progress
	skipsUnlabelled  bool           // rows without a target are left out of a table; a stream of rows returns an error
	keepsUnlabelled  bool           // rows that lack all targets are kept: see Options.KeepUnlabelled
	preallocated     bool           // memory was reserved for the estimated number of rows
}

// rowCounts counts rows and their places in the file.
type rowCounts struct {
	lastLine        int   // line of the row that was handed out last
	rowCount        int   // number of rows handed out
	unlabelledCount int   // number of rows without a target
	hasMistakes     bool  // a row with a mistake was left out
	fileRows        int   // number of rows that were read, without those with a mistake
	linesAbove      int   // line of the header; of a file without one, the line before the first row
	numbers         []int // number in the file of each row handed out; nil if there are no gaps
}

// OpenFile opens a file as a stream. The path FILE.xlsx#SHEET names a sheet of a workbook. See Open.
func OpenFile(ctx context.Context, path string, o Options) (*Stream, error) {
	f, size, err := openFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) && o.Sheet == "" {
		f, size, o.Sheet, err = openFileOfSheet(ctx, path, err)
	}
	if err != nil {
		return nil, err
	}
	s, err := open(ctx, f, size, path, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.file = f
	return s, nil
}

// Open reads the first rows of a table and finds its columns. It recognises the format by the
// first bytes: CSV text, JSON, Parquet or an .xlsx workbook, plain or gzipped, or a zip file with
// one text file. Text is in UTF-8, or in UTF-16 with a byte order mark.
//
// The delimiter of CSV (semicolon, tab, vertical bar, comma or blanks) is found in the first rows;
// quoted fields, CRLF, a byte order mark and blank lines are understood. Comments, titles above the
// header and units below it are skipped (Remarks). JSON is a sequence or
// an array of objects. The keys of the first 100 objects are the columns; a key that an object lacks is
// a missing value. If a later object has a new key, File reads a table again, and other inputs are an
// error; if the options name the inputs, other keys are left out. Numbers of every
// format keep their float64; null is a missing value; true and false are texts. Lists and
// objects are an error in a column to read. Dates and times of Parquet and workbooks are
// texts as in ISO 8601, in UTC; times of workbooks are rounded to milliseconds. The column in
// which pandas keeps the labels of rows is left out.
//
// A row longer than 16 MiB, more than 100,000 columns, and bytes other than text are errors.
// A workbook, and zipped or piped Parquet, is held in memory and has at most 256 MiB. A
// workbook has at most 2 GiB when it is unpacked, and 256 MiB of texts. Of other Parquet, one
// page of each column is held at a time, of at most 256 MiB. A column has at most 4 Mi
// different texts; all columns together have at most 512 MiB of them.
//
// Every value must be a finite number, unless the options say Raw or give Fields. Errors name
// the file, as name, the line and the column, and say what would be right.
//
// When ctx ends, calls that wait for r return the context's error. A call of r.Read that never
// returns is abandoned then, and also after Close and after any other error.
func Open(ctx context.Context, r io.Reader, name string, o Options) (*Stream, error) {
	const unknownSize = 0
	return open(ctx, r, unknownSize, name, o)
}

// open opens an input of the given size, which is 0 if it is not known.
func open(ctx context.Context, r io.Reader, size int64, name string, o Options) (*Stream, error) {
	if !slices.Contains([]Header{HeaderAuto, HeaderYes, HeaderNo, ""}, o.Header) {
		return nil, fmt.Errorf("unknown header setting %q; want %s, %s or %s", o.Header, HeaderAuto, HeaderYes, HeaderNo)
	}
	if addressSpace() == 0 { // small arrays are made without a check, and Go would end the process
		return nil, fmt.Errorf("%s: the process can take no more memory within its limit of address space (ulimit -v): raise or remove the limit", displayName(name))
	}
	reader, err := openRows(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	s := newStream(ctx, reader, name, o)
	s.size = size
	if err := s.begin(o); err != nil {
		reader.close()
		return nil, err
	}
	return s, nil
}

// Fields returns the fields of the inputs that the options gave, and nil if they gave none.
func (s *Stream) Fields() []data.Field {
	var fields []data.Field
	for _, c := range s.inputs() {
		if c.field != nil {
			fields = append(fields, *c.field)
		}
	}
	return fields
}

// absentInputs returns the inputs whose key no object of a JSON input has had so far: their values are missing.
func (s *Stream) absentInputs() (names []string) {
	if s.json == nil || s.json.objectCount == 0 {
		return nil
	}
	for _, c := range s.inputs() {
		if s.json.lastObject[c.index] == 0 {
			names = append(names, s.schema.names[c.index])
		}
	}
	return names
}

// readGroups sets the number of groups of Table.Groups to read: streams of rows do not read extra columns.
func (s *Stream) readGroups(groups int) {
	s.columns = s.schema.columns[:len(slices.Concat(s.schema.groups[:groups]...))]
}

// readRow reads the next row and appends its values to groups, as take does.
func (s *Stream) readRow(groups ...*[]float64) error {
	s.readGroups(len(groups))
	for !s.hasRows() {
		if err := s.fill(); err != nil {
			return err
		}
	}
	s.take(1, nil, groups...)
	return nil
}

// AppendRows reads as many rows as are Ready, at least one and at most maxRows. It appends their inputs to x, their
// targets to y and the line at which each begins to lines, and returns the three slices. At the end of the table the
// error is io.EOF; a table without rows is another error. The rows before an error are appended. It also stops when much
// text is kept (KeepIn), so that the caller can use it.
func (s *Stream) AppendRows(x, y []float64, lines []int, maxRows int) ([]float64, []float64, []int, error) {
	s.readGroups(targetGroup + 1)
	for n := 0; n < maxRows; {
		if n > 0 && (!s.Ready() || s.hasMuchText()) {
			break
		}
		if !s.hasRows() {
			if err := s.fill(); err != nil {
				return x, y, lines, err
			}
		}
		if rows := min(s.countRows(), maxRows-n); rows > 0 {
			s.take(rows, &lines, &x, &y)
			n += rows
		}
	}
	return x, y, lines, nil
}

// Place returns a line of the file as messages name it, such as "t.csv:3".
func (s *Stream) Place(line int) string { return s.reader.position().location(line) }

// Progress returns the number of bytes read, and the size of the input. The size is 0 if it is not known, or if the
// input is compressed or converted.
func (s *Stream) Progress() (read, size int64) {
	read, known := s.reader.offset()
	if !known || read > s.size {
		return read, 0
	}
	return read, s.size
}

// Remarks returns lines for the user on how the file is read, as far as the first rows say it.
func (s *Stream) Remarks() []string {
	return slices.Concat(oneOrNone(s.signRemark), s.reader.position().remarks)
}

// SkippedRemarks returns lines for the user on the comments and the repeated headers among the rows that were read.
func (s *Stream) SkippedRemarks() []string {
	if s.text == nil {
		return nil
	}
	return s.text.skippedRemarks()
}

// Ready reports whether the next row can be read without waiting for the program that writes the input.
func (s *Stream) Ready() bool {
	return s.size > 0 || len(s.peekedRows) > 0 || s.hasRows() || s.reader.isReady()
}

// Column returns input i as messages name it: the number of its column in the file, from 1, and its name.
func (s *Stream) Column(i int) string { return s.schema.columns[i].label }

// Close ends the reading. It also closes the file if OpenFile opened the stream.
func (s *Stream) Close() error {
	s.reader.close()
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
