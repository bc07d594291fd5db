// Package tabular writes tables of text as HTML, LaTeX and Markdown. Start with Table. The package
// does not format numbers: the cells have texts.
package tabular

import (
	"io"
)

// Table is a table of text, ready to be written in any of three formats.
type Table struct {
	Caption string

	Header []string
	Words  int      // number of columns with words, at the left; the others have numbers
	Body   [][]Cell // rows, with as many cells as the header
	Foot   [][]Cell // rows that summarise the body, below a line
	Notes  []string // paragraphs below the table that explain it
}

// Cell is a cell of a Table.
type Cell struct {
	Text  string
	Below []string // further lines, in smaller text
	Best  bool     // whether the value is the best of its row, which is bold
}

// Words returns a cell for each text.
func Words(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// WithNote returns the table with a further note if wanted is true, and the unchanged table
// otherwise.
func (t Table) WithNote(wanted bool, note string) Table {
	if wanted {
		t.Notes = append(t.Notes[:len(t.Notes):len(t.Notes)], note)
	}
	return t
}

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
