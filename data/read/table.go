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

// All reads a whole table from r. Messages call the input by the given name. See Open for the formats and the errors.
func All(ctx context.Context, r io.Reader, name string, o Options) (*data.Table, error) {
	s, err := Open(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	return s.readTable(o)
}

// File reads a whole table from a file. See OpenFile for paths and Open for the formats and the errors. A file on disk is
// read again if a column turns out to be a category after the texts of its numbers were dropped, if a later object of
// JSON has a new key, and if all rows together prove the meaning of the commas in its numbers.
func File(ctx context.Context, path string, o Options) (*data.Table, error) {
	for {
		s, err := OpenFile(ctx, path, o)
		if err != nil {
			return nil, err
		}
		t, err := s.readTable(o)
		isPipe := s.size == 0
		if isPipe {
			return t, err
		}
		better, ok := s.betterOptions(ctx, path, o, err)
		if !ok {
			return t, err
		}
		o = better
	}
}

// betterOptions returns the options for another reading of a file, with the findings of the stream. o and err are the options
// and the error of its reading. ok is false if the file need not be read again.
func (s *Stream) betterOptions(ctx context.Context, path string, o Options, err error) (better Options, ok bool) {
	var late *lateCategoryError
	isLate := errors.As(err, &late) && o.numberTextColumns == nil
	switch {
	case s.hasNewKeys(o):
		o.jsonKeys = s.json.allKeys.keys
	case isLate:
		o.numberTextColumns = late.columns
	case err != nil && s.mayHaveLateCommas(o):
		o.signs, _ = findSignsOfFile(ctx, path, o) // the caller returns the error of the earlier reading
		return o, o.signs.proveComma() || o.signs.proveThousands(s.delimiter())
	default:
		return o, false
	}
	return o, true
}

// hasNewKeys reports whether later objects of JSON have keys that the first ones lack, and that are columns.
func (s *Stream) hasNewKeys(o Options) bool {
	return s.json != nil && o.findsKinds() && len(s.json.allKeys.keys) > len(s.json.columns.keys)
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
	for _, name := range s.schema.groupNames(splitGroup) { // one or none
		t.SplitColumn = name
	}
	t.Remarks = s.Remarks()
	return t
}

// readTable reads all rows into a table and closes the stream. It returns one error with all mistakes of a raw table, and
// the first mistake of another table.
func (s *Stream) readTable(o Options) (t *data.Table, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	s.skipsUnlabelled = s.leavesOutUnlabelled()
	t = s.emptyTable()
	s.KeepIn(&t.KeptTexts)
	problems := &problemReport{position: s.reader.position()}
	if err := s.readRows(t, cmp.Or(o.maxValues, defaultMaxValues), problems); err != nil {
		return nil, err
	}
	return s.finishTable(t, problems)
}

// readRows appends all rows to t. In a raw table it adds rows with a mistake to the report and goes on; in other tables
// it returns the first mistake as an error. It also returns an error if t would have more than maxValues values or would
// not fit into memory.
func (s *Stream) readRows(t *data.Table, maxValues int, problems *problemReport) error {
	for {
		if s.hasRows() {
			if err := s.takeRows(t, maxValues); err != nil {
				return err
			}
			continue
		}
		s.preallocate(t, maxValues)
		err := s.fill()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && err != errUnlabelled:
			if err := s.reportRow(err, problems); err != nil {
				return err
			}
		}
		s.showProgress()
	}
}

// takeRows appends the next parsed rows to t.
func (s *Stream) takeRows(t *data.Table, maxValues int) error {
	rows, err := s.reserveRows(t, maxValues, s.countRows())
	if err != nil {
		return err
	}
	s.noteNumbers(rows)
	s.take(rows, nil, &t.X, &t.Y, &t.E, &t.W, &t.SplitValues)
	return nil
}

// showProgress reports the progress after every block of bytes.
func (s *Stream) showProgress() {
	read, size := s.Progress()
	if read-s.reportedBytes >= blockSize {
		s.reportedBytes = read
		s.reportProgress(read, size)
	}
}

