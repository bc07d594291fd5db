package data

import "math"

// WithInputs returns a table with other inputs, row-major, in place of its own.
func (t *Table) WithInputs(columns []string, x []float64) *Table {
	return &Table{
		Name: t.Name, Columns: columns, Targets: t.Targets, X: x, Y: t.Y,
		Extras: t.Extras, E: t.E, Weight: t.Weight, W: t.W, By: t.By, ByField: t.ByField, B: t.B, Held: t.Held,
		Unlabelled: t.Unlabelled, Note: t.Note, Differs: t.Differs, layout: t.layout,
	}
}

// Complete returns the table without rows in which an input is missing.
func (t *Table) Complete() *Table {
	var kept []int
	n := len(t.Columns)
	for r := range t.Rows() {
		whole := true
		for _, v := range t.X[r*n : (r+1)*n] {
			whole = whole && !math.IsNaN(v)
		}
		if whole {
			kept = append(kept, r)
		}
	}
	if len(kept) == t.Rows() {
		return t
	}
	out := t.WithInputs(t.Columns, nil)
	out.Fields = t.Fields
	to := out.groups()
	for i, g := range t.groups() {
		columns := len(g.names)
		if columns == 0 {
			continue // nil is none
		}
		values := make([]float64, 0, len(kept)*columns)
		for _, r := range kept {
			values = append(values, (*g.values)[r*columns:(r+1)*columns]...)
		}
		*to[i].values = values
	}
	out.Incomplete = t.Rows() - len(kept)
	return out
}
