package report

import (
	"slices"
	"strings"
	"text/template"
)

// Table is a table of text, ready to be written in any of three formats.
type Table struct {
	Caption string

	Header []string // titles of the columns
	Words  int      // number of columns with words, which are at the left; the others have numbers
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

// TextCells returns a row with a cell for each text.
func TextCells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// withNote returns the table with a further note if isWanted is true, and the unchanged table
// otherwise. The notes of t itself do not change.
func (t Table) withNote(isWanted bool, note string) Table {
	if isWanted {
		t.Notes = append(slices.Clone(t.Notes), note)
	}
	return t
}

// render returns the table in a format. It panics if the format is none of tables.
func (t Table) render(format *template.Template) string {
	var text strings.Builder
	if err := format.Execute(&text, t); err != nil {
		panic(err)
	}
	return text.String()
}
