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
	"sml/internal/texts"
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
	Note    string // note for the user if the first row is ambiguous: a header or values; else ""

	file           *os.File
	size           int64 // bytes of the input; 0 if not known
	reader         rowReader
	textReader     *textReader    // rec if it reads text whose lines can be parsed in blocks; else nil
	parquetReader  *parquetReader // rec if it reads a Parquet file; else nil
	reportProgress func(read, size int64)
	columns        columnChoice
	rawInputs      []*rawColumn   // inputs that may hold texts; nil if all inputs are numbers
	classTargets   []*rawColumn   // targets with class labels; nil if targets are numbers
	splitBy        []*rawColumn   // column that rows are split by: one or none
	aheadRows      []aheadRow     // rows that were read before they are needed
	buffer         rowBuffer      // parsed rows after these
	rowCount       int            // rows handed out so far
	keptTexts      *texts.Columns // destination of kept texts; nil if none are kept

	keepsPassedTexts bool // whether to keep the texts of rows with a mistake
	checkedTextBytes int  // size of texts when it was last compared with the free memory

	preallocated bool // whether memory was asked for by the estimated number of rows

	notation            notation
	isWorkbook          bool   // numbers may be shown as percentages
	decimalCommaExample string // example of a number with a decimal comma; "" if there is none
	unlabelledCount     int    // number of rows without a target
	textTargetCount     int    // number of rows with a text in place of the target's number
	textTargetExample   string // column and text of the first of these rows
	passedCount         int    // number of rows passed over: without a target, or with a mistake
}

