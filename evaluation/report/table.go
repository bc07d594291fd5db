package report

import (
	"io"
	"math"
)

// Table is a table of text, ready to be written in any of three formats.
type Table struct {
	Caption string

	header []string
	words  int      // how many columns, from the left, are words; the others are numbers
	body   [][]cell // each row as wide as the header
	foot   [][]cell // what sums up the body, below a rule
	notes  []string // what the reader needs to know to read it
}

type cell struct {
	text  string
	below []string // smaller, on lines of their own
	best  bool     // the best of its row
}

// NewTable returns a table of texts; as many columns as left, from the left,
// are words, the others numbers. Rows are as wide as the header.
func NewTable(caption string, header []string, left int, rows ...[]string) Table {
	t := Table{Caption: caption, header: header, words: left}
	for _, row := range rows {
		t.body = append(t.body, words(row...))
	}
	return t
}

func words(texts ...string) []cell {
	row := make([]cell, len(texts))
	for i, text := range texts {
		row[i].text = text
	}
	return row
}

// noted returns the table with a note, or as it is if the note is not wanted.
func (t Table) noted(wanted bool, note string) Table {
	if wanted {
		t.notes = append(t.notes[:len(t.notes):len(t.notes)], note)
	}
	return t
}

// markBest marks the cells with the best of the values, one for each cell, and
// those that look the same in print. NaN is no value. Nothing is marked where
// there is nothing to compare.
func markBest(cells []cell, values []float64, higherBetter bool) {
	best, compared := math.NaN(), 0
	for _, x := range values {
		if math.IsNaN(x) {
			continue
		}
		compared++
		if math.IsNaN(best) || !higherBetter && x < best || higherBetter && x > best {
			best = x
		}
	}
	for i, x := range values {
		cells[i].best = compared > 1 && !math.IsInf(best, 0) && printed(x) == printed(best)
	}
}

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
