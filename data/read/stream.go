package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

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
	stored       []bool    // for each cell of the row that nextRow returned last: the file stores it as a number; nil for text
	cells        []string  // memory of inNotation

	titleRows  int         // number of rows above the header
	peekedRows []peekedRow // rows that were read ahead
	pending    []*piece    // parsed rows after peekedRows
	single     piece       // memory for a row that was read outside of a block, and for a block of Parquet

	plan          *plan
	pieces        []*piece  // memory for blocks of text
	decoded       []float64 // memory for blocks of Parquet
	pieceBytes    int       // minimum number of bytes for a goroutine
	rowByRowUntil int64     // byte offset in the input before which rows are read one by one
	rowByRow      bool      // rows are never parsed in blocks; only tests set it

	lastLine        int   // line of the row that was handed out last
	rowCount        int   // number of rows handed out
	unlabelledCount int   // number of rows without a target
	passedCount     int   // number of rows left out: without a target, or with a mistake
	fileRows        int   // number of rows that were read, without those with a mistake
	linesAbove      int   // line of the header; of a file without one, the line before the first row
	numbers         []int // number in the file of each row handed out; nil if there are no gaps

	textTargetCount   int    // number of rows with a text in place of the target's number
	textTargetExample string // column and text of the first of these rows

	keptTexts        *texts.Columns // destination of kept texts; nil if none are kept
	keepsPassedTexts bool           // the texts of rows with a mistake are kept, too
	checkedTextBytes int            // size of keptTexts when it was last compared with the free memory
	dropsRows        bool           // rows without a target are left out of a table; a stream of rows returns an error
	preallocated     bool           // memory was reserved for the estimated number of rows
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

// newStream returns a stream before its first row.
func newStream(ctx context.Context, reader rowReader, name string, o Options) *Stream {
	s := &Stream{
		Name:           name,
		reader:         reader,
		reportProgress: data.ProgressFrom(ctx),
		pieceBytes:     cmp.Or(o.pieceBytes, minPieceBytes),
	}
	s.text, _ = reader.(*textReader)
	s.parquet, _ = reader.(*parquetReader)
	s.json, _ = reader.(*jsonReader)
	_, s.isWorkbook = reader.(*sheetReader)
	return s
}

// begin reads the first rows, finds the columns, and sets all fields of s that depend on the file.
func (s *Stream) begin(o Options) error {
	position := s.reader.position()
	if s.reader.hasNames() {
		if o.Header == HeaderNo {
			return fmt.Errorf("%s: a file of this format always names its columns; it cannot be read without a header", position.file)
		}
		o.Header = HeaderYes
	}
	firstRow := s.peekRow(0)
	if firstRow == nil {
		if err := s.peekedRows[0].err; err != io.EOF { // peekRow stores the error in place of the row
			return err
		}
		return fmt.Errorf("%s: the file is empty; a table needs a row for each sample", position.file)
	}
	if !s.reader.hasNames() {
		s.skipTitles(o)
		s.fitFirstRow(o)
		firstRow = s.peekedRows[0].fields
	}
	line := s.peekedRows[0].line
	err := s.setSchema(o, firstRow)
	if err != nil {
		position.line = line // rows after the first may have been read
		return position.failf("%w", err)
	}
	if s.Note != "" {
		s.Note = fmt.Sprintf("%s: %s", position.location(line), s.Note)
	}
	s.lastLine = line
	s.linesAbove = line - 1
	if s.schema.header {
		s.peekedRows = s.peekedRows[1:] // the first row holds names, not values
		s.linesAbove = line
		s.skipUnitRows()
		s.skipRepeatedHeaders(firstRow)
	}
	if err := s.reader.useColumns(s.schema.used()); err != nil {
		return err
	}
	s.setNotation(o)
	s.findTargetUnits(o)
	if o.findsKinds() {
		s.sampleTexts()
	}
	return nil
}

// skipRepeatedHeaders drops rows with the cells of the header among those that were read ahead, and makes the reader drop
// later ones. A header with numbers or without all names may be repeated by a row of values.
func (s *Stream) skipRepeatedHeaders(header []string) {
	if s.text == nil || hasNumber(header) || slices.Contains(header, "") {
		return
	}
	s.text.header = header
	s.peekedRows = slices.DeleteFunc(s.peekedRows, func(row peekedRow) bool {
		isHeader := slices.Equal(row.fields, header)
		if isHeader {
			s.text.repeats.add(row.line, 1)
		}
		return isHeader
	})
}

