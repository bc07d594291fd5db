// Package tabular writes tables of text as HTML, LaTeX and Markdown.
package tabular

import (
	"io"
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

// Words returns a cell for each text.
func Words(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// Noted returns the table with a further note if wanted is true, and the unchanged table otherwise.
func (t Table) Noted(wanted bool, note string) Table {
	if wanted {
		t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], note)
	}
	return t
}

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