// reportRow adds an error to the report if it concerns a single row of a raw table. Otherwise it returns the error that
// ends the reading.
func (s *Stream) reportRow(err error, problems *problemReport) error {
	var bad *rowError
	switch {
	case errors.As(err, &bad) && s.leavesOutUnlabelled() && problems.addRow(bad):
		return nil
	case len(problems.problems) > 0: // the error ends the reading after other mistakes
		return cmp.Or(s.labelError(), errors.Join(problems.err(), err))
	}
	return err
}

// finishTable decides the fields of the columns after all rows are read, and returns the table without the rows in which
// every input is missing. It returns an error if there are problems, if no row is left, or if all weights are 0.
func (s *Stream) finishTable(t *data.Table, problems *problemReport) (*data.Table, error) {
	file := s.reader.position().file
	if s.rowCount == 0 && len(problems.problems) == 0 {
		return nil, s.schema.explainTarget(fmt.Errorf("%s: all %d rows lack a target; no row is left", file, s.unlabelledCount))
	}
	if absent := s.absentInputs(); absent != nil {
		return nil, fmt.Errorf("%s: no object has the key %s; keys must match letter by letter", file, listNames(absent))
	}
	t.UnlabelledRows = s.unlabelledCount
	t.Numbers = s.numbers
	t.Remarks = append(t.Remarks, s.SkippedRemarks()...)
	if s.leavesOutUnlabelled() {
		t.Remarks = append(t.Remarks, s.unmatchedRemarks()...)
	}
	late := s.decideFields(t, problems)
	if err := problems.err(); err != nil {
		return nil, cmp.Or(s.labelError(), err)
	}
	if late.columns != nil {
		return nil, late
	}
	s.dropNeedlessFields(t)
	t = t.WithoutBlanks()
	if t.Rows() == 0 {
		return nil, fmt.Errorf("%s: in all %d rows every input is missing; no row is left", s.Name, t.BlankRows)
	}
	if err := s.checkWeights(t); err != nil {
		return nil, err
	}
	return t, nil
}

// dropNeedlessFields makes a raw table of plain numbers like one that was not read as raw.
func (s *Stream) dropNeedlessFields(t *data.Table) {
	hasPlainInputs := !slices.ContainsFunc(t.Fields, needsField) && !slices.ContainsFunc(t.X, math.IsNaN)
	if hasPlainInputs && s.inputs()[0].rule == mayBeAnything {
		t.Fields = nil
	}
}

// checkWeights returns an error if all weights of t are 0.
func (s *Stream) checkWeights(t *data.Table) error {
	isPositive := func(v float64) bool { return v > 0 }
	if t.Weight == "" || slices.ContainsFunc(t.W, isPositive) {
		return nil
	}
	return fmt.Errorf("%s: column %s: all %d weights are 0, and no row would count", s.reader.position().file, columnLabel(s.schema.names, s.schema.groups[weightGroup][0]), len(t.W))
}

// decideFields sets Fields, TargetFields and SplitField of t by all cells of the columns, and replaces the codes of texts
// by their values. It adds mistakes to problems and a line for each decision to t.Remarks. It returns the columns for
// which the file must be read again.
func (s *Stream) decideFields(t *data.Table, problems *problemReport) *lateCategoryError {
	late := &lateCategoryError{}
	columns := s.schema.columns
	for group, g := range t.Groups() {
		width := len(g.Names)
		for j, c := range columns[:width] {
			switch c.rule {
			case mustBeNumber: // has no field
			case mustFitField:
				setField(t, group, *c.field)
			default:
				s.decideField(t, newTally(c, *g.Values, j, width, problems), late)
			}
		}
		columns = columns[width:]
	}
	findsClasses := slices.ContainsFunc(s.schema.columns, func(c *column) bool { return c.rule == mustBeLabel })
	if findsClasses && areClassNumbers(t.TargetFields) { // the labels say nothing beyond the numbers
		t.TargetFields = nil
	}
	return late
}

