package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// rowError is an error that concerns one row of a table: the rows after it can be read.
type rowError struct {
	column int    // column of the file, from 0; negative if the error concerns the whole row
	reason string // why a number cannot be read, without the number; "" for other mistakes
	line   int
	cause  error
	err    error // cause, with the file and the line
}

func (e *rowError) Error() string { return e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// IsRowError reports whether an error of a Stream concerns only the row that was read last, so
// that the rows after it can be read.
func IsRowError(err error) bool {
	var bad *rowError
	return errors.As(err, &bad)
}

// rowError returns the error of the row that was read last, unless the error ends the reading. The column is counted from 0; −1 stands for the whole row.
func (s *Stream) rowError(column int, err error) error {
	if errors.Is(err, errTooManyTexts) {
		return s.reader.position().failf("%w", err)
	}
	s.hasMistakes = true
	return s.reader.position().rowError(column, err)
}

// problemReport collects the mistakes in a table, so that a user can correct all of them at once.
type problemReport struct {
	position *filePosition // of the file, for messages
	problems []problem
	byKind   map[mistakeKind]int // index in problems of the first row with such a mistake
	rowCount int                 // number of rows with a mistake
	gaveUp   bool                // reading ended after maxBadRows

	hasLastColumn bool // a problem wraps ErrLastColumn
}

// mistakeKind is the kind of a row's mistake. Rows with mistakes of one kind are one problem.
type mistakeKind struct {
	column int
	reason string
}

// problem is a mistake in a table. Rows with a mistake in the same column, for the same reason, are one problem.
type problem struct {
	line     int // of the first row with it
	message  string
	moreRows int // number of further rows with it
}

const (
	maxProblems = 20     // problems that a report lists
	maxBadRows  = 10_000 // rows with a mistake after which reading ends
)

// addRow adds a row with a mistake, and reports whether reading goes on: it ends after maxBadRows.
func (p *problemReport) addRow(bad *rowError) bool {
	p.hasLastColumn = p.hasLastColumn || errors.Is(bad.cause, ErrLastColumn)
	p.rowCount++
	if p.rowCount > maxBadRows {
		p.gaveUp = true
		return false
	}
	if p.byKind == nil {
		p.byKind = make(map[mistakeKind]int)
	}
	kind := mistakeKind{bad.column, bad.reason}
	if i, ok := p.byKind[kind]; ok {
		p.problems[i].moreRows++
		return true
	}
	p.byKind[kind] = len(p.problems)
	p.add(bad.line, bad.cause.Error())
	return true
}

// add adds a mistake in the given line.
func (p *problemReport) add(line int, message string) {
	p.problems = append(p.problems, problem{line: line, message: message})
}

// err returns one error with a line of text for each problem, in the order of the file, and nil if
// there are no problems. It sorts p.problems, so that p.byKind is wrong afterwards: no row may be
// added any more.
func (p *problemReport) err() error {
	if len(p.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(p.problems, func(a, b problem) int { return a.line - b.line })
	var lines []string
	for _, problem := range p.problems[:min(len(p.problems), maxProblems)] {
		lines = append(lines, p.format(problem))
	}
	if more := len(p.problems) - maxProblems; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	if p.gaveUp {
		lines = append(lines, fmt.Sprintf("%s: reading ended after %d rows with mistakes", p.position.file, maxBadRows))
	}
	err := errors.New(strings.Join(lines, "\n"))
	if p.hasLastColumn {
		return sentinelError{err, ErrLastColumn}
	}
	return err
}

// format returns the line of the report for a problem.
func (p *problemReport) format(b problem) string {
	line := fmt.Sprintf("%s: %s", p.position.location(b.line), b.message)
	if b.moreRows > 0 {
		line += fmt.Sprintf(" (and %d more rows like it)", b.moreRows)
	}
	return line
}

// sentinelError is an error for which errors.Is is true with a sentinel such as ErrNoColumn, but whose
// text does not contain the sentinel's text.
type sentinelError struct {
	error
	sentinel error
}

// newSentinelError returns an error with the given message that wraps sentinel.
func newSentinelError(sentinel error, message string) error {
	return sentinelError{errors.New(message), sentinel}
}

// Is reports whether target is the sentinel.
func (e sentinelError) Is(target error) bool { return target == e.sentinel }

// Unwrap returns the error with the message.
func (e sentinelError) Unwrap() error { return e.error }
