package data

import (
	"fmt"
	"math"
	"slices"
)

// WithTest returns the table with the rows of test appended as test rows (see Table.TestRows). The
// table test has to be read with read.TestOptions of t. WithTest returns an error if test lacks an
// extra column or the weight.
func (t *Table) WithTest(test *Table) (*Table, error) {
	for _, name := range t.Extras {
		if !slices.Contains(test.Extras, name) {
			return nil, fmt.Errorf("%s: the extra column %q is missing; test rows need the columns of %s", test.Name, name, t.Name)
		}
	}
	if t.Weight != test.Weight {
		return nil, fmt.Errorf("%s: the weight %q is missing; test rows need the columns of %s", test.Name, t.Weight, t.Name)
	}
	joined := t.WithInputs(t.Columns, slices.Concat(t.X, test.X))
	joined.Y = slices.Concat(t.Y, test.Y)
	joined.E = slices.Concat(t.E, test.E)
	joined.W = slices.Concat(t.W, test.W)
	joined.KeptTexts = t.KeptTexts.Concat(&test.KeptTexts)
	joined.TestRows = test.Rows()
	if t.Numbers != nil || test.Numbers != nil {
		joined.Numbers = slices.Concat(t.numbersOf(indices[int](t.Rows())), test.numbersOf(indices[int](test.Rows())))
	}
	joined.Fields = t.Fields
	if slices.ContainsFunc(test.X, math.IsNaN) {
		joined.Fields = test.Fields // without fields no value may be missing
	}
	joined.UnlabelledRows = t.UnlabelledRows + test.UnlabelledRows
	joined.DuplicateRows = t.DuplicateRows + test.DuplicateRows
	joined.IncompleteRows = t.IncompleteRows + test.IncompleteRows
	joined.Remarks = slices.Concat(t.Remarks, test.Remarks)
	if test.Note != "" {
		joined.Remarks = append(joined.Remarks, test.Note)
	}
	return joined, nil
}

// SeparateTestRows returns the table's own rows and the test rows that WithTest appended, which
// share the table's values. testTable is nil if the table has no test rows.
func (t *Table) SeparateTestRows() (ownTable, testTable *Table) {
	if t.TestRows == 0 {
		return t, nil
	}
	ownRows := t.Rows() - t.TestRows
	ownTable = t.Slice(0, ownRows)
	ownTable.TestRows = 0
	testTable = t.Slice(ownRows, t.Rows())
	testTable.TestRows = 0
	return ownTable, testTable
}

// Slice returns a table of the rows start, start+1, …, end−1, which share the table's values.
func (t *Table) Slice(start, end int) *Table {
	rows := t.withoutValues()
	rows.KeptTexts = t.KeptTexts.Slice(start, end)
	if t.Numbers != nil || start > 0 {
		rows.Numbers = t.numbersOf(indices[int](t.Rows())[start:end])
	}
	rowGroups := rows.Groups()
	for i, g := range t.Groups() {
		columns := len(g.Names)
		if *g.Values != nil {
			*rowGroups[i].Values = (*g.Values)[start*columns : end*columns : end*columns]
		}
	}
	return rows
}