// decideField sets the field of a column of t. It replaces the codes of texts and adds to t.Remarks and late as
// decideFields does.
func (s *Stream) decideField(t *data.Table, k *tally, late *lateCategoryError) {
	d := k.decide()
	if k.group == splitGroup {
		k.checkSplitValues(d.field.Kind)
	}
	if d.field.Kind == data.Category && k.droppedNumbers > 0 {
		late.add(k, s.Place(k.texts[0].line))
		return
	}
	k.setValues(d)
	if remark := k.remark(d); remark != "" && k.group == inputGroup {
		t.Remarks = append(t.Remarks, remark)
	}
	d.field.MissingTexts = slices.Concat(k.missing.texts, d.field.MissingTexts)
	setField(t, k.group, d.field)
}

// setField sets the field of the next column of a group of Table.Groups.
func setField(t *data.Table, group int, f data.Field) {
	switch group {
	case inputGroup:
		t.Fields = append(t.Fields, f)
	case targetGroup:
		t.TargetFields = append(t.TargetFields, f)
	case splitGroup:
		t.SplitField = f
	}
}

// needsField reports whether a column is anything but plain numbers, so that the table needs its field.
func needsField(f data.Field) bool {
	return f.Kind != data.Number || f.Prefix+f.Suffix != "" || f.Magnitudes || len(f.MissingTexts) > 0
}

// lateCategoryError is the error for columns that turned out to be categories after the texts of some of their numbers
// were dropped.
type lateCategoryError struct {
	columns []int // indices in the file
	err     error // one error for each of the columns
}

func (e *lateCategoryError) Error() string { return e.err.Error() }

// add adds a column whose first text is at the given place.
func (e *lateCategoryError) add(k *tally, place string) {
	e.columns = append(e.columns, k.index)
	e.err = errors.Join(e.err, fmt.Errorf("%s: column %s: %s is the first text below %d numbers whose own texts were not kept, such as 1.10 for 1.1; declare the column categorical or numeric",
		place, k.label, quoteShort(k.texts[0].text), k.droppedNumbers))
}

// ErrLabels is wrapped by the error for a target of texts that may be labels of classes, where numbers are needed.
var ErrLabels = errors.New("the texts may be labels of classes")

// labelError returns an error that wraps ErrLabels if most rows have a text in place of the target's number: the target
// is then likely a class. It returns nil otherwise.
func (s *Stream) labelError() error {
	const textsPerNumber = 4 // with fewer texts for each number, the texts are likely mistakes
	if s.textTargetCount == 0 || s.textTargetCount <= textsPerNumber*s.rowCount {
		return nil
	}
	return s.schema.explainTarget(fmt.Errorf("%s: %s in %d rows, and numbers are needed: %w",
		s.reader.position().file, s.textTargetExample, s.textTargetCount, ErrLabels))
}

// mayHaveLateCommas reports whether a file, which was refused, has numbers with commas, and all rows together may prove
// what these mean.
func (s *Stream) mayHaveLateCommas(o Options) bool {
	isFirst := o.Decimal+o.Thousands == "" && o.signs == decimalSigns{}
	return o.findsKinds() && isFirst && !s.Layout.DecimalComma && s.hasCommaNumbers()
}

// findSignsOfFile returns the decimal signs that all rows of a file prove.
func findSignsOfFile(ctx context.Context, path string, o Options) (signs decimalSigns, err error) {
	s, err := OpenFile(ctx, path, o)
	if err != nil {
		return signs, err
	}
	defer s.Close()
	for {
		r, err := s.nextRow()
		switch {
		case err == nil || IsRowError(err):
			signs.addRow(r, s.columns)
		case err == io.EOF:
			return signs, nil
		default:
			return decimalSigns{}, err
		}
	}
}

// hasCommaNumbers reports whether a number with a comma was refused, or kept as a text.
func (s *Stream) hasCommaNumbers() bool {
	hasCommas := func(c *column) bool { return slices.ContainsFunc(c.texts, hasComma) }
	return s.commaMistake || slices.ContainsFunc(s.columns, hasCommas)
}
