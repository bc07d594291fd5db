package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"sml/data"
)

// Stream reads the rows of a table one after the other, so that a table of any
// length takes the memory of one row.
type Stream struct {
	Name    string
	Columns []string // names of the inputs
	Targets []string
	Extras  []string // names of further columns
	Weight  string   // name of the column of weights, if there is one
	Kept    []string // names of columns whose texts are kept
	Layout  data.Layout
	Note    string // for the user: what the first row was taken for, where that can be doubted

	file     *os.File
	size     int64 // of the input in bytes, 0: not known
	rec      rowReader
	text     *records  // rec, where that is text whose lines can be read in blocks; else nil
	columns  *columnar // rec, where that is a Parquet file; else nil
	progress func(read, size int64)
	choice   choice
	raw      []*rawColumn // the inputs, where they are of any kind; nil: all are numbers
	by       []*rawColumn // the column that rows are split by, if there is one
	ahead    []ahead      // rows that are read already
	blocks   blocks       // behind them
	rows     int          // so far
	texts    *data.Texts  // of these, where they are kept

	keepsPassed bool // texts of rows that are passed over, too
	keptChecked int  // size of texts when it was last held against the free memory

	estimated bool // how many rows there will be

	notation   notation
	workbook   bool   // numbers may be shown as percentages
	comma      string // a number with a decimal comma, if there are such
	unlabelled int    // rows without a target
	passed     int    // rows that have been passed over, for that or a mistake
}

// OpenFile opens a file as a stream; of a workbook FILE.xlsx#SHEET names a sheet. See
// Open.
func OpenFile(ctx context.Context, path string, o Options) (*Stream, error) {
	f, size, err := openFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) && o.Sheet == "" {
		f, size, o.Sheet, err = openSheetOf(ctx, path, err)
	}
	if err != nil {
		return nil, err
	}
	s, err := Open(ctx, f, path, o)
	if err != nil {
		f.Close()
		return nil, err
	}
	s.file, s.size = f, size
	return s, nil
}

