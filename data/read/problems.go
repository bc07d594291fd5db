package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// badRow is what is wrong with one row of a table: the rows after it can be read.
type badRow struct {
	column int // of the file, from 0; −1: the row as a whole
	line   int
	says   error
	err    error // says, with its place
}

func (e *badRow) Error() string { return e.err.Error() }
func (e *badRow) Unwrap() error { return e.err }

// RowOnly reports whether an error of a Stream concerns only the row that was read last, so
// that the rows after it can be read.
func RowOnly(err error) bool {
	var bad *badRow
	return errors.As(err, &bad)
}

// problems are all that is wrong with a table, so that its user mends it at once.
type problems struct {
	at    *position
	list  []problem
	of    map[int]int // places in list of columns' problems with rows
	rows  int
	limit bool // there may be more

	lastColumn bool // the list has an ErrLastColumn
}

type problem struct {
	line int
	says string
	more int // rows
}

// maxProblems is how many are told; maxBadRows is after how many a file is given up.
const (
	maxProblems = 20
	maxBadRows  = 10_000
)

// row adds a bad row, and tells whether reading goes on.
func (p *problems) row(b *badRow) bool {
	p.lastColumn = p.lastColumn || errors.Is(b.says, ErrLastColumn)
	if p.rows++; p.rows > maxBadRows {
		p.limit = true
		return false
	}
	if p.of == nil {
		p.of = make(map[int]int)
	}
	if at, ok := p.of[b.column]; ok {
		p.list[at].more++
		return true
	}
	p.of[b.column] = len(p.list)
	p.list = append(p.list, problem{line: b.line, says: b.says.Error()})
	return true
}

func (p *problems) add(line int, says string) {
	p.list = append(p.list, problem{line: line, says: says})
}

// err is nil where nothing is wrong.
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

// refusal is an error that is one of this package's and has a text of its own.
type refusal struct {
	error
	kind error
}

func as(kind error, says string) error { return refusal{errors.New(says), kind} }

// bad is what is wrong with the row that was read last.
func (s *Stream) bad(column int, err error) error {
	if errors.Is(err, errTooManyTexts) {
		return s.rec.at().failf("%w", err)
	}
	s.passed++
	return s.rec.at().bad(column, err)
}
