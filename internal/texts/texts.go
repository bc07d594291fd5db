// Package texts stores the texts of a table's columns in little memory, and shortens texts. Start with Columns, whose zero
// value with Names is an empty table, and Columns.Add. The package does not interpret the texts.
package texts

import "slices"

// Columns holds the cells of some columns of a table. All texts share one block of memory: a string
// per cell would take 16 bytes more.
type Columns struct {
	Names []string // names of the columns

	text    []byte // texts of all cells, row by row
	offsets []int  // start of each cell in text, and then the end of the last cell; empty if there are no cells
}

// Rows returns the number of rows.
func (t *Columns) Rows() int {
	if len(t.offsets) == 0 {
		return 0
	}
	return t.countCells() / len(t.Names)
}

// countCells returns the number of cells.
func (t *Columns) countCells() int { return max(len(t.offsets)-1, 0) }

// cell returns the text of the cell with index i, counted row by row. It shares the memory of t.
func (t *Columns) cell(i int) []byte { return t.text[t.offsets[i]:t.offsets[i+1]] }

// At returns the text of a row in a column. row counts from 0, and column is an index of Names.
func (t *Columns) At(row, column int) string {
	return string(t.cell(row*len(t.Names) + column))
}

// Column returns the texts of the named column, one for each row. It returns nil if there is no such
// column.
func (t *Columns) Column(name string) []string {
	column := slices.Index(t.Names, name)
	if column < 0 {
		return nil
	}
	values := make([]string, t.Rows())
	for row := range values {
		values[row] = t.At(row, column)
	}
	return values
}

// Clear removes all rows and keeps their memory for new ones.
func (t *Columns) Clear() {
	t.text = t.text[:0]
	t.offsets = t.offsets[:0]
}

// Size returns the number of bytes of all texts.
func (t *Columns) Size() int { return len(t.text) }

// Add appends a cell. Cells are added row by row.
func (t *Columns) Add(cell []byte) {
	if len(t.offsets) == 0 {
		t.offsets = append(t.offsets, 0)
	}
	t.text = append(t.text, cell...)
	t.offsets = append(t.offsets, len(t.text))
}

// AddRows appends the rows firstRow, …, endRow−1 of other, which must have the same columns.
func (t *Columns) AddRows(other *Columns, firstRow, endRow int) {
	for i := firstRow * len(t.Names); i < endRow*len(t.Names); i++ {
		t.Add(other.cell(i))
	}
}

// Slice returns the rows firstRow, firstRow+1, …, endRow−1. They share the memory of t, but adding rows to them does
// not change t.
func (t *Columns) Slice(firstRow, endRow int) Columns {
	columns := len(t.Names)
	if columns == 0 {
		return Columns{}
	}
	first := firstRow * columns
	end := endRow * columns
	textEnd := t.offsets[end]
	return Columns{
		Names:   t.Names,
		text:    t.text[:textEnd:textEnd],
		offsets: t.offsets[first : end+1 : end+1],
	}
}

// Select returns a copy of the rows with the given indices, in the given order.
func (t *Columns) Select(rows []int) Columns {
	selected := Columns{Names: t.Names}
	for _, row := range rows {
		for column := range t.Names {
			selected.Add(t.cell(row*len(t.Names) + column))
		}
	}
	return selected
}

// Concat returns a copy of the rows of t, followed by the rows of other, which must have the same
// columns.
func (t *Columns) Concat(other *Columns) Columns {
	both := Columns{Names: t.Names}
	for _, table := range []*Columns{t, other} {
		for i := range table.countCells() {
			both.Add(table.cell(i))
		}
	}
	return both
}
