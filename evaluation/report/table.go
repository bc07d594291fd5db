package report

import (
	"io"
	"math"
)

// Table is a table of text, ready to be written in any of three formats.
type Table struct {
	Caption string

	Header []string
	Words  int      // how many columns, from the left, are words; the others are numbers
	Body   [][]Cell // each row as wide as the header
	Foot   [][]Cell // what sums up the body, below a rule
	Notes  []string // what the reader needs to know to read it
}

// Cell is a cell of a Table.
type Cell struct {
	Text  string
	Below []string // smaller, on lines of their own
	Best  bool     // the best of its row
}

// Words are cells of texts.
func Words(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// noted returns the table with a note, or as it is if the note is not wanted.
func (t Table) noted(wanted bool, note string) Table {
	if wanted {
		t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], note)
	}
	return t
}

// markBest marks the cells with the best of the values, one for each cell, and
// those that are as good or look the same in print; badness turns a value so that less is better.
// NaN is no value. Nothing is marked where there is nothing to compare.
func markBest(cells []Cell, values []float64, badness func(float64) float64) {
	best, least, compared := math.NaN(), math.NaN(), 0
	for _, x := range values {
		bad := badness(x)
		if math.IsNaN(bad) {
			continue
		}
		compared++
		if math.IsNaN(least) || bad < least {
			best, least = x, bad
		}
	}
	for i, x := range values {
		cells[i].Best = compared > 1 && !math.IsInf(best, 0) && (printed(x) == printed(best) || badness(x) == least)
	}
}

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