// OpenFile opens a file as a stream. The path FILE.xlsx#SHEET names a sheet of a workbook. See
// Open.
func OpenFile(ctx context.Context, path string, o Options) (*Stream, error) {
	f, size, err := openFile(ctx, path)
	if errors.Is(err, fs.ErrNotExist) && o.Sheet == "" {
		f, size, o.Sheet, err = openFileOfSheet(ctx, path, err)
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

// Open reads a table up to the first row, and finds the columns. It recognises the format by
// the first bytes: CSV text, JSON, Parquet or an .xlsx workbook, plain or gzipped, or a zip
// file with one text file. Text is in UTF-8, or in UTF-16 with a byte order mark.
//
// The delimiter of CSV (semicolon, tab, comma or blanks) is found in the first row;
// quoted fields, CRLF, a byte order mark and blank lines are understood. JSON is a sequence or
// an array of objects. The keys of the first object are the columns; a key that a later object
// lacks is a missing value, and a key that the first object lacks is an error. Numbers of every
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
	if rec.hasNames() {
		if o.Header == HeaderNo {
			return nil, fmt.Errorf("%s: the columns of such a file have names in any case; it cannot be read as one without a header", rec.position().file)
		}
		o.Header = HeaderYes
	}
	s = &Stream{Name: name, reader: rec, reportProgress: data.ProgressFrom(ctx), buffer: rowBuffer{pieceBytes: cmp.Or(o.pieceBytes, minPieceBytes)}}
	s.textReader, _ = rec.(*textReader)
	s.parquetReader, _ = innerReader(rec).(*parquetReader)
	_, delimited := innerReader(rec).(*textReader)
	_, s.isWorkbook = innerReader(rec).(*sheetReader)
	first := s.peekRow(0)
	if first == nil {
		if err := s.aheadRows[0].err; err != io.EOF {
			return nil, err
		}
		return nil, fmt.Errorf("%s: the file is empty; a row of numbers for each sample is needed", rec.position().file)
	}
	line := rec.position().line
	fail := func(err error) (*Stream, error) {
		rec.position().line = line
		return nil, rec.position().failf("%w", err)
	}
	if len(first) > maxColumns {
		return fail(fmt.Errorf("the row has %d fields%s; a table has no more than %d columns", len(first), delimiterNote(rec), maxColumns))
	}
	var header bool
	if o.Inputs != nil {
		header, s.columns, err = o.matchColumns(first)
		if err == nil {
			s.Note = o.firstRowNote(first, header)
		}
	} else if header, s.Note, err = o.detectHeader(first, s.peekRow); err == nil {
		names := defaultNames(len(first))
		if header {
			names = o.headerNames(first)
		}
		s.columns, err = o.chooseColumns(names, header)
	}
	if err == nil && o.keepsTexts() {
		err = o.chooseKeptColumns(first, header, &s.columns)
	}
	if err != nil {
		return fail(err)
	}
	if s.Note != "" {
		s.Note = fmt.Sprintf("%s: %s", rec.position().location(line), s.Note)
	}
	if header {
		s.aheadRows = s.aheadRows[1:]
	}
	c := s.columns
	s.Layout = c.layout(header, len(first))
	s.Columns, s.Targets, s.Extras = namesAt(c.names, c.inputs), namesAt(c.names, c.targets), namesAt(c.names, c.extras)
	s.Kept = c.keptNames
	for _, i := range c.weight {
		s.Weight = c.names[i]
	}
	if o.Inputs == nil && o.Raw || o.Fields != nil {
		s.rawInputs = o.newRawColumns(&c, c.inputs, o.Fields)
	}
	if o.Classes || o.TargetFields != nil {
		s.classTargets = o.newClassColumns(&c)
	}
	s.splitBy = o.newRawColumns(&c, c.splitBy, nil)
	used := make([]bool, len(c.names))
	read := c.groups()
	for _, list := range append(read[:], c.keptColumns) {
		for _, i := range list {
			used[i] = true
		}
	}
	if err := rec.useColumns(used); err != nil {
		return nil, err
	}
	switch {
	case !delimited: // other formats have numbers
	case o.Inputs == nil && o.Raw:
		s.decimalCommaExample = s.findDecimalComma(used)
		s.Layout.DecimalComma = s.decimalCommaExample != ""
	case o.Layout != nil:
		s.Layout.DecimalComma = o.Layout.DecimalComma
	}
	s.notation.decimalComma = s.Layout.DecimalComma
	for _, c := range slices.Concat(s.rawInputs, s.classTargets, s.splitBy) {
		c.notation = s.notation
	}
	if o.Inputs == nil && o.Raw {
		s.keepNumberTexts()
	}
	return s, nil
}

// Fields returns the fields of the inputs as the options give them, and nil if they give none.
func (s *Stream) Fields() []data.Field {
	var fields []data.Field
	for _, c := range s.rawInputs {
		if c.field == nil {
			return nil
		}
		fields = append(fields, *c.field)
	}
	return fields
}

// appendTo reads the next row and appends its values to lists of values, in the order of
// Table.Groups. If there is an error, it appends nothing.
func (s *Stream) readRow(lists ...*[]float64) error {
	var fields []string
	var err error
	switch {
	case len(s.aheadRows) > 0:
		fields, s.reader.position().line, err = s.aheadRows[0].fields, s.aheadRows[0].line, s.aheadRows[0].err
		if err == nil || RowOnly(err) {
			s.aheadRows = s.aheadRows[1:]
		}
	case s.countPlainRows() > 0:
		s.appendPlainRows(1, nil, lists...)
		return nil
	case s.hasParsedRows():
		if fields, err = s.takeOddRow(lists); fields == nil {
			return err
		}
	default:
		fields, err = s.reader.next()
	}
	if err == io.EOF && s.rowCount+s.passedCount == 0 {
		err = fmt.Errorf("%s: there is a header but no row of numbers below it", s.reader.position().file)
	}
	if RowOnly(err) {
		s.passedCount++
		s.keepPassedRow(fields)
	}
	if err != nil {
		return err
	}
	c := &s.columns
	if len(fields) != len(c.names) {
		s.keepPassedRow(nil)
		return s.rowError(-1, fmt.Errorf("the row has %d fields, the first row has %d%s; every row needs the same number",
			len(fields), len(c.names), delimiterNote(s.reader)))
	}
	if s.rawInputs != nil && slices.ContainsFunc(c.targets, func(i int) bool { return isMissingText(fields[i]) }) {
		s.unlabelledCount++
		s.passedCount++
		return errUnlabelled
	}
	s.keepCells(fields)
	var before [5]int
	for i, list := range lists {
		before[i] = len(*list)
		at := -1
		switch {
		case i == 0 && s.rawInputs != nil:
			*list, at, err = appendRawCells(*list, fields, s.rawInputs, c.inputs, s.reader.position().line)
		case i == targetGroup && s.classTargets != nil:
			*list, at, err = appendRawCells(*list, fields, s.classTargets, c.targets, s.reader.position().line)
		case i == byGroup:
			*list, at, err = appendRawCells(*list, fields, s.splitBy, c.splitBy, s.reader.position().line)
			if err == nil {
				at, err = c.checkSplitValue((*list)[before[i]:])
			}
		default:
			*list, at, err = s.appendNumbers(*list, fields, c.groups()[i])
		}
		if err == nil && i == weightGroup {
			err = c.checkWeight((*list)[before[i]:])
		}
		if err != nil && i == targetGroup && s.rawInputs != nil && classifyCell(fields[at]) == textCell {
			s.noteTextTarget(at, fields[at])
			err = fmt.Errorf("%w; leave a target empty where it is not known", err)
		}
		if i == targetGroup {
			err = c.explainTarget(err)
		}
		if err != nil {
			for j := range i + 1 {
				*lists[j] = (*lists[j])[:before[j]]
			}
			if s.keptTexts != nil && !s.keepsPassedTexts {
				s.keptTexts.Truncate(s.keptTexts.Rows() - 1)
			}
			return s.rowError(at, err)
		}
	}
	s.rowCount++
	return nil
}

// AppendRows reads as many rows as are Ready, at least one and at most the given number. It
// appends their inputs to x, their targets to y and the line at which each begins to lines. At
// the end of the table the error is io.EOF; a table without rows is another error. The rows
// before an error are appended.
func (s *Stream) AppendRows(x, y []float64, lines []int, most int) ([]float64, []float64, []int, error) {
	for n := 0; n < most && (n == 0 || s.Ready() && !s.hasMuchText()); {
		if !s.hasParsedRows() {
			s.parseBlock(2)
		}
		if rows := min(s.countPlainRows(), most-n); rows > 0 {
			s.appendPlainRows(rows, &lines, &x, &y)
			n += rows
			continue
		}
		if err := s.readRow(&x, &y); err != nil {
			return x, y, lines, err
		}
		lines = append(lines, s.reader.position().line)
		n++
	}
	return x, y, lines, nil
}

// errUnlabelled is the error of a row without a target, which is left out.
var errUnlabelled = errors.New("the row has no target")

// Place returns a line of the file as messages name it, such as "t.csv:3".
func (s *Stream) Place(line int) string { return s.reader.position().location(line) }

// Progress returns the number of bytes read, and the size of the input. The size is 0 if it is
// not known, or if the input is compressed or converted.
func (s *Stream) Progress() (read, size int64) {
	read, known := s.reader.offset()
	if !known || read > s.size {
		return read, 0
	}
	return read, s.size
}

// Ready reports whether the next row can be read without waiting for the program that writes
// the input. It is true for every file on disk.
func (s *Stream) Ready() bool {
	return s.size > 0 || len(s.aheadRows) > 0 || s.hasParsedRows() || s.reader.isReady()
}

// Column returns input i as messages name it: its place in the file, and its name.
func (s *Stream) Column(i int) string { return columnLabel(s.columns.names, s.columns.inputs[i]) }

// Close ends the reading, and closes the file of a stream that OpenFile opened.
func (s *Stream) Close() error {
	s.reader.close()
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