// Open reads a table up to the first row, and finds the columns. How the input begins
// says what it is: CSV text, JSON, Parquet or an .xlsx workbook, plain or gzipped, or a
// zip file of one text. Text is in UTF-8, or in UTF-16 with its mark.
//
// The delimiter of CSV (semicolon, tab, comma or blanks) is found in the first row;
// quoted fields, CRLF, a byte order mark and blank lines are understood. JSON is
// objects, one behind the other or in an array: the keys of the first are the columns, a
// key that another lacks is missing there, and one that the first lacks is an error.
// Numbers of every format keep their float64; null is a value that is missing; true and
// false are texts. Values within values are an error in columns that are read. Dates and
// moments of Parquet and workbooks are texts as in ISO 8601, in UTC; a moment of a
// workbook is rounded to milliseconds. The column in which pandas keeps the labels of
// rows is none.
//
// A row longer than 16 MiB, more than 100,000 columns, and what is not text are
// errors. A workbook, and zipped or piped Parquet, is held whole, in at most 256 MiB; of
// a workbook no more than 2 GiB are unpacked, and 256 MiB of texts are held. Of other
// Parquet a page of each column is held at a time, of at most 256 MiB. A table has at most
// 4 Mi different texts in a column and 512 MiB of them in all columns.
//
// Every value read must be a finite number. The error names file, line and
// column and says what would be right; name stands for the file in it.
//
// When ctx ends, whatever waits for r ends with its error; a read of r that never
// returns is left to itself, as it is after any other error, and Close.
func Open(ctx context.Context, r io.Reader, name string, o Options) (s *Stream, err error) {
	if !slices.Contains([]Header{HeaderAuto, HeaderYes, HeaderNo, ""}, o.Header) {
		return nil, fmt.Errorf("unknown header setting %q: there is %s, %s, %s", o.Header, HeaderAuto, HeaderYes, HeaderNo)
	}
	rec, err := openRows(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			rec.close()
		}
	}()
	if rec.named() {
		if o.Header == HeaderNo {
			return nil, fmt.Errorf("%s: the columns of such a file have names in any case; it cannot be read as one without a header", rec.at().file)
		}
		o.Header = HeaderYes
	}
	s = &Stream{Name: name, rec: rec, progress: data.ProgressFrom(ctx), blocks: blocks{pieceBytes: cmp.Or(o.pieceBytes, minPieceBytes)}}
	s.text, _ = rec.(*records)
	s.columns, _ = innerReader(rec).(*columnar)
	_, delimited := innerReader(rec).(*records)
	_, s.workbook = innerReader(rec).(*sheet)
	first := s.below(0)
	if first == nil {
		if err := s.ahead[0].err; err != io.EOF {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the file is empty; a row of numbers for each sample is needed", rec.at().file)
	}
	line := rec.at().line
	fail := func(err error) (*Stream, error) {
		rec.at().line = line
		return nil, rec.at().failf("%w", err)
	}
	if len(first) > maxColumns {
		return fail(fmt.Errorf("the row has %d fields%s; a table has no more than %d columns", len(first), separated(rec), maxColumns))
	}
	var header bool
	if o.Inputs != nil {
		header, s.choice, err = o.match(first)
		if err == nil {
			s.Note = o.doubt(first, header)
		}
	} else if header, s.Note, err = o.detect(first, s.below); err == nil {
		names := headless(len(first))
		if header {
			names = o.namesOf(first)
		}
		s.choice, err = o.choose(names, header)
	}
	if err == nil && o.keeps() {
		err = o.keep(first, header, &s.choice)
	}
	if err != nil {
		return fail(err)
	}
	if s.Note != "" {
		s.Note = fmt.Sprintf("%s: %s", rec.at().place(line), s.Note)
	}
	if header {
		s.ahead = s.ahead[1:]
	}
	c := s.choice
	s.Layout = c.layout(header, len(first))
	s.Columns, s.Targets, s.Extras = pick(c.names, c.inputs), pick(c.names, c.targets), pick(c.names, c.extras)
	s.Kept = c.keptNames
	for _, i := range c.weight {
		s.Weight = c.names[i]
	}
	if o.Inputs == nil && o.Raw || o.Fields != nil {
		s.raw = o.rawColumns(&c, c.inputs, o.Fields)
	}
	s.by = o.rawColumns(&c, c.by, nil)
	used := make([]bool, len(c.names))
	read := c.read()
	for _, list := range append(read[:], c.kept) {
		for _, i := range list {
			used[i] = true
		}
	}
	if err := rec.use(used); err != nil {
		return nil, err
	}
	switch {
	case !delimited: // other formats have numbers
	case o.Inputs == nil && o.Raw:
		s.comma = s.decimalCommas(used)
		s.Layout.DecimalComma = s.comma != ""
	case o.Layout != nil:
		s.Layout.DecimalComma = o.Layout.DecimalComma
	}
	s.notation.comma = s.Layout.DecimalComma
	for _, c := range slices.Concat(s.raw, s.by) {
		c.notation = s.notation
	}
	if o.Inputs == nil && o.Raw {
		s.markLiteral()
	}
	return s, nil
}

// Fields are what the inputs are, where they are of any kind: those of Options.
func (s *Stream) Fields() []data.Field {
	var fields []data.Field
	for _, c := range s.raw {
		if c.field == nil {
			return nil
		}
		fields = append(fields, *c.field)
	}
	return fields
}

