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

// Stream reads the rows of a table one after the other, so that a table of any length can be
// read. Its memory does not grow with the number of rows, unless texts are kept.
//
// The first rows are read ahead to recognise the header and the notation of numbers. Later rows are
// parsed in blocks where this is possible, and otherwise read one by one.
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
	textReader     *textReader    // reader if it reads text whose lines can be parsed in blocks; else nil
	parquetReader  *parquetReader // reader if it reads a Parquet file; else nil
	isDelimited    bool           // the input is delimited text, possibly in an archive
	isWorkbook     bool           // the input is a workbook, whose numbers may be shown as percentages
	reportProgress func(read, size int64)

	columns      columnChoice
	rawInputs    []*rawColumn // inputs that may hold texts; nil if all inputs are numbers
	classTargets []*rawColumn // targets with class labels; nil if targets are numbers
	splitBy      []*rawColumn // column that rows are split by: one or none

	peekedRows []peekedRow // rows that were read ahead
	buffer     rowBuffer   // parsed rows after peekedRows

	rowCount       int   // number of rows handed out
	unlabelledRows []int // indices in the file of the rows without a target; set by readRows
	passedCount    int   // number of rows left out: without a target, or with a mistake
	linesAbove     int   // line of the header; of a file without one, the line before the first row
	sheetNumbers   []int // number of each row of a sheet, whose blank rows count; set by readRows

	textTargetCount   int    // number of rows with a text in place of the target's number
	textTargetExample string // column and text of the first of these rows

	keptTexts        *texts.Columns // destination of kept texts; nil if none are kept
	keepsPassedTexts bool           // the texts of rows with a mistake are kept, too
	checkedTextBytes int            // size of keptTexts when it was last compared with the free memory

	preallocated bool // memory was reserved for the estimated number of rows

	notation            notation // of the file's numbers
	decimalCommaExample string   // a number of the file with a decimal comma; "" if there is none
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
	s.file = f
	s.size = size
	return s, nil
}

// Open reads the first rows of a table and finds its columns. It recognises the format by the
// first bytes: CSV text, JSON, Parquet or an .xlsx workbook, plain or gzipped, or a zip file with
// one text file. Text is in UTF-8, or in UTF-16 with a byte order mark.
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
func Open(ctx context.Context, r io.Reader, name string, o Options) (*Stream, error) {
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
	if err := s.begin(o); err != nil {
		reader.close()
		return nil, err
	}
	return s, nil
}

// newStream returns a stream before its first row.
func newStream(ctx context.Context, reader rowReader, name string, o Options) *Stream {
	s := &Stream{
		Name:           name,
		reader:         reader,
		reportProgress: data.ProgressFrom(ctx),
		buffer:         rowBuffer{pieceBytes: cmp.Or(o.pieceBytes, minPieceBytes)},
	}
	s.textReader, _ = reader.(*textReader)
	s.parquetReader, _ = innerReader(reader).(*parquetReader)
	_, s.isDelimited = innerReader(reader).(*textReader)
	_, s.isWorkbook = innerReader(reader).(*sheetReader)
	return s
}

// begin reads the first rows, finds the columns, and prepares the reading of the rows of values: it
// sets all fields of s that depend on the file.
func (s *Stream) begin(o Options) error {
	if s.reader.hasNames() {
		if o.Header == HeaderNo {
			return fmt.Errorf("%s: a file of this format always names its columns; it cannot be read without a header", s.reader.position().file)
		}
		o.Header = HeaderYes
	}
	firstRow, line, err := s.peekFirstRow()
	if err != nil {
		return err
	}
	header, err := s.findColumns(o, firstRow)
	if err != nil {
		s.reader.position().line = line // rows after the first may have been read
		return s.reader.position().failf("%w", err)
	}
	if s.Note != "" {
		s.Note = fmt.Sprintf("%s: %s", s.reader.position().location(line), s.Note)
	}
	s.linesAbove = line - 1
	if header {
		s.peekedRows = s.peekedRows[1:] // the first row holds names, not values
		s.linesAbove = line
	}
	s.setColumns(o, s.columns.layout(header, len(firstRow)))
	used := s.columns.used()
	if err := s.reader.useColumns(used); err != nil {
		return err
	}
	s.setNotation(o, used)
	if o.findsKinds() {
		s.keepNumberTexts()
	}
	return nil
}

// peekFirstRow reads the first row ahead, and returns it and its line number. It returns an error if
// the file is empty or the row cannot be read.
func (s *Stream) peekFirstRow() (firstRow []string, line int, err error) {
	firstRow = s.peekRow(0)
	if firstRow != nil {
		return firstRow, s.reader.position().line, nil
	}
	err = s.peekedRows[0].err // peekRow stores the error in place of the row
	if err != io.EOF {
		return nil, 0, err
	}
	return nil, 0, fmt.Errorf("%s: the file is empty; a table needs a row for each sample", s.reader.position().file)
}