// setSchema finds the columns that the options ask for.
func (s *Stream) setSchema(o Options, firstRow []string) error {
	if err := o.CheckNotation(); err != nil {
		return err
	}
	if len(firstRow) > maxColumns {
		return fmt.Errorf("the row has %d fields%s; a table has at most %d columns", len(firstRow), delimiterNote(s.reader), maxColumns)
	}
	peek := s.peekRow
	if s.reader.hasNames() { // no row tells more, and rows are read after the columns are chosen
		peek = func(int) []string { return nil }
	}
	s.schema = o.newSchema(firstRow, peek)
	if err := s.schema.err; err != nil {
		if errors.Is(err, errNoInputs) && s.text != nil && len(firstRow) == 1 {
			return fmt.Errorf("%w; if the file has several columns, a first line such as sep=: declares what separates them", err)
		}
		return err
	}
	s.Note = s.schema.note
	s.remarkOnEmptyColumns()
	s.columns = s.schema.columns
	s.Columns = s.schema.groupNames(inputGroup)
	s.Targets = s.schema.groupNames(targetGroup)
	s.Extras = s.schema.groupNames(extraGroup)
	for _, name := range s.schema.groupNames(weightGroup) { // one or none
		s.Weight = name
	}
	s.Kept = s.schema.keptNames
	s.Layout = s.schema.layout()
	s.Layout.TitleRows = s.titleRows
	s.Layout.MissingValues = o.MissingValues
	return nil
}

// remarkOnEmptyColumns adds a remark on the columns that are left out because they are empty.
func (s *Stream) remarkOnEmptyColumns() {
	if len(s.schema.emptyColumns) > 0 {
		s.reader.position().addRemark("columns without a name and without values in the first rows are left out: %s", listColumnNumbers(columnNumbers(s.schema.emptyColumns)))
	}
}

// setNotation sets how the file writes numbers: as the options say or as the first rows prove. If these prove nothing,
// rows for a model have the signs of its training table.
func (s *Stream) setNotation(o Options) {
	l := &s.Layout
	switch {
	case o.Decimal+o.Thousands != "":
		l.Thousands = o.Thousands
		l.DecimalComma = o.Decimal == "," || o.Decimal == "" && o.Thousands == "."
	case o.decimalCommaExample != "":
		s.useDecimalComma(o.decimalCommaExample)
	case o.findsKinds():
		if signs := s.findDecimalSigns(); signs.comma != "" && signs.point == "" {
			s.useDecimalComma(signs.comma)
		}
	case o.Layout != nil:
		s.setSignsOfRows(o.Layout)
	}
	for _, c := range s.columns {
		c.isPercent = s.isWorkbook && c.rule == mustBeNumber
		if s.parquet == nil || !s.parquet.holdsNumbers(c) {
			c.notation = notationOf(*l)
		}
	}
}

// useDecimalComma reads numbers with decimal commas, as the example proves.
func (s *Stream) useDecimalComma(example string) {
	s.Layout.DecimalComma = true
	s.Layout.Thousands = ""
	s.signRemark = fmt.Sprintf("numbers have decimal commas: %s is read as %s", quoteShort(example), commaToPoint(example))
}

// setSignsOfRows sets the notation of rows for a model, whose training table has the given layout. The first rows of a file
// may prove another decimal sign; rows of a pipe are not awaited.
func (s *Stream) setSignsOfRows(training *data.Layout) {
	s.Layout.DecimalComma = training.DecimalComma
	s.Layout.Thousands = training.Thousands
	if s.size == 0 {
		return
	}
	signs := s.findDecimalSigns()
	hasCommas := signs.comma != "" && signs.point == ""
	hasPoints := signs.point != "" && signs.comma == "" && !groupedByPoints.MatchString(signs.point)
	switch {
	case hasCommas && !training.DecimalComma:
		s.useDecimalComma(signs.comma)
	case hasPoints && training.DecimalComma:
		s.Layout.DecimalComma = false
		s.Layout.Thousands = ""
		s.signRemark = fmt.Sprintf("numbers have decimal points, such as %s, and those of the training table have commas", signs.point)
	}
}

