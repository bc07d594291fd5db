package data

import (
	"math"
	"slices"
)

// WithInputs returns a copy of the table with other inputs, all of them numbers. x is row-major.
// The copy shares all other values with t.
func (t *Table) WithInputs(columns []string, x []float64) *Table {
	out := t.withoutValues()
	out.Columns, out.Fields, out.X = columns, nil, x
	out.Y, out.E, out.W, out.SplitValues, out.KeptTexts = t.Y, t.E, t.W, t.SplitValues, t.KeptTexts
	return out
}

// withoutValues returns a copy of the table with its names, fields and remarks, but no rows.
func (t *Table) withoutValues() *Table {
	return &Table{
		Name:    t.Name,
		Columns: t.Columns,
		Targets: t.Targets,
		Extras:  t.Extras,
		Weight:  t.Weight,

		Fields:       t.Fields,
		TargetFields: t.TargetFields,
		SplitColumn:  t.SplitColumn,
		SplitField:   t.SplitField,

		TestRows:       t.TestRows,
		UnlabelledRows: t.UnlabelledRows,
		BlankRows:      t.BlankRows,
		IncompleteRows: t.IncompleteRows,

		Remarks:    t.Remarks,
		Note:       t.Note,
		Difference: t.Difference,
		Layout:     t.Layout,
	}
}

// keepRows returns a table with the rows for which keep is true of the inputs. It returns t itself
// if these are all rows.
func (t *Table) keepRows(keep func(inputs []float64) bool) *Table {
	var rows []int
	n := len(t.Columns)
	for r := range t.Rows() {
		if keep(t.X[r*n : (r+1)*n]) {
			rows = append(rows, r)
		}
	}
	if len(rows) == t.Rows() {
		return t
	}
	out := t.withoutValues()
	outGroups := out.Groups()
	for i, g := range t.Groups() {
		if len(g.Names) > 0 {
			*outGroups[i].Values = selectRows(*g.Values, len(g.Names), rows)
		}
	}
	out.KeptTexts = t.KeptTexts.Select(rows)
	return out
}

// selectRows returns a copy of the given rows of values, which are row-major.
func selectRows(values []float64, columns int, rows []int) []float64 {
	selected := make([]float64, 0, len(rows)*columns)
	for _, r := range rows {
		selected = append(selected, values[r*columns:(r+1)*columns]...)
	}
	return selected
}

// Complete returns the table without the rows in which an input is missing. Input columns without
// any value do not count.
func (t *Table) Complete() *Table {
	n := len(t.Columns)
	hasValues := make([]bool, n) // for each input column
	for i, v := range t.X {
		hasValues[i%n] = hasValues[i%n] || !math.IsNaN(v)
	}
	out := t.keepRows(func(row []float64) bool {
		for j, v := range row {
			if hasValues[j] && math.IsNaN(v) {
				return false
			}
		}
		return true
	})
	if out != t {
		out.IncompleteRows = t.Rows() - out.Rows()
	}
	return out
}

// WithoutBlanks returns the table without the rows in which all inputs are missing, such as footers
// and lines of delimiters.
func (t *Table) WithoutBlanks() *Table {
	if t.Fields == nil {
		return t
	}
	out := t.keepRows(func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) })
	})
	if out != t {
		out.BlankRows = t.Rows() - out.Rows()
	}
	return out
}
