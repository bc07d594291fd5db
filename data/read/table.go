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
	return s.table(o)
}

// File reads a whole table from a file. See OpenFile.
func File(ctx context.Context, path string, o Options) (*data.Table, error) {
	t, err := readFileOnce(ctx, path, o)
	var late *lateCategories
	if errors.As(err, &late) && late.again && o.literal == nil {
		o.literal = late.columns
		t, err = readFileOnce(ctx, path, o)
	}
	return t, err
}

func readFileOnce(ctx context.Context, path string, o Options) (*data.Table, error) {
	s, err := OpenFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return s.table(o)
}

// newTable returns the table of the stream without any rows.
func (s *Stream) newTable() *data.Table {
	at := s.Layout
	t := &data.Table{Name: s.Name, Columns: s.Columns, Targets: s.Targets, Extras: s.Extras, Weight: s.Weight, Note: s.Note, Layout: &at}
	for _, i := range s.choice.by {
		t.By = s.choice.names[i]
	}
	if s.comma != "" {
		t.Remarks = append(t.Remarks, fmt.Sprintf("numbers have decimal commas: %s is read as %s", excerpt(s.comma), replaceComma(s.comma)))
	}
	return t
}

// table reads all rows. If the size of the input is known, memory is allocated once for all
// values, since growing a slice holds the values twice.
func (s *Stream) table(o Options) (t *data.Table, err error) {
	defer func() { err = errors.Join(err, s.Close()) }()
	t = s.newTable()
	if says := s.rec.at().remark; says != "" {
		t.Remarks = append(t.Remarks, says)
	}
	wrong := problems{at: s.rec.at()}
	s.KeepIn(&t.Kept)
	most := cmp.Or(o.maxValues, defaultMost)
	var told int64
	var bad *badRow
	for {
		if !s.hasParsedRows() {
			s.estimate(t, most)
			s.fill(len(t.Groups()))
			if read, size := s.Progress(); read-told >= blockSize {
				told = read
				s.progress(read, size)
			}
		}
		rows, err := s.room(t, most, s.plainRows())
		if err != nil {
			return nil, err
		}
		if rows > 0 {
			s.appendPlain(rows, nil, &t.X, &t.Y, &t.E, &t.W, &t.B)
			continue
		}
		switch err = s.appendTo(&t.X, &t.Y, &t.E, &t.W, &t.B); {
		case err == io.EOF:
			return s.settle(t, &wrong)
		case err == errUnlabelled, errors.As(err, &bad) && s.raw != nil && wrong.row(bad):
		case err != nil && len(wrong.list) > 0:
			return nil, errors.Join(wrong.err(), err)
		case err != nil:
			return nil, err
		}
	}
}

// settle finds the fields of the columns when all rows are read, and returns the table. It
// returns an error if there are problems or if no row is left.
func (s *Stream) settle(t *data.Table, wrong *problems) (*data.Table, error) {
	if s.rows == 0 && len(wrong.list) == 0 {
		return nil, s.choice.targetError(fmt.Errorf("%s: all %d rows lack a target; none is left", s.rec.at().file, s.unlabelled))
	}
	t.Unlabelled = s.unlabelled
	for j, c := range s.raw {
		f := c.settle(t.X, j, len(s.raw), wrong.add)
		t.Fields = append(t.Fields, f)
		if says := c.remark(f, cmp.Or(s.rec.at().unit, "line")); says != "" {
			t.Remarks = append(t.Remarks, says)
		}
	}
	for j, c := range s.classes {
		t.TargetFields = append(t.TargetFields, c.settle(t.Y, j, len(s.classes), wrong.add))
	}
	if len(s.classes) > 0 && s.classes[0].field == nil && plainClasses(t.TargetFields) {
		t.TargetFields = nil
	}
	for _, c := range s.by {
		t.ByField = c.settle(t.B, 0, 1, wrong.add)
		c.refuseTexts(t.ByField, wrong.add)
	}
	if err := wrong.err(); err != nil {
		return nil, err
	}
	if err := s.checkLevels(t); err != nil {
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
func (s *Stream) findsFields() bool { return len(s.raw) > 0 && s.raw[0].field == nil }
