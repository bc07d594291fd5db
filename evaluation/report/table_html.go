package report

import (
	_ "embed"
	"html/template"
)

// templateRow is a row with the properties of its table that the template needs.
type templateRow struct {
	Header []string
	Words  int
	Cells  []Cell
}

//go:embed table.html
var tableHTMLText string

// tableHTML is the template of a Table as a figure element: the caption, the table in a box that scrolls if the table is
// too wide, and the notes. The first cell of each row is its header.
//
// Style sheets can use these classes: words for cells with words, best for the best cells, below for
// further lines within a cell, and note for notes. Each cell has the title of its column in the attribute
// data-of, for style sheets that show the cells of a row one below the other. Such style sheets take the
// role of a table from its elements, so the elements have explicit roles for screen readers.
var tableHTML = template.Must(template.New("table").Funcs(template.FuncMap{
	"row": func(t Table, cells []Cell) templateRow { return templateRow{t.Header, t.Words, cells} },
}).Parse(tableHTMLText))
