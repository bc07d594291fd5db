package read

import "fmt"

// rowReader reads a file of some format row by row, as cells of text: those of a row
// are as many as the table has columns, and "" is a value that is missing.
type rowReader interface {
	// next returns the cells of the next row that is not blank, or io.EOF. The slice,
	// but not its strings, is overwritten by the following call. What is wrong with
	// that row alone is a *badRow, beside which what is known of its cells is returned.
	next() ([]string, error)

	// use says which columns are read: what others hold does not matter. It is
	// called before the row behind the first.
	use(columns []bool) error

	at() *position                     // of the row that was returned last
	named() bool                       // the first row is the columns' names, whatever they look like
	delimiter() string                 // between the cells of a row, in words; "": there is none
	offset() (bytes int64, known bool) // how far it has come in the file, if that can be told
	ready() bool                       // whether the next row can be had without waiting
	close()
}

// position is a place in a file, as messages have it.
type position struct {
	file string
	unit string // that rows are counted in, where it is not the line
	line int    // from 1

	remark string // on what is read of the file, where that can be doubted
}

func (p *position) at() *position { return p }

func (p *position) place(line int) string {
	if p.unit != "" {
		return fmt.Sprintf("%s, %s %d", p.file, p.unit, line)
	}
	return fmt.Sprintf("%s:%d", p.file, line)
}

func (p *position) failf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", p.place(p.line), fmt.Errorf(format, args...))
}

// bad is what is wrong with the row that was read last, in column i, from 0; −1: with
// the row as a whole, and each number below is a mistake of its own.
func (p *position) bad(i int, says error) *badRow {
	return &badRow{i, p.line, says, p.failf("%w", says)}
}

// separated says what is between cells.
func separated(r rowReader) string {
	if d := r.delimiter(); d != "" {
		return " (separated by " + d + ")"
	}
	return ""
}

// innerReader returns the reader inside a held file, and any other reader unchanged.
func innerReader(r rowReader) rowReader {
	if whole, ok := r.(held); ok {
		return whole.rowReader
	}
	return r
}
