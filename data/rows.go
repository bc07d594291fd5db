package data

import (
	"math"
	"slices"
)

// WithInputs returns a table with other inputs, row-major, in place of its own.
func (t *Table) WithInputs(columns []string, x []float64) *Table {
	out := t.withoutValues()
	out.Columns, out.Fields, out.X = columns, nil, x
	out.Y, out.E, out.W, out.B, out.Kept = t.Y, t.E, t.W, t.B, t.Kept
	return out
}

// withoutValues returns the table without its values.
func (t *Table) withoutValues() *Table {
	return &Table{
		Name: t.Name, Columns: t.Columns, Targets: t.Targets, TargetFields: t.TargetFields, Fields: t.Fields, Extras: t.Extras, Weight: t.Weight, By: t.By, ByField: t.ByField,
		Unlabelled: t.Unlabelled, Blank: t.Blank, Incomplete: t.Incomplete, Held: t.Held, Remarks: t.Remarks, Note: t.Note, Differs: t.Differs, Layout: t.Layout,
	}
}

// filter returns a table with the rows that kept accepts, and t itself if it accepts all rows.
func (t *Table) filter(kept func(row []float64) bool) *Table {
	var rows []int
	n := len(t.Columns)
	for r := range t.Rows() {
		if kept(t.X[r*n : (r+1)*n]) {
			rows = append(rows, r)
		}
	}
	if len(rows) == t.Rows() {
		return t
	}
	out := t.withoutValues()
	to := out.Groups()
	for i, g := range t.Groups() {
		columns := len(g.Names)
		if columns == 0 {
			continue // the values stay nil
		}
		values := make([]float64, 0, len(rows)*columns)
		for _, r := range rows {
			values = append(values, (*g.Values)[r*columns:(r+1)*columns]...)
		}
		*to[i].Values = values
	}
	out.Kept = t.Kept.Select(rows)
	return out
}

// Complete returns the table without the rows that lack an input. Inputs without any value do
// not count.
func (t *Table) Complete() *Table {
	n := len(t.Columns)
	has := make([]bool, n)
	for i, v := range t.X {
		has[i%n] = has[i%n] || !math.IsNaN(v)
	}
	out := t.filter(func(row []float64) bool {
		for j, v := range row {
			if has[j] && math.IsNaN(v) {
				return false
			}
		}
		return true
	})
	if out != t {
		out.Incomplete = t.Rows() - out.Rows()
	}
	return out
}

// WithoutBlanks returns the table without the rows that lack every input, such as footers and
// lines of delimiters.
func (t *Table) WithoutBlanks() *Table {
	if t.Fields == nil {
		return t
	}
	out := t.filter(func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) })
	})
	if out != t {
		out.Blank = t.Rows() - out.Rows()
	}
	return out
}
