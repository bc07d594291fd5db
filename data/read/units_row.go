package read

import (
	"slices"
	"strings"
)

// maxUnitRows is the number of rows of texts that may stand between the header and the first row of values: units, or
// the questions and identifiers of a survey.
const maxUnitRows = 2

// skipUnits returns peek without the rows of units: a function that returns the n-th row of values below the header.
func (o Options) skipUnits(header []string, peek func(int) []string) func(int) []string {
	units := o.countUnitRows(header, peek)
	return func(n int) []string { return peek(n + units) }
}

// countUnitRows returns the number of rows between the header and the first row of values, such as a row of units. They
// have texts in two or more columns of numbers, no number, and no text that a later row repeats. If the options name the
// inputs, only a file like the training table has such rows. peek(n) returns the n-th row below the header, or nil.
func (o Options) countUnitRows(header []string, peek func(int) []string) int {
	if o.Header == HeaderNo || hasNumber(header) {
		return 0
	}
	if o.Inputs != nil {
		return o.countKnownUnitRows(header, peek)
	}
	for n := 1; n <= maxUnitRows && mayBeUnits(peek(n), header); n++ {
		if areUnits(peek(n), n, peek) { // it is the last such row, as values stand below it
			return n
		}
	}
	return 0
}

// countKnownUnitRows returns the number of rows of units of a file like the training table: as many as the training table
// has, or none if one of these rows cannot be units.
func (o Options) countKnownUnitRows(header []string, peek func(int) []string) int {
	if o.Layout == nil {
		return 0
	}
	units := min(maxUnitRows, o.Layout.UnitRows)
	for n := 1; n <= units; n++ {
		if !mayBeUnits(peek(n), header) {
			return 0
		}
	}
	return units
}

// mayBeUnits reports whether a row below the header has texts, no number, and no cell without a name above it.
func mayBeUnits(row, header []string) bool {
	isInside := len(row) == len(header) && countFilled(row) <= countFilled(header)
	return isInside && !hasNumber(row) && slices.ContainsFunc(row, isText)
}

// areUnits reports whether row n has texts in two or more columns of numbers, and no text that a later row repeats.
func areUnits(row []string, n int, peek func(int) []string) bool {
	const minColumns = 2 // a single text may be a missing value
	peekBelow := func(k int) []string { return peek(n + k) }
	columns := 0
	for i, cell := range row {
		switch {
		case !isText(cell):
			continue
		case isRepeated(cell, i, peekBelow):
			return false
		case classifyIgnoringPercent(firstValue(i, peekBelow)) == numberCell:
			columns++
		}
	}
	return columns >= minColumns
}

// isRepeated reports whether one of the next rows has the same cell in column i. peekBelow(k) returns the k-th of them, or nil.
func isRepeated(cell string, i int, peekBelow func(int) []string) bool {
	for k := 1; k <= lookAheadRows; k++ {
		row := peekBelow(k)
		if row == nil {
			return false
		}
		if i < len(row) && row[i] == cell {
			return true
		}
	}
	return false
}

// hasNumber reports whether a row has a number, in any notation, or a code of digits.
func hasNumber(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool {
		kind := classifyIgnoringPercent(cell)
		return kind != missingCell && kind != textCell
	})
}

// isText reports whether a cell is neither a number nor a missing value.
func isText(cell string) bool { return classifyCell(cell) == textCell }

// skipUnitRows drops the rows of units below the header, and adds a remark on them.
func (s *Stream) skipUnitRows() {
	position := s.reader.position()
	units := s.schema.unitRows
	for _, row := range s.peekedRows[:units] {
		s.linesAbove = row.line
		position.addRemark("%s %d (%s) stands between the header and the values, and is skipped", position.lineUnit(), row.line, listNames(filledCells(row.cells)))
	}
	s.peekedRows = s.peekedRows[units:]
}

// filledCells returns the cells that are not empty.
func filledCells(row []string) []string {
	isEmpty := func(cell string) bool { return strings.TrimSpace(cell) == "" }
	return slices.DeleteFunc(slices.Clone(row), isEmpty)
}
