package read

import "fmt"

// rowReader reads a file of some format row by row, as cells of text. A row has one cell for
// each column of the file; "" is a missing value.
type rowReader interface {
	// next skips blank rows and returns the next row, or io.EOF. The slices, but not their strings,
	// are overwritten by the following call. The error is a *rowError if later rows can be read;
	// the cells may then be returned too, as far as they are known.
	next() (row, error)

	// useColumns says which columns are read; the others may hold anything. It is called after
	// the first row and before the second. It returns an error if a column cannot be read.
	useColumns(columns []bool) error

	position() *filePosition           // position of the row that was returned last
	hasNames() bool                    // whether the first row always has the columns' names
	delimiterName() string             // delimiter between cells, in words; "" if there is none
	offset() (bytes int64, known bool) // bytes of the file read so far; known is false if they cannot be told
	isReady() bool                     // whether the next row can be read without waiting
	close()                            // ends the reading and frees what it holds
}

// row is a row of a file, as cells of text.
type row struct {
	cells  []string
	stored []bool // for each cell, whether the file stores it as a number, so that it has a decimal point; nil for delimited text
	line   int    // first line of the row, as filePosition counts lines
}

// stores reports whether the file stores cell i as a number.
func (r row) stores(i int) bool { return r.stored != nil && r.stored[i] }

// filePosition is a position in a file, for messages. Row readers embed it and set the line.
type filePosition struct {
	file string
	unit string // unit of line, such as "row"; "" for lines
	line int    // from 1

	remarks []string // lines for the user on how the file is read, such as the choice of a sheet
}

// position returns p, so that a row reader has the method.
func (p *filePosition) position() *filePosition { return p }

// location returns a line of the file for messages, such as "t.csv:3" or "t.xlsx, row 3".
func (p *filePosition) location(line int) string {
	if p.unit != "" {
		return fmt.Sprintf("%s, %s %d", p.file, p.unit, line)
	}
	return fmt.Sprintf("%s:%d", p.file, line)
}

// lineUnit returns the unit of the file's line numbers, such as "row".
func (p *filePosition) lineUnit() string {
	if p.unit != "" {
		return p.unit
	}
	return "line"
}

// addRemark adds a line for the user on how the file is read.
func (p *filePosition) addRemark(format string, args ...any) {
	p.remarks = append(p.remarks, p.file+": "+fmt.Sprintf(format, args...))
}

// failf returns an error with a formatted message and the position. It ends the reading.
func (p *filePosition) failf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p.location(p.line), fmt.Errorf(format, args...))
}

// rowError returns the error for a mistake in column i, from 0, of the row that was read last. A
// negative i stands for the whole row; different negative numbers are different kinds of mistakes.
func (p *filePosition) rowError(i int, cause error) *rowError {
	return &rowError{
		column: i,
		line:   p.line,
		cause:  cause,
		err:    p.failf("%w", cause),
	}
}

// delimiterNote returns the delimiter between cells for a message, such as " (separated by commas)", or
// "" if the format has none.
func delimiterNote(r rowReader) string {
	if d := r.delimiterName(); d != "" {
		return " (separated by " + d + ")"
	}
	return ""
}
