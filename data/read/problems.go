package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// badRow is the error of one row of a table. The rows after it can be read.
type badRow struct {
	column int // column of the file, from 0; −1 if the error concerns the whole row
	line   int
	says   error
	err    error // says, with the file and the line
}

func (e *badRow) Error() string { return e.err.Error() }
func (e *badRow) Unwrap() error { return e.err }

// RowOnly reports whether an error of a Stream concerns only the row that was read last, so
// that the rows after it can be read.
func RowOnly(err error) bool {
	var bad *badRow
	return errors.As(err, &bad)
}

// problems collects the mistakes in a table, so that a user can correct all of them at once.
type problems struct {
	at       *position
	list     []problem
	byColumn map[int]int // index in list of the problem of each column that bad rows have
	rows     int         // number of bad rows
	limit    bool        // reading was given up after maxBadRows

	lastColumn bool // the list has an ErrLastColumn
}

// problem is a mistake in a table. Bad rows with a mistake in the same column are one problem.
type problem struct {
	line int
	says string
	more int // number of further rows like it
}

const (
	maxProblems = 20     // problems in one report
	maxBadRows  = 10_000 // bad rows after which reading is given up
)

// row adds a bad row, and reports whether reading goes on.
func (p *problems) row(b *badRow) bool {
	p.lastColumn = p.lastColumn || errors.Is(b.says, ErrLastColumn)
	if p.rows++; p.rows > maxBadRows {
		p.limit = true
		return false
	}
	if p.byColumn == nil {
		p.byColumn = make(map[int]int)
	}
	if at, ok := p.byColumn[b.column]; ok {
		p.list[at].more++
		return true
	}
	p.byColumn[b.column] = len(p.list)
	p.list = append(p.list, problem{line: b.line, says: b.says.Error()})
	return true
}

func (p *problems) add(line int, says string) {
	p.list = append(p.list, problem{line: line, says: says})
}

// err returns one error for all problems, and nil if there are none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	slices.SortStableFunc(p.list, func(a, b problem) int { return a.line - b.line })
	var lines []string
	for i, b := range p.list {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("and %d more", len(p.list)-i))
			break
		}
		says := fmt.Sprintf("%s: %s", p.at.place(b.line), b.says)
		if b.more > 0 {
			says += fmt.Sprintf(" (and %d more rows like it)", b.more)
		}
		lines = append(lines, says)
	}
	if p.limit {
		lines = append(lines, fmt.Sprintf("%s: given up after %d rows", p.at.file, maxBadRows))
	}
	err := errors.New(strings.Join(lines, "\n"))
	if p.lastColumn {
		return refusal{err, ErrLastColumn}
	}
	return err
}

// refusal is an error of a kind, such as ErrNoColumn, with a text of its own.
type refusal struct {
	error
	kind error
}

func newRefusal(kind error, says string) error { return refusal{errors.New(says), kind} }

// bad returns the error of the row that was read last, and counts the row as passed over,
// unless the error ends the reading. The column is counted from 0; −1 stands for the whole row.
func (s *Stream) bad(column int, err error) error {
	if errors.Is(err, errTooManyTexts) {
		return s.rec.at().failf("%w", err)
	}
	s.passed++
	return s.rec.at().bad(column, err)
}
