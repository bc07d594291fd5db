// Package read reads tables from CSV, JSON, Parquet and .xlsx files of any origin: it recognises
// formats, delimiters, headers, dates and missing values, and its errors name the line and the
// column. Start with File for a whole table, or with OpenFile for the rows one after the other.
// The package does not turn columns into features for a network, and does not split rows.
package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"sml/data"
)

// All reads a whole table from r. Messages call the input by the given name. See Open for the formats
// and the errors.
func All(ctx context.Context, r io.Reader, name string, o Options) (*data.Table, error) {
	s, err := Open(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	return s.readTable(o)
}

// File reads a whole table from a file. See OpenFile for paths and Open for the formats and the
// errors. A file on disk is read a second time if a column turns out to be a category after the
// texts of its numbers were dropped.
func File(ctx context.Context, path string, o Options) (*data.Table, error) {
	t, err := readFileOnce(ctx, path, o)
	var late *lateCategoryError
	if errors.As(err, &late) && late.canReread && o.numberTextColumns == nil {
		o.numberTextColumns = late.columns
		return readFileOnce(ctx, path, o)
	}
	return t, err
}

// readFileOnce is File without a second reading.
func readFileOnce(ctx context.Context, path string, o Options) (*data.Table, error) {
	s, err := OpenFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return s.readTable(o)
}

// emptyTable returns the table of the stream without any rows.
func (s *Stream) emptyTable() *data.Table {
	layout := s.Layout
	t := &data.Table{
		Name:    s.Name,
		Columns: s.Columns,
		Targets: s.Targets,
		Extras:  s.Extras,
		Weight:  s.Weight,
		Note:    s.Note,
		Layout:  &layout,
	}
	for _, i := range s.columns.splitBy {
		t.SplitColumn = s.columns.names[i]
	}
	if example := s.decimalCommaExample; example != "" {
		t.Remarks = append(t.Remarks, fmt.Sprintf("numbers have decimal commas: %s is read as %s", quoteShort(example), commaToPoint(example)))
	}
	if remark := s.reader.position().remark; remark != "" {
		t.Remarks = append(t.Remarks, remark)
	}
	return t
}

// readTable reads all rows into a table and closes the stream. It returns one error with all mistakes
// of a raw table, and the first mistake of another table.
func (s *Stream) readTable(o Options) (t *data.Table, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	t = s.emptyTable()
	s.KeepIn(&t.KeptTexts)
	report := &problemReport{position: s.reader.position()}
	if err := s.readRows(t, cmp.Or(o.maxValues, defaultMaxValues), report); err != nil {
		return nil, err
	}
	return s.finishTable(t, report)
}

// readRows appends all rows to t. In a raw table it adds rows with a mistake to the report and goes on;
// in other tables it returns the first mistake as an error. It also returns an error if t would have
// more than maxValues values or would not fit into memory.
func (s *Stream) readRows(t *data.Table, maxValues int, report *problemReport) error {
	groups := len(t.Groups())
	var reportedBytes int64 // bytes read at the last report of progress
	for {
		if !s.hasParsedRows() {
			s.preallocate(t, maxValues)
			s.parseBlock(groups)
			read, size := s.Progress()
			if read-reportedBytes >= blockSize {
				reportedBytes = read
				s.reportProgress(read, size)
			}
		}
		numericRows, err := s.reserveRows(t, maxValues, s.countNumericRows())
		if err != nil {
			return err
		}
		if numericRows > 0 {
			s.appendNumericRows(numericRows, nil, &t.X, &t.Y, &t.E, &t.W, &t.SplitValues)
			continue
		}
		err = s.readRow(&t.X, &t.Y, &t.E, &t.W, &t.SplitValues)
		if err == io.EOF {
			return nil
		}
		if err == errUnlabelled {
			s.unlabelledRows = append(s.unlabelledRows, s.rowCount+len(s.unlabelledRows))
			continue
		}
		if err == nil {
			s.noteSheetRow()
			continue
		}
		goesOn := s.reportRow(err, report)
		if goesOn {
			continue
		}
		if len(report.problems) > 0 { // the error ends the reading after other mistakes
			return cmp.Or(s.labelError(), errors.Join(report.err(), err))
		}
		return err
	}
}

// reportRow adds err to the report if it concerns a single row of a raw table, and reports
// whether reading goes on.
func (s *Stream) reportRow(err error, report *problemReport) bool {
	var bad *rowError
	return errors.As(err, &bad) && s.rawInputs != nil && report.addRow(bad)
}

// finishTable finds the fields of the columns after all rows are read, and returns the table without
// the rows in which every input is missing. It returns an error if the report has problems, if no row
// is left, or if all weights are 0. A *lateCategoryError tells File to read the file again.
func (s *Stream) finishTable(t *data.Table, report *problemReport) (*data.Table, error) {
	if s.rowCount == 0 && len(report.problems) == 0 {
		return nil, s.columns.explainTarget(fmt.Errorf("%s: all %d rows lack a target; no row is left", s.reader.position().file, len(s.unlabelledRows)))
	}
	t.UnlabelledRows = len(s.unlabelledRows)
	t.Numbers = s.rowNumbers()
	s.resolveColumns(t, report)
	if err := report.err(); err != nil {
		return nil, cmp.Or(s.labelError(), err)
	}
	if err := s.checkDroppedTexts(t); err != nil {
		return nil, err
	}
	hasPlainInputs := !slices.ContainsFunc(t.Fields, needsField) && !slices.ContainsFunc(t.X, math.IsNaN)
	if s.findsFields() && hasPlainInputs { // the table is like one that was not read as raw
		t.Fields = nil
	}
	t = t.WithoutBlanks()
	if t.Rows() == 0 {
		return nil, fmt.Errorf("%s: in all %d rows every input is missing; no row is left", s.Name, t.BlankRows)
	}
	return t, s.checkWeights(t)
}

// noteSheetRow adds the number of the row that was read last to s.sheetNumbers if the file is a sheet. The rows of a sheet
// have visible numbers, also the blank ones, which the reader skips.
func (s *Stream) noteSheetRow() {
	if s.isWorkbook {
		s.sheetNumbers = append(s.sheetNumbers, s.reader.position().line-s.linesAbove)
	}
}

// rowNumbers returns the number, from 1, that each row of the table has in the file, or nil if there are no gaps: no row
// lacks a target, and no row of a sheet is blank. Blank lines of text are no rows.
func (s *Stream) rowNumbers() []int {
	if n := len(s.sheetNumbers); n > 0 && s.sheetNumbers[n-1] > n {
		return s.sheetNumbers
	}
	if len(s.unlabelledRows) == 0 {
		return nil
	}
	numbers := make([]int, 0, s.rowCount)
	passed := 0
	for i := range s.rowCount {
		for passed < len(s.unlabelledRows) && s.unlabelledRows[passed] == i+passed {
			passed++
		}
		numbers = append(numbers, i+passed+1)
	}
	return numbers
}

// resolveColumns sets Fields, TargetFields and SplitField of t by the values and texts of all rows, and
// replaces the NaNs that stand for texts by their values. It adds mistakes to the report and remarks
// for the user to t.Remarks.
func (s *Stream) resolveColumns(t *data.Table, report *problemReport) {
	lineUnit := cmp.Or(s.reader.position().unit, "line")
	for j, c := range s.rawInputs {
		f := c.resolve(t.X, j, len(s.rawInputs), report.add)
		t.Fields = append(t.Fields, f)
		if remark := c.remark(f, lineUnit); remark != "" {
			t.Remarks = append(t.Remarks, remark)
		}
	}
	for j, c := range s.classTargets {
		t.TargetFields = append(t.TargetFields, c.resolve(t.Y, j, len(s.classTargets), report.add))
	}
	findsClasses := len(s.classTargets) > 0 && s.classTargets[0].field == nil
	if findsClasses && areClassNumbers(t.TargetFields) { // the labels say nothing beyond the numbers
		t.TargetFields = nil
	}
	for _, c := range s.splitBy {
		t.SplitField = c.resolve(t.SplitValues, 0, 1, report.add)
		c.checkNoTexts(t.SplitField, report.add)
	}
}

// needsField reports whether a column is anything but plain numbers, so that the table needs its
// field.
func needsField(f data.Field) bool { return f.Kind != data.Number || f.Prefix+f.Suffix != "" }

// findsFields reports whether the fields of the inputs are found from their values, and not
// given by the options.
func (s *Stream) findsFields() bool { return len(s.rawInputs) > 0 && s.rawInputs[0].field == nil }