// sampleTexts lets the columns with a text in the sample keep the texts of numbers: they may turn out to be categories,
// whose names are texts such as 1.10. Other columns save the memory.
func (s *Stream) sampleTexts() {
	for n := range lookAheadRows {
		row := s.peekRow(n)
		for _, c := range s.columns {
			if c.rule == mayBeAnything && c.index < len(row) && c.notation.classifyCell(row[c.index]).isName() {
				c.keepsNumberTexts = true
			}
		}
		if row == nil {
			return
		}
	}
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

// inputs returns the columns of the inputs.
func (s *Stream) inputs() []*column { return s.schema.columns[:len(s.schema.groups[inputGroup])] }

// leavesOutUnlabelled reports whether rows without a target are left out. In other tables a missing target is a mistake.
func (s *Stream) leavesOutUnlabelled() bool { return s.inputs()[0].rule != mustBeNumber }

// fill reads the next rows: a block of lines or, if that is not possible, one row. It returns io.EOF after the last row,
// and errUnlabelled for a row without a target.
func (s *Stream) fill() error {
	if len(s.peekedRows) == 0 {
		if isParsed, err := s.parseBlock(); isParsed || err != nil {
			return err
		}
	}
	cells, err := s.nextRow()
	switch {
	case err == io.EOF && s.rowCount+s.passedCount == 0:
		return fmt.Errorf("%s: the file has a header but no row of values below it", s.reader.position().file)
	case IsRowError(err):
		s.passedCount++
		s.keepPassedRow(cells)
	}
	if err != nil {
		return err
	}
	return s.parseCells(cells)
}

// nextRow removes the next row that was read ahead and returns its cells. If there is none, it reads the next row. An
// error that ends the reading is not removed, so that every further call returns it.
func (s *Stream) nextRow() ([]string, error) {
	if len(s.peekedRows) == 0 {
		cells, err := s.reader.next()
		s.stored = s.reader.storedNumbers()
		return cells, err
	}
	row := s.peekedRows[0]
	s.stored = row.stored
	s.reader.position().line = row.line
	if row.err == nil || IsRowError(row.err) {
		s.peekedRows = s.peekedRows[1:]
	}
	return row.fields, row.err
}

// parseCells makes a piece of one row. It returns errUnlabelled for a row without a target, and a *rowError if a cell has a
// mistake.
func (s *Stream) parseCells(cells []string) error {
	if len(cells) != len(s.schema.names) {
		s.keepPassedRow(nil)
		return s.rowError(-1, fmt.Errorf("the row has %d fields, the first row has %d%s; every row needs the same number",
			len(cells), len(s.schema.names), delimiterNote(s.reader)))
	}
	written := cells
	cells = s.inNotation(cells)
	s.noteStored(cells)
	if s.leavesOutUnlabelled() && s.countMissingTargets(cells) > maxMissingTargets(s.columns) {
		s.unlabelledCount++
		s.passedCount++
		s.fileRows++
		return errUnlabelled
	}
	p := &s.single
	p.reset(s.Kept)
	p.firstLine = s.reader.position().line
	p.row = p.row[:0]
	for _, c := range s.columns {
		v, err := s.cellValue(c, cells, p.row)
		if err != nil {
			s.countPassedValues(p.row)
			s.keepPassedRow(written)
			return s.explainMistake(c, cells[c.index], err)
		}
		p.row = append(p.row, v)
	}
	p.addRow(p.row, 0)
	for _, i := range s.schema.keptColumns {
		p.kept.Add([]byte(written[i]))
	}
	return s.addPiece(p)
}

// noteStored notes which cells of a row are numbers that the file stores, and which columns have some that it shows as
// percentages.
func (s *Stream) noteStored(cells []string) {
	if s.stored == nil {
		return
	}
	for _, c := range s.columns {
		c.isStored = s.stored[c.index]
		if c.isStored && s.isWorkbook && strings.HasSuffix(cells[c.index], "%") {
			c.fractions = true
		}
	}
}

// countMissingTargets returns the number of targets that a row with the given cells lacks.
func (s *Stream) countMissingTargets(cells []string) int {
	count := 0
	for _, c := range s.columns {
		if c.group == targetGroup && c.isMissingCell(cells[c.index]) {
			count++
		}
	}
	return count
}

// cellValue returns the value of the cell of column c in a row with the given cells, whose values in the columns before c
// are known.
func (s *Stream) cellValue(c *column, cells []string, before []float64) (float64, error) {
	if c.group == targetGroup && c.rule == mustBeNumber && s.leavesOutUnlabelled() && c.isMissingCell(cells[c.index]) {
		return math.NaN(), nil // the row has another target
	}
	v, err := c.value(cells[c.index], s.reader.position().line)
	switch {
	case errors.Is(err, errUnknownClass) && s.weighsNothing(cells):
		return 0, nil
	case err == nil && c.group == splitGroup && isMissing(v) && !s.isBlank(before):
		err = fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", c.label)
	}
	return v, err
}

// weighsNothing reports whether the weight of a row is read and 0.
func (s *Stream) weighsNothing(cells []string) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		if c.group != weightGroup {
			return false
		}
		weight, isNumber, _ := c.notation.parseNumber(cells[c.index])
		return isNumber && weight == 0
	})
}

// isBlank reports whether a row, which begins with the given values, is a row of a raw table without any input. Such a row
// is left out (data.Table.WithoutBlanks).
func (s *Stream) isBlank(values []float64) bool {
	hasValue := func(v float64) bool { return !isMissing(v) }
	return s.leavesOutUnlabelled() && !slices.ContainsFunc(values[:len(s.inputs())], hasValue)
}

