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

// All reads a whole table. See Open.
func All(ctx context.Context, r io.Reader, name string, o Options) (*data.Table, error) {
	s, err := Open(ctx, r, name, o)
	if err != nil {
		return nil, err
	}
	return s.readTable(o)
}

// File reads a whole table from a file. See OpenFile.
func File(ctx context.Context, path string, o Options) (*data.Table, error) {
	t, err := readFileOnce(ctx, path, o)
	var late *lateCategoryError
	if errors.As(err, &late) && late.canReread && o.numberTextColumns == nil {
		o.numberTextColumns = late.columns
		t, err = readFileOnce(ctx, path, o)
	}
	return t, err
}

func readFileOnce(ctx context.Context, path string, o Options) (*data.Table, error) {
	s, err := OpenFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return s.readTable(o)
}

// newTable returns the table of the stream without any rows.
func (s *Stream) emptyTable() *data.Table {
	at := s.Layout
	t := &data.Table{Name: s.Name, Columns: s.Columns, Targets: s.Targets, Extras: s.Extras, Weight: s.Weight, Note: s.Note, Layout: &at}
	for _, i := range s.columns.splitBy {
		t.By = s.columns.names[i]
	}
	if s.decimalCommaExample != "" {
		t.Remarks = append(t.Remarks, fmt.Sprintf("numbers have decimal commas: %s is read as %s", quoteShort(s.decimalCommaExample), commaToPoint(s.decimalCommaExample)))
	}
	return t
}

// table reads all rows. If the size of the input is known, memory is allocated once for all
// values, since growing a slice holds the values twice.
func (s *Stream) readTable(o Options) (t *data.Table, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	t = s.emptyTable()
	if says := s.reader.position().remark; says != "" {
		t.Remarks = append(t.Remarks, says)
	}
	wrong := problemReport{position: s.reader.position()}
	s.KeepIn(&t.Kept)
	most := cmp.Or(o.maxValues, defaultMaxValues)
	var told int64
	var bad *rowError
	for {
		if !s.hasParsedRows() {
			s.preallocate(t, most)
			s.parseBlock(len(t.Groups()))
			if read, size := s.Progress(); read-told >= blockSize {
				told = read
				s.reportProgress(read, size)
			}
		}
		rows, err := s.reserveRows(t, most, s.countPlainRows())
		if err != nil {
			return nil, err
		}
		if rows > 0 {
			s.appendPlainRows(rows, nil, &t.X, &t.Y, &t.E, &t.W, &t.B)
			continue
		}
		switch err = s.readRow(&t.X, &t.Y, &t.E, &t.W, &t.B); {
		case err == io.EOF:
			return s.finishTable(t, &wrong)
		case err == errUnlabelled, errors.As(err, &bad) && s.rawInputs != nil && wrong.addRow(bad):
		case err != nil && len(wrong.problems) > 0:
			return nil, cmp.Or(s.labelError(), errors.Join(wrong.err(), err))
		case err != nil:
			return nil, err
		}
	}
}

// settle finds the fields of the columns when all rows are read, and returns the table. It
// returns an error if there are problems or if no row is left.
func (s *Stream) finishTable(t *data.Table, wrong *problemReport) (*data.Table, error) {
	if s.rowCount == 0 && len(wrong.problems) == 0 {
		return nil, s.columns.explainTarget(fmt.Errorf("%s: all %d rows lack a target; none is left", s.reader.position().file, s.unlabelledCount))
	}
	t.Unlabelled = s.unlabelledCount
	for j, c := range s.rawInputs {
		f := c.resolve(t.X, j, len(s.rawInputs), wrong.add)
		t.Fields = append(t.Fields, f)
		if says := c.remark(f, cmp.Or(s.reader.position().unit, "line")); says != "" {
			t.Remarks = append(t.Remarks, says)
		}
	}
	for j, c := range s.classTargets {
		t.TargetFields = append(t.TargetFields, c.resolve(t.Y, j, len(s.classTargets), wrong.add))
	}
	if len(s.classTargets) > 0 && s.classTargets[0].field == nil && areClassNumbers(t.TargetFields) {
		t.TargetFields = nil
	}
	for _, c := range s.splitBy {
		t.ByField = c.resolve(t.B, 0, 1, wrong.add)
		c.checkNoTexts(t.ByField, wrong.add)
	}
	if err := wrong.err(); err != nil {
		return nil, cmp.Or(s.labelError(), err)
	}
	if err := s.checkLevelTexts(t); err != nil {
		return nil, err
	}
	plain := func(f data.Field) bool { return f.Kind == data.Number && f.Before+f.After == "" }
	if s.findsFields() && !slices.ContainsFunc(t.Fields, func(f data.Field) bool { return !plain(f) }) && !slices.ContainsFunc(t.X, math.IsNaN) {
		t.Fields = nil
	}
	if t = t.WithoutBlanks(); t.Rows() == 0 {
		return nil, fmt.Errorf("%s: in all %d rows every input is missing; none is left", s.Name, t.Blank)
	}
	return t, s.checkWeights(t)
}

// findsFields reports whether the fields of the inputs are found from their values, and not
// given by the options.
func (s *Stream) findsFields() bool { return len(s.rawInputs) > 0 && s.rawInputs[0].field == nil }
