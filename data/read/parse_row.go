package read

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// This file reads single rows: those that cannot be parsed in blocks, and those with a mistake, which it explains.

// fill reads the next rows: a block of lines or, if that is not possible, one row. It returns io.EOF after the last row,
// and errUnlabelled for a row without a target.
func (s *Stream) fill() error {
	if len(s.peekedRows) == 0 {
		if isParsed, err := s.parseBlock(); isParsed || err != nil {
			return err
		}
	}
	r, err := s.nextRow()
	switch {
	case err == io.EOF && s.fileRows == 0 && !s.hasMistakes:
		return fmt.Errorf("%s: the file has a header but no row of values below it", s.reader.position().file)
	case IsRowError(err):
		s.hasMistakes = true
		s.keepMistakenRow(r.cells)
	}
	if err != nil {
		return err
	}
	return s.parseCells(r)
}

// parseCells makes a piece of one row. It returns errUnlabelled for a row without a target, and a *rowError if a cell has a
// mistake.
func (s *Stream) parseCells(written row) error {
	if len(written.cells) != len(s.schema.names) {
		s.keepMistakenRow(nil)
		return s.rowError(-1, fmt.Errorf("the row has %d fields, the first row has %d%s; every row needs the same number",
			len(written.cells), len(s.schema.names), delimiterNote(s.reader)))
	}
	r := s.inNotation(written)
	s.noteFractions(r)
	if s.leavesOutUnlabelled() && s.countMissingTargets(r) > s.maxMissingTargets() {
		s.unlabelledCount++
		s.fileRows++
		return errUnlabelled
	}
	p := &s.single
	p.reset(s.Kept)
	p.firstLine = s.reader.position().line
	p.row = p.row[:0]
	for _, c := range s.columns {
		v, err := s.cellValue(c, r, p.row)
		if err != nil {
			s.noteValuesBeforeMistake(p.row)
			s.keepMistakenRow(written.cells)
			return s.explainMistake(c, r.cells[c.index], err)
		}
		p.row = append(p.row, v)
	}
	p.addRow(p.row, 0)
	for _, i := range s.schema.keptColumns {
		p.kept.Add([]byte(written.cells[i]))
	}
	return s.addPiece(p)
}

// noteFractions notes the columns in which a workbook stores a fraction and shows it as a percentage.
func (s *Stream) noteFractions(r row) {
	if !s.isWorkbook {
		return
	}
	for _, c := range s.columns {
		if r.stores(c.index) && strings.HasSuffix(r.cells[c.index], "%") {
			c.fractions = true
		}
	}
}

// countMissingTargets returns the number of targets that a row lacks.
func (s *Stream) countMissingTargets(r row) int {
	count := 0
	for _, c := range s.columns {
		if c.group == targetGroup && c.isMissingCell(r.cells[c.index]) {
			count++
		}
	}
	return count
}

// cellValue returns the value of the cell of column c in a row, whose values in the columns before c are known.
func (s *Stream) cellValue(c *column, r row, before []float64) (float64, error) {
	text := r.cells[c.index]
	isOtherTarget := c.group == targetGroup && c.rule == mustBeNumber && s.leavesOutUnlabelled()
	if isOtherTarget && c.isMissingCell(text) {
		return math.NaN(), nil // the row has another target
	}
	v, err := c.value(cell{text, r.stores(c.index)}, s.reader.position().line)
	lacksSplitValue := err == nil && c.group == splitGroup && isMissing(v)
	switch {
	case errors.Is(err, errUnknownClass) && s.weighsNothing(r):
		return 0, nil
	case lacksSplitValue && !s.isBlank(before):
		err = fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", c.label)
	}
	return v, err
}

// weighsNothing reports whether the weight of a row is read and 0.
func (s *Stream) weighsNothing(r row) bool {
	return slices.ContainsFunc(s.columns, func(c *column) bool {
		if c.group != weightGroup {
			return false
		}
		weight, isNumber, _ := c.notation.parseNumber(r.cells[c.index])
		return isNumber && weight == 0
	})
}

// isBlank reports whether a row, which begins with the given values, is a row of a raw table without any input. Such a row
// is left out (data.Table.WithoutBlanks).
func (s *Stream) isBlank(values []float64) bool {
	hasValue := func(v float64) bool { return !isMissing(v) }
	return s.leavesOutUnlabelled() && !slices.ContainsFunc(values[:len(s.inputs())], hasValue)
}

// noteValuesBeforeMistake stores the values of the first columns in a row of a raw table with a mistake: they count when the
// kinds of the columns are decided, so that all mistakes are reported at once.
func (s *Stream) noteValuesBeforeMistake(values []float64) {
	if !s.skipsUnlabelled {
		return
	}
	for k, v := range values {
		s.columns[k].valuesBeforeMistakes = append(s.columns[k].valuesBeforeMistakes, v)
	}
}

// explainMistake returns the error for a cell with a mistake, with advice.
func (s *Stream) explainMistake(c *column, text string, err error) error {
	s.commaMistake = s.commaMistake || hasComma(text)
	if _, ok := err.(errNegativeWeight); ok {
		return s.rowError(-1, err)
	}
	if c.group == targetGroup {
		err = s.schema.explainTarget(s.noteTextTarget(c, text, err))
	}
	result := s.rowError(c.index, err)
	var bad *rowError
	if c.rule == mustBeNumber && errors.As(result, &bad) {
		bad.reason = mistakeReason(text, err.Error())
	}
	return result
}

// noteTextTarget counts a text in place of a target's number: the target may be a class (labelError). It returns the error
// for the text, which a row without a known target needs not have, and any other error as it is.
func (s *Stream) noteTextTarget(c *column, text string, err error) error {
	mayBeEmpty := c.rule == mustBeNumber && s.leavesOutUnlabelled()
	if !mayBeEmpty || !classifyCell(text).isName() {
		return err
	}
	s.textTargetCount++
	if s.textTargetCount == 1 {
		s.textTargetExample = fmt.Sprintf("column %s, the target, has texts such as %s", c.label, quoteShort(text))
	}
	return fmt.Errorf("%w; leave a target empty where it is not known", err)
}

// inputs returns the columns of the inputs.
func (s *Stream) inputs() []*column { return s.schema.columns[:len(s.schema.groups[inputGroup])] }

// leavesOutUnlabelled reports whether rows without a target are left out. In other tables a missing target is a mistake.
func (s *Stream) leavesOutUnlabelled() bool { return s.inputs()[0].rule != mustBeNumber }
