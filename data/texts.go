package data

import "slices"

// Texts holds the cells of some columns of a table (read.Options.Keep) as they stand in its file,
// without blanks around them. Formats that store numbers, and not their texts, have the shortest
// texts that read back as the same numbers.
type Texts struct {
	Names []string // names of the columns

	text []byte
	at   []int // start of each cell in text, row by row, and the end of the last cell
}

// Rows returns the number of rows.
func (t *Texts) Rows() int {
	if len(t.at) == 0 {
		return 0
	}
	return (len(t.at) - 1) / len(t.Names)
}

// At is the text of a row, from 0, in a column, a place in Names.
func (t *Texts) At(row, column int) string {
	i := row*len(t.Names) + column
	return string(t.text[t.at[i]:t.at[i+1]])
}

// Column returns the texts of a column, one for each row, nil where none of that name
// was kept.
func (t *Texts) Column(name string) []string {
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

// Clear takes away all rows, and keeps their memory.
func (t *Texts) Clear() { t.text, t.at = t.text[:0], t.at[:0] }

// Size returns the number of bytes of all texts.
func (t *Texts) Size() int { return len(t.text) }

// Add appends a cell. Cells are added row by row.
func (t *Texts) Add(cell []byte) {
	if len(t.at) == 0 {
		t.at = append(t.at, 0)
	}
	t.text = append(t.text, cell...)
	t.at = append(t.at, len(t.text))
}

// Truncate drops all rows but the first ones.
func (t *Texts) Truncate(rows int) {
	if rows == 0 {
		t.Clear()
	}
	if t.Rows() > rows {
		t.at = t.at[:rows*len(t.Names)+1]
		t.text = t.text[:t.at[len(t.at)-1]]
	}
}

// slice returns the rows in [from, to), which share the texts.
func (t *Texts) slice(from, to int) Texts {
	n := len(t.Names)
	if n == 0 {
		return Texts{}
	}
	end := t.at[to*n]
	return Texts{Names: t.Names, text: t.text[:end:end], at: t.at[from*n : to*n+1 : to*n+1]}
}

// selectRows returns the rows with the given numbers.
func (t *Texts) selectRows(rows []int) Texts {
	out := Texts{Names: t.Names}
	for _, r := range rows {
		for k := range t.Names {
			i := r*len(t.Names) + k
			out.Add(t.text[t.at[i]:t.at[i+1]])
		}
	}
	return out
}

// concat returns the rows of t and then the rows of other. Both must have the same columns.
func (t *Texts) concat(other *Texts) Texts {
	out := Texts{Names: t.Names}
	for _, part := range []*Texts{t, other} {
		for i := range max(1, len(part.at)) - 1 {
			out.Add(part.text[part.at[i]:part.at[i+1]])
		}
	}
	return out
}
