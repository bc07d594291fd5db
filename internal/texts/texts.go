// Package texts stores columns of text in little memory.
package texts

import "slices"

// Columns holds the cells of some columns of a table. All texts share one block of memory.
type Columns struct {
	Names []string // names of the columns

	text []byte
	at   []int // start of each cell in text, row by row, and the end of the last cell
}

// Rows returns the number of rows.
func (t *Columns) Rows() int {
	if len(t.at) == 0 {
		return 0
	}
	return (len(t.at) - 1) / len(t.Names)
}

// At returns the text of a row in a column. row counts from 0, and column is an index of Names.
func (t *Columns) At(row, column int) string {
	i := row*len(t.Names) + column
	return string(t.text[t.at[i]:t.at[i+1]])
}

// Column returns the texts of a column, one for each row. It returns nil if there is no column of
// that name.
func (t *Columns) Column(name string) []string {
	column := slices.Index(t.Names, name)
	if column < 0 {
		return nil
	}
	list := make([]string, t.Rows())
	for row := range list {
		list[row] = t.At(row, column)
	}
	return list
}

// Clear removes all rows and keeps their memory for others.
func (t *Columns) Clear() { t.text, t.at = t.text[:0], t.at[:0] }

// Size returns the number of bytes of all texts.
func (t *Columns) Size() int { return len(t.text) }

// Add appends a cell. Cells are added row by row.
func (t *Columns) Add(cell []byte) {
	if len(t.at) == 0 {
		t.at = append(t.at, 0)
	}
	t.text = append(t.text, cell...)
	t.at = append(t.at, len(t.text))
}

// Truncate removes all rows except the first ones.
func (t *Columns) Truncate(rows int) {
	if rows == 0 {
		t.Clear()
	}
	if t.Rows() > rows {
		t.at = t.at[:rows*len(t.Names)+1]
		t.text = t.text[:t.at[len(t.at)-1]]
	}
}

// Slice returns the rows in [from, to). They share the memory of t.
func (t *Columns) Slice(from, to int) Columns {
	n := len(t.Names)
	if n == 0 {
		return Columns{}
	}
	end := t.at[to*n]
	return Columns{Names: t.Names, text: t.text[:end:end], at: t.at[from*n : to*n+1 : to*n+1]}
}

// Select returns the rows with the given numbers.
func (t *Columns) Select(rows []int) Columns {
	out := Columns{Names: t.Names}
	for _, r := range rows {
		for k := range t.Names {
			i := r*len(t.Names) + k
			out.Add(t.text[t.at[i]:t.at[i+1]])
		}
	}
	return out
}

// Concat returns the rows of t and then the rows of other. Both must have the same columns.
func (t *Columns) Concat(other *Columns) Columns {
	out := Columns{Names: t.Names}
	for _, part := range []*Columns{t, other} {
		for i := range max(1, len(part.at)) - 1 {
			out.Add(part.text[part.at[i]:part.at[i+1]])
		}
	}
	return out
}
