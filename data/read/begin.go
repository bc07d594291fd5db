package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"sml/data"
)

// newStream returns a stream before its first row.
func newStream(ctx context.Context, reader rowReader, name string, o Options) *Stream {
	s := &Stream{
		Name:   name,
		reader: reader,

		keepsUnlabelled: o.KeepUnlabelled,
		reportProgress:  data.ProgressFrom(ctx),
		blocks:          blocks{pieceBytes: cmp.Or(o.pieceBytes, minPieceBytes)},
	}
	s.text, _ = reader.(*textReader)
	s.parquet, _ = reader.(*parquetReader)
	s.json, _ = reader.(*jsonReader)
	_, s.isWorkbook = reader.(*sheetReader)
	return s
}

// begin reads the first rows and sets all fields of s that depend on the file: the columns and their use, the notation of
// numbers, and the lines of the header. Each step builds on the results of the steps before.
func (s *Stream) begin(o Options) error {
	position := s.reader.position()
	if s.reader.hasNames() && o.Header == HeaderNo {
		return fmt.Errorf("%s: a file of this format always names its columns; it cannot be read without a header", position.file)
	}
	if s.reader.hasNames() {
		o.Header = HeaderYes
	}
	first, err := s.findFirstRow(o)
	if err != nil {
		return err
	}
	if err := s.setSchema(o, first.cells); err != nil {
		position.line = first.line // rows after the first may have been read
		return position.failf("%w", err)
	}
	if s.Note != "" {
		s.Note = fmt.Sprintf("%s: %s", position.location(first.line), s.Note)
	}
	s.lastLine = first.line
	s.skipHeader(first)
	if err := s.reader.useColumns(s.schema.used()); err != nil {
		return err
	}
	s.setNotation(o)
	s.findTargetUnits(o)
	s.findDateLayouts()
	if o.findsKinds() {
		s.sampleTexts()
		s.remarkOnLeadingZeros()
	}
	return nil
}

// findFirstRow returns the first row below titles. It returns an error if there is none.
func (s *Stream) findFirstRow(o Options) (first peekedRow, err error) {
	if s.peekRow(0) == nil {
		if err := s.peekedRows[0].err; err != io.EOF { // peekRow stores the error in place of the row
			return first, err
		}
		return first, fmt.Errorf("%s: the file is empty; a table needs a row for each sample", s.reader.position().file)
	}
	if !s.reader.hasNames() {
		s.skipTitles(o)
		s.fitFirstRow(o)
	}
	return s.peekedRows[0], nil
}

// skipHeader drops the first row if it is a header, and the rows below it that are not values.
func (s *Stream) skipHeader(first peekedRow) {
	if !s.schema.header {
		s.linesAbove = first.line - 1
		return
	}
	s.peekedRows = s.peekedRows[1:]
	s.linesAbove = first.line
	s.skipUnitRows()
	s.skipRepeatedHeaders(first.cells)
}

// skipRepeatedHeaders drops rows with the cells of the header among those that were read ahead, and makes the reader drop
// later ones. A header with numbers or without all names may be repeated by a row of values.
func (s *Stream) skipRepeatedHeaders(header []string) {
	if s.text == nil || hasNumber(header) || slices.Contains(header, "") {
		return
	}
	s.text.header = header
	s.peekedRows = slices.DeleteFunc(s.peekedRows, func(row peekedRow) bool {
		isHeader := slices.Equal(row.cells, header)
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
	s.remarkOnEmptyColumns()
	s.publishSchema(o)
	return nil
}

// publishSchema sets the fields of s that callers see, by the schema.
func (s *Stream) publishSchema(o Options) {
	s.Note = s.schema.note
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
}

// remarkOnEmptyColumns adds a remark on the columns that are left out because they are empty.
func (s *Stream) remarkOnEmptyColumns() {
	if len(s.schema.emptyColumns) > 0 {
		s.reader.position().addRemark("columns without a name and without values in the first rows are left out: %s", listColumnNumbers(columnNumbers(s.schema.emptyColumns)))
	}
}

// sampleTexts lets the columns with a text in the sample keep the texts of numbers: they may turn out to be categories,
// whose names are texts such as 1.10. Other columns save the memory.
func (s *Stream) sampleTexts() {
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if row == nil {
			return
		}
		for _, c := range s.columns {
			if c.rule == mayBeAnything && c.index < len(row) && c.notation.classifyCell(row[c.index]).isName() {
				c.keepsNumberTexts = true
			}
		}
	}
}

// remarkOnLeadingZeros adds a remark on each input of numbers if one of the first rows has a code such as
// 01234.
func (s *Stream) remarkOnLeadingZeros() {
	isCode := func(text string) bool {
		_, isNumber, _ := parseNumber(text)
		return isNumber && hasLeadingZero(text) && !strings.ContainsAny(text, ".eE")
	}
	for _, c := range s.inputs() {
		isUndeclared := c.rule == mayBeAnything && c.declared == declaration{}
		if !isUndeclared || c.keepsNumberTexts {
			continue
		}
		if codes := s.sampleColumn(c).where(isCode); codes != nil {
			s.reader.position().addRemark("column %s: %s begins with a zero, and is read as a number; declare the column categorical if its values are codes", c.label, quoteShort(codes[0].text))
		}
	}
}
