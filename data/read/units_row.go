package read

import (
	"slices"
	"strings"
)

// maxUnitRows is the number of rows of texts that may stand between the header and the first row of values: units, or
// the questions and identifiers of a survey.
const maxUnitRows = 2

// skipUnits returns a function for the n-th row below the header, as peek is one, that leaves out rows of units.
func (o Options) skipUnits(header []string, peek func(int) []string) func(int) []string {
	units := o.countUnitRows(header, peek)
	return func(n int) []string { return peek(n + units) }
}

// countUnitRows returns the number of rows between the header and the first row of values, such as a row of units. They
// have texts in two or more columns of numbers, no number, and no text that a later row repeats. If the options name the
// inputs, only a file like the training table has such rows. peek(n) returns the n-th row below the header, or nil.
func (o Options) countUnitRows(header []string, peek func(int) []string) int {
	most := maxUnitRows
	if o.Inputs != nil {
		most = 0
		if o.Layout != nil {
			most = min(maxUnitRows, o.Layout.UnitRows)
		}
	}
	if o.Header == HeaderNo || hasNumber(header) {
		return 0
	}
	for n := 1; n <= most; n++ {
		row := peek(n)
		isInside := len(row) == len(header) && countFilled(row) <= countFilled(header)
		switch {
		case !isInside, hasNumber(row), !slices.ContainsFunc(row, isText):
			return 0
		case o.Inputs != nil && n == most, o.Inputs == nil && areUnits(row, n, peek):
			return n
		}
	}
	return 0
}

// areUnits reports whether row n has texts in two or more columns of numbers, and no text that a later row repeats.
func areUnits(row []string, n int, peek func(int) []string) bool {
	const minColumns = 2 // a single text may be a missing value
	peekBelow := func(k int) []string { return peek(n + k) }
	columns := 0
	for i, cell := range row {
		if !isText(cell) {
			continue
		}
		if classifyIgnoringPercent(firstValue(i, peekBelow)) == numberCell {
			columns++
		}
		for k := 1; k <= lookAheadRows; k++ {
			below := peekBelow(k)
			if below == nil {
				break
			}
			if i < len(below) && below[i] == cell {
				return false
			}
		}
	}
	return columns >= minColumns
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
		position.addRemark("%s %d (%s) stands between the header and the values, and is skipped", position.lineUnit(), row.line, listNames(filledCells(row.fields)))
	}
	s.peekedRows = s.peekedRows[units:]
}

// filledCells returns the cells that are not empty.
func filledCells(row []string) []string {
	isEmpty := func(cell string) bool { return strings.TrimSpace(cell) == "" }
	return slices.DeleteFunc(slices.Clone(row), isEmpty)
}