// findColumns finds the columns that the options ask for and stores them in s.columns. It reports
// whether the first row is a header, and stores a note for the user in s.Note if that is unclear.
func (s *Stream) findColumns(o Options, firstRow []string) (header bool, err error) {
	if len(firstRow) > maxColumns {
		return false, fmt.Errorf("the row has %d fields%s; a table has at most %d columns", len(firstRow), delimiterNote(s.reader), maxColumns)
	}
	if o.Inputs != nil {
		header, err = s.findGivenInputs(o, firstRow)
	} else {
		header, err = s.findInputs(o, firstRow)
	}
	if err != nil || !o.keepsTexts() {
		return header, err
	}
	return header, o.chooseKeptColumns(firstRow, header, &s.columns)
}

// findGivenInputs is findColumns for options whose Inputs name the columns to read.
func (s *Stream) findGivenInputs(o Options, firstRow []string) (header bool, err error) {
	header, s.columns, err = o.matchColumns(firstRow)
	if err == nil {
		s.Note = o.firstRowNote(firstRow, header)
	}
	return header, err
}

// findInputs is findColumns for options without Inputs: every column without another use is an input.
func (s *Stream) findInputs(o Options, firstRow []string) (header bool, err error) {
	header, s.Note, err = o.detectHeader(firstRow, s.peekRow)
	if err != nil {
		return header, err
	}
	names := defaultNames(len(firstRow))
	if header {
		names = o.headerNames(firstRow)
	}
	s.columns, err = o.chooseColumns(names, header)
	return header, err
}

// setColumns sets the exported fields of s that name columns, from s.columns, and prepares the columns
// that may hold texts. layout is the layout of the file.
func (s *Stream) setColumns(o Options, layout data.Layout) {
	c := &s.columns
	s.Layout = layout
	s.Columns = namesAt(c.names, c.inputs)
	s.Targets = namesAt(c.names, c.targets)
	s.Extras = namesAt(c.names, c.extras)
	s.Kept = c.keptNames
	for _, i := range c.weight { // one or none
		s.Weight = c.names[i]
	}
	inputsMayBeTexts := o.findsKinds() || o.Fields != nil
	if inputsMayBeTexts {
		s.rawInputs = o.newRawColumns(c, c.inputs, o.Fields)
	}
	targetsAreClasses := o.Classes || o.TargetFields != nil
	if targetsAreClasses {
		s.classTargets = o.newClassColumns(c)
	}
	s.splitBy = o.newRawColumns(c, c.splitBy, nil)
}

// setNotation sets whether the numbers of the file have decimal commas, and tells all raw columns. It
// judges by the first rows of the used columns or, if the options give the layout of the training
// table, by that. Only delimited text can have decimal commas: in other formats numbers are not text.
func (s *Stream) setNotation(o Options, used []bool) {
	switch {
	case !s.isDelimited: // decimal points
	case o.findsKinds():
		s.decimalCommaExample = s.findDecimalComma(used)
		s.Layout.DecimalComma = s.decimalCommaExample != ""
	case o.Layout != nil:
		s.Layout.DecimalComma = o.Layout.DecimalComma
	}
	s.notation.decimalComma = s.Layout.DecimalComma
	for _, c := range slices.Concat(s.rawInputs, s.classTargets, s.splitBy) {
		c.notation = s.notation
	}
}

// Fields returns the fields of the inputs that the options gave, and nil if they gave none.
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

// readRow reads the next row: a row that was read ahead, a row of the buffer, or else a row of the
// reader. It appends the row's values to groupValues, one slice for each of the first groups of
// Table.Groups. If there is an error, it appends nothing. It returns io.EOF after the last row, and
// errUnlabelled for a row without a target.
func (s *Stream) readRow(groupValues ...*[]float64) error {
	isBuffered := len(s.peekedRows) == 0 && s.hasParsedRows()
	if !isBuffered {
		fields, err := s.nextFields()
		if err != nil {
			return err
		}
		return s.appendFields(fields, groupValues)
	}
	if s.countNumericRows() > 0 {
		s.appendNumericRows(1, nil, groupValues...)
		return nil
	}
	row := s.takeDeferredRow()
	if fields := s.deferredFields(row); fields != nil {
		return s.appendFields(fields, groupValues)
	}
	return s.appendDeferredRow(row, groupValues)
}

// nextFields returns the fields of the next row outside of the buffer. A row that the reader cannot
// read is counted as left out, and its texts are kept if KeepPassed was called.
func (s *Stream) nextFields() ([]string, error) {
	fields, err := s.nextPeekedRow()
	switch {
	case err == io.EOF && s.rowCount+s.passedCount == 0:
		return nil, fmt.Errorf("%s: the file has a header but no row of values below it", s.reader.position().file)
	case IsRowError(err):
		s.passedCount++
		s.keepPassedRow(fields)
	}
	return fields, err
}

// nextPeekedRow removes the next row that was read ahead and returns its fields. If there is none, it
// reads the next row. An error that ends the reading is not removed, so that every further call
// returns it.
func (s *Stream) nextPeekedRow() ([]string, error) {
	if len(s.peekedRows) == 0 {
		return s.reader.next()
	}
	row := s.peekedRows[0]
	s.reader.position().line = row.line
	if row.err == nil || IsRowError(row.err) {
		s.peekedRows = s.peekedRows[1:]
	}
	return row.fields, row.err
}