// countPassedValues stores the values of the first columns in a row of a raw table with a mistake: they count when the
// kinds of the columns are decided, so that all mistakes are reported at once.
func (s *Stream) countPassedValues(values []float64) {
	if !s.dropsRows {
		return
	}
	for k, v := range values {
		s.columns[k].passedValues = append(s.columns[k].passedValues, v)
	}
}

// explainMistake returns the error for a cell with a mistake, with advice. It counts texts in place of a target: the
// target may then be a class (labelError).
func (s *Stream) explainMistake(c *column, cell string, err error) error {
	s.commaMistake = s.commaMistake || isDecimalCommaNumber(cell)
	if _, ok := err.(errNegativeWeight); ok {
		return s.rowError(-1, err)
	}
	if c.group == targetGroup {
		if c.rule == mustBeNumber && s.leavesOutUnlabelled() && classifyCell(cell).isName() {
			s.textTargetCount++
			if s.textTargetCount == 1 {
				s.textTargetExample = fmt.Sprintf("column %s, the target, has texts such as %s", c.label, quoteShort(cell))
			}
			err = fmt.Errorf("%w; leave a target empty where it is not known", err)
		}
		err = s.schema.explainTarget(err)
	}
	result := s.rowError(c.index, err)
	var bad *rowError
	if c.rule == mustBeNumber && errors.As(result, &bad) {
		bad.reason = mistakeReason(cell, err.Error())
	}
	return result
}

// hasRows reports whether parsed rows are pending. It drops pieces without such rows.
func (s *Stream) hasRows() bool {
	for len(s.pending) > 0 && s.pending[0].taken == len(s.pending[0].lines) {
		s.pending = slices.Delete(s.pending, 0, 1)
	}
	return len(s.pending) > 0
}

// countRows returns the number of rows of the first pending piece.
func (s *Stream) countRows() int {
	if !s.hasRows() {
		return 0
	}
	return len(s.pending[0].lines) - s.pending[0].taken
}

// take hands out the next n rows, at most countRows. It appends their values to groups, one slice for each of the first
// groups of Table.Groups, and their line numbers to lines unless lines is nil.
func (s *Stream) take(n int, lines *[]int, groups ...*[]float64) {
	p := s.pending[0]
	width := len(s.columns)
	for row := p.taken; row < p.taken+n; row++ {
		values := p.values[row*width : (row+1)*width]
		for g, to := range groups {
			size := len(s.schema.groups[g])
			*to = append(*to, values[:size]...)
			values = values[size:]
		}
		if lines != nil {
			*lines = append(*lines, p.firstLine+p.lines[row])
		}
	}
	if s.keptTexts != nil {
		s.keptTexts.AddRows(&p.kept, p.taken, p.taken+n)
	}
	p.taken += n
	s.rowCount += n
	s.lastLine = p.firstLine + p.lines[p.taken-1]
}

// noteNumbers stores the numbers in the file of the next n rows, at most countRows, unless all rows so far are numbered
// without gaps. The rows of a sheet have visible numbers, also the blank ones; blank lines of text are no rows.
func (s *Stream) noteNumbers(n int) {
	p := s.pending[0]
	next := p.numbers[p.taken : p.taken+n]
	if s.numbers == nil && p.firstNumber+next[n-1] == s.rowCount+n {
		return
	}
	for len(s.numbers) < s.rowCount {
		s.numbers = append(s.numbers, len(s.numbers)+1)
	}
	for _, i := range next {
		s.numbers = append(s.numbers, p.firstNumber+i)
	}
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

// KeepIn makes the stream append the texts of the columns in s.Kept to t with each row read from now on. It sets
// t.Names. If s.Kept is empty, nothing is appended.
func (s *Stream) KeepIn(t *texts.Columns) {
	t.Names = s.Kept
	s.keptTexts = nil
	if len(s.Kept) > 0 {
		s.keptTexts = t
	}
}

// KeepPassed makes the stream also keep the texts of rows with a mistake, so that the kept texts have a row for each row
// of the file. The texts of such a row are empty if its cells cannot be told apart.
func (s *Stream) KeepPassed() { s.keepsPassedTexts = true }

// keepPassedRow appends the texts of a row with a mistake if KeepPassed was called. It appends empty texts if there is
// not a cell for each column of the file: the cells are then not known.
func (s *Stream) keepPassedRow(cells []string) {
	if s.keptTexts == nil || !s.keepsPassedTexts {
		return
	}
	if len(cells) != len(s.schema.names) {
		cells = make([]string, len(s.schema.names))
	}
	for _, i := range s.schema.keptColumns {
		s.keptTexts.Add([]byte(cells[i]))
	}
}

// hasMuchText reports whether so much text is kept, as much as the longest row may have, that the caller should use it
// and free its memory before it reads further rows.
func (s *Stream) hasMuchText() bool { return s.keptTexts != nil && s.keptTexts.Size() >= maxRow }