// appendTo reads the next row and appends its values to lists of values, in the
// order of Table.groups: none of them, if there is an error.
func (s *Stream) appendTo(lists ...*[]float64) error {
	var fields []string
	var err error
	switch {
	case len(s.ahead) > 0:
		fields, s.rec.at().line, err = s.ahead[0].fields, s.ahead[0].line, s.ahead[0].err
		if err == nil || RowOnly(err) {
			s.ahead = s.ahead[1:]
		}
	case s.plainRows() > 0:
		s.appendPlain(1, nil, lists...)
		return nil
	case s.parsed():
		if fields, err = s.takeOdd(lists); fields == nil {
			return err
		}
	default:
		fields, err = s.rec.next()
	}
	if err == io.EOF && s.rows+s.passed == 0 {
		err = fmt.Errorf("%s: there is a header but no row of numbers below it", s.rec.at().file)
	}
	if RowOnly(err) {
		s.passed++
		s.keepPassed(fields)
	}
	if err != nil {
		return err
	}
	c := &s.choice
	if len(fields) != len(c.names) {
		s.keepPassed(nil)
		return s.bad(-1, fmt.Errorf("the row has %d fields, the first row has %d%s; every row needs the same number",
			len(fields), len(c.names), separated(s.rec)))
	}
	if s.raw != nil && slices.ContainsFunc(c.targets, func(i int) bool { return isMissing(fields[i]) }) {
		s.unlabelled++
		s.passed++
		return errUnlabelled
	}
	s.keepCells(fields)
	var before [5]int
	for i, list := range lists {
		before[i] = len(*list)
		at := -1
		switch {
		case i == 0 && s.raw != nil:
			*list, at, err = appendCells(*list, fields, s.raw, c.inputs, s.rec.at().line)
		case i == byGroup:
			*list, at, err = appendCells(*list, fields, s.by, c.by, s.rec.at().line)
			if err == nil {
				at, err = c.checkBy((*list)[before[i]:])
			}
		default:
			*list, at, err = s.appendValues(*list, fields, c.read()[i])
		}
		if err == nil && i == weightGroup {
			err = c.checkWeight((*list)[before[i]:])
		}
		if err != nil && i == targetGroup && s.raw != nil && writingOf(fields[at]) == text {
			err = fmt.Errorf("%w; leave a target empty where it is not known", err)
		}
		if i == targetGroup {
			err = c.targetError(err)
		}
		if err != nil {
			for j := range i + 1 {
				*lists[j] = (*lists[j])[:before[j]]
			}
			if s.texts != nil && !s.keepsPassed {
				s.texts.Truncate(s.texts.Rows() - 1)
			}
			return s.bad(at, err)
		}
	}
	s.rows++
	return nil
}

// AppendRows reads as many rows as are Ready, at least one and at most the given number. It
// appends their inputs to x, their targets to y and the line at which each begins to lines. At
// the end of the table the error is io.EOF; a table without rows is another error. The rows
// before an error are appended.
func (s *Stream) AppendRows(x, y []float64, lines []int, most int) ([]float64, []float64, []int, error) {
	for n := 0; n < most && (n == 0 || s.Ready() && !s.keptFull()); {
		if !s.parsed() {
			s.fill(2)
		}
		if rows := min(s.plainRows(), most-n); rows > 0 {
			s.appendPlain(rows, &lines, &x, &y)
			n += rows
			continue
		}
		if err := s.appendTo(&x, &y); err != nil {
			return x, y, lines, err
		}
		lines = append(lines, s.rec.at().line)
		n++
	}
	return x, y, lines, nil
}

// errUnlabelled is of a row that has no target and is left out.
var errUnlabelled = errors.New("the row has no target")

// Place names a line of the file, as messages do.
func (s *Stream) Place(line int) string { return s.rec.at().place(line) }

// Progress tells how many bytes have been read, of how many; 0 where their
// number is not known or they are not the bytes of the text.
func (s *Stream) Progress() (read, size int64) {
	read, known := s.rec.offset()
	if !known || read > s.size {
		return read, 0
	}
	return read, s.size
}

// Ready tells whether the next row can be had without waiting for whoever writes
// the input. Rows of a file on disk always can.
func (s *Stream) Ready() bool {
	return s.size > 0 || len(s.ahead) > 0 || s.parsed() || s.rec.ready()
}

// Column says what the table's input i is called in messages: its place in the
// file, and its name.
func (s *Stream) Column(i int) string { return label(s.choice.names, s.choice.inputs[i]) }

// Close ends the reading, and closes the file of a stream that OpenFile opened.
func (s *Stream) Close() error {
	s.rec.close()
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