// appendFields appends the values of a row, given as texts, to groupValues, as readRow does. It keeps
// the row's texts. If a field has a mistake, it takes back everything that it has appended.
func (s *Stream) appendFields(fields []string, groupValues []*[]float64) error {
	c := &s.columns
	if len(fields) != len(c.names) {
		s.keepPassedRow(nil)
		return s.rowError(-1, fmt.Errorf("the row has %d fields, the first row has %d%s; every row needs the same number",
			len(fields), len(c.names), delimiterNote(s.reader)))
	}
	if s.rawInputs != nil && s.lacksTarget(fields) { // in other tables a missing target is a mistake
		s.passedCount++
		return errUnlabelled
	}
	s.keepCells(fields)
	var lengths [5]int // of groupValues before the row
	for group, values := range groupValues {
		lengths[group] = len(*values)
		badColumn, err := s.appendGroup(group, values, fields)
		if err == nil && group == splitGroup {
			badColumn, err = s.checkSplitValue((*groupValues[inputGroup])[lengths[inputGroup]:], (*values)[lengths[group]:])
		}
		if err == nil {
			continue
		}
		for g := range group + 1 {
			*groupValues[g] = (*groupValues[g])[:lengths[g]]
		}
		if s.keptTexts != nil && !s.keepsPassedTexts {
			s.keptTexts.Truncate(s.keptTexts.Rows() - 1)
		}
		return s.rowError(badColumn, err)
	}
	s.rowCount++
	return nil
}

// lacksTarget reports whether the value of a target is missing in a row.
func (s *Stream) lacksTarget(fields []string) bool {
	return slices.ContainsFunc(s.columns.targets, func(i int) bool { return isMissingText(fields[i]) })
}

// appendGroup appends the values of one group of Table.Groups in a row to *values. If a field has a
// mistake, it returns an error and the field's column, or −1 for the whole row; *values may then have
// values of the row.
func (s *Stream) appendGroup(group int, values *[]float64, fields []string) (badColumn int, err error) {
	start := len(*values)
	columns := s.columns.groups()[group]
	raws := s.rawGroup(group)
	if raws != nil {
		*values, badColumn, err = appendRawCells(*values, fields, raws, columns, s.reader.position().line)
	} else {
		*values, badColumn, err = s.appendNumbers(*values, fields, columns)
	}
	if errors.Is(err, errUnknownClass) && s.weighsNothing(fields) {
		*values = append((*values)[:start], make([]float64, len(columns))...)
		return -1, nil
	}
	switch {
	case err != nil && group == targetGroup:
		return badColumn, s.explainBadTarget(badColumn, fields[badColumn], err)
	case err != nil:
		return badColumn, err
	case group == weightGroup:
		return -1, s.columns.checkWeight((*values)[start:])
	}
	return -1, nil
}

// weighsNothing reports whether the weight of a row is 0.
func (s *Stream) weighsNothing(fields []string) bool {
	weights, _, err := s.appendNumbers(nil, fields, s.columns.weight)
	return err == nil && len(weights) == 1 && weights[0] == 0
}

// explainBadTarget returns the error for a mistake in a target's field, with advice. It counts the row
// if the field is text in a raw table: the target may then be a class (labelError).
func (s *Stream) explainBadTarget(column int, field string, err error) error {
	if s.rawInputs != nil && classifyCell(field) == textCell {
		s.noteTextTarget(column, field)
		err = fmt.Errorf("%w; leave a target empty where it is not known", err)
	}
	return s.columns.explainTarget(err)
}

// AppendRows reads as many rows as are Ready, at least one and at most maxRows. It appends their
// inputs to x, their targets to y and the line at which each begins to lines, and returns the three
// slices. At the end of the table the error is io.EOF; a table without rows is another error. The
// rows before an error are appended. It also stops when much text is kept (KeepIn), so that the
// caller can use it.
func (s *Stream) AppendRows(x, y []float64, lines []int, maxRows int) ([]float64, []float64, []int, error) {
	const groups = targetGroup + 1 // inputs and targets
	for n := 0; n < maxRows; {
		if n > 0 && (!s.Ready() || s.hasMuchText()) {
			break
		}
		if !s.hasParsedRows() {
			s.parseBlock(groups)
		}
		numericRows := min(s.countNumericRows(), maxRows-n)
		if numericRows > 0 {
			s.appendNumericRows(numericRows, &lines, &x, &y)
			n += numericRows
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

// errUnlabelled is returned for a row without a target, which is left out of the table.
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
	return s.size > 0 || len(s.peekedRows) > 0 || s.hasParsedRows() || s.reader.isReady()
}

// Column returns input i as messages name it: the number of its column in the file, from 1, and
// its name.
func (s *Stream) Column(i int) string { return columnLabel(s.columns.names, s.columns.inputs[i]) }

// Close ends the reading. It also closes the file if OpenFile opened the stream.
func (s *Stream) Close() error {
	s.reader.close()
	if s.file != nil {
		return s.file.Close()
	}
	return nil
}
