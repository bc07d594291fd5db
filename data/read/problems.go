package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// badRow is the error of one row of a table. The rows after it can be read.
type rowError struct {
	column int // column of the file, from 0; −1 if the error concerns the whole row
	line   int
	cause  error
	err    error // says, with the file and the line
}

func (e *rowError) Error() string { return e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// RowOnly reports whether an error of a Stream concerns only the row that was read last, so
// that the rows after it can be read.
func RowOnly(err error) bool {
	var bad *rowError
	return errors.As(err, &bad)
}

// problems collects the mistakes in a table, so that a user can correct all of them at once.
type problemReport struct {
	position *filePosition
	problems []problem
	byColumn map[int]int // index in list of the problem of each column that bad rows have
	rowCount int         // number of bad rows
	gaveUp   bool        // reading was given up after maxBadRows

	hasLastColumn bool // the list has an ErrLastColumn
}

// problem is a mistake in a table. Bad rows with a mistake in the same column are one problem.
type problem struct {
	line     int
	message  string
	moreRows int // number of further rows like it
}

const (
	maxProblems = 20     // problems in one report
	maxBadRows  = 10_000 // bad rows after which reading is given up
)

// row adds a bad row, and reports whether reading goes on.
func (p *problemReport) addRow(b *rowError) bool {
	p.hasLastColumn = p.hasLastColumn || errors.Is(b.cause, ErrLastColumn)
	if p.rowCount++; p.rowCount > maxBadRows {
		p.gaveUp = true
		return false
	}
	if p.byColumn == nil {
		p.byColumn = make(map[int]int)
	}
	if at, ok := p.byColumn[b.column]; ok {
		p.problems[at].moreRows++
		return true
	}
	p.byColumn[b.column] = len(p.problems)
	p.problems = append(p.problems, problem{line: b.line, message: b.cause.Error()})
	return true
}

func (p *problemReport) add(line int, says string) {
	p.problems = append(p.problems, problem{line: line, message: says})
}

// err returns one error for all problems, and nil if there are none.
func (p *problemReport) err() error {
	if len(p.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(p.problems, func(a, b problem) int { return a.line - b.line })
	var lines []string
	for i, b := range p.problems {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("and %d more", len(p.problems)-i))
			break
		}
		says := fmt.Sprintf("%s: %s", p.position.location(b.line), b.message)
		if b.moreRows > 0 {
			says += fmt.Sprintf(" (and %d more rows like it)", b.moreRows)
		}
		lines = append(lines, says)
	}
	if p.gaveUp {
		lines = append(lines, fmt.Sprintf("%s: given up after %d rows", p.position.file, maxBadRows))
	}
	err := errors.New(strings.Join(lines, "\n"))
	if p.hasLastColumn {
		return sentinelError{err, ErrLastColumn}
	}
	return err
}

// refusal is an error of a kind, such as ErrNoColumn, with a text of its own.
type sentinelError struct {
	error
	sentinel error
}

func newSentinelError(kind error, says string) error { return sentinelError{errors.New(says), kind} }

// bad returns the error of the row that was read last, and counts the row as passed over,
// unless the error ends the reading. The column is counted from 0; −1 stands for the whole row.
func (s *Stream) rowError(column int, err error) error {
	if errors.Is(err, errTooManyTexts) {
		return s.reader.position().failf("%w", err)
	}
	s.passedCount++
	return s.reader.position().rowError(column, err)
}
