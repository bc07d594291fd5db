package data

import (
	"encoding/binary"
	"math"
	"slices"
)

// WithInputs returns a copy of the table with other inputs, all of them numbers without missing values.
// x has the same number of rows as t and is row-major. The copy shares all other values with t.
func (t *Table) WithInputs(columns []string, x []float64) *Table {
	table := t.withoutValues()
	table.Columns = columns
	table.Fields = nil
	table.X = x
	table.Y = t.Y
	table.E = t.E
	table.W = t.W
	table.SplitValues = t.SplitValues
	table.KeptTexts = t.KeptTexts
	table.Numbers = t.Numbers
	return table
}

// withoutValues returns a copy of the table with its names, fields, remarks and counts, but no rows. The
// caller adds rows.
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
		DuplicateRows:  t.DuplicateRows,
		WeightlessRows: t.WeightlessRows,

		Remarks:    t.Remarks,
		Note:       t.Note,
		Difference: t.Difference,
		Layout:     t.Layout,
	}
}

// keepRows returns a table with the rows for which keep returns true, given their index and their inputs. It
// returns t itself if these are all rows.
func (t *Table) keepRows(keep func(r int, inputs []float64) bool) *Table {
	var rows []int
	n := len(t.Columns)
	for r := range t.Rows() {
		if keep(r, t.X[r*n:(r+1)*n]) {
			rows = append(rows, r)
		}
	}
	if len(rows) == t.Rows() {
		return t
	}
	ownRows := t.Rows() - t.TestRows
	firstTest, _ := slices.BinarySearch(rows, ownRows)
	selected := t.withoutValues()
	selectedGroups := selected.Groups()
	for i, g := range t.Groups() {
		if len(g.Names) > 0 {
			*selectedGroups[i].Values = selectRows(*g.Values, len(g.Names), rows)
		}
	}
	selected.KeptTexts = t.KeptTexts.Select(rows)
	selected.Numbers = t.numbersOf(rows)
	selected.TestRows = len(rows) - firstTest
	return selected
}

// selectRows returns a copy of the given rows of values, which are row-major.
func selectRows(values []float64, columns int, rows []int) []float64 {
	selected := make([]float64, 0, len(rows)*columns)
	for _, r := range rows {
		selected = append(selected, values[r*columns:(r+1)*columns]...)
	}
	return selected
}

// Complete returns the table without the rows in which an input is missing, and counts them in
// IncompleteRows. Input columns that have no value in any row do not count. It returns t itself if no
// row is incomplete.
func (t *Table) Complete() *Table {
	n := len(t.Columns)
	hasValues := make([]bool, n) // for each input column
	for i, v := range t.X {
		hasValues[i%n] = hasValues[i%n] || !math.IsNaN(v)
	}
	complete := t.keepRows(func(_ int, row []float64) bool {
		for j, v := range row {
			if hasValues[j] && math.IsNaN(v) {
				return false
			}
		}
		return true
	})
	if complete != t {
		complete.IncompleteRows = t.Rows() - complete.Rows()
	}
	return complete
}

// WithoutBlanks returns the table without the rows in which all inputs are missing, such as footers
// and lines of delimiters, and counts them in BlankRows. It returns t itself if there are none.
func (t *Table) WithoutBlanks() *Table {
	if t.Fields == nil { // no value may be missing
		return t
	}
	selected := t.keepRows(func(_ int, row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) })
	})
	if selected != t {
		selected.BlankRows = t.Rows() - selected.Rows()
	}
	return selected
}

// WithoutDuplicates returns the table without the rows that have the values of an earlier row in all columns,
// and counts them in DuplicateRows. It returns t itself if there are none.
func (t *Table) WithoutDuplicates() *Table {
	isKnown := make(map[string]bool)
	var key []byte
	selected := t.keepRows(func(r int, _ []float64) bool {
		key = key[:0]
		for _, g := range t.Groups() {
			width := len(g.Names)
			for _, v := range (*g.Values)[r*width : (r+1)*width] {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 becomes 0
			}
		}
		isFirst := !isKnown[string(key)]
		isKnown[string(key)] = true
		return isFirst
	})
	if selected != t {
		selected.DuplicateRows = t.Rows() - selected.Rows()
	}
	return selected
}

// Weighted returns the table without the rows of weight 0, which count like no rows, and counts them in
// WeightlessRows. It returns t itself if all weights are above 0.
func (t *Table) Weighted() *Table {
	selected := t.keepRows(func(r int, _ []float64) bool { return t.W == nil || t.W[r] > 0 })
	if selected != t {
		selected.WeightlessRows = t.Rows() - selected.Rows()
	}
	return selected
}
