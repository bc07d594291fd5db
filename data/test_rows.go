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
	both := t.WithInputs(t.Columns, slices.Concat(t.X, test.X))
	both.Y = slices.Concat(t.Y, test.Y)
	both.E = slices.Concat(t.E, test.E)
	both.W = slices.Concat(t.W, test.W)
	both.KeptTexts = t.KeptTexts.Concat(&test.KeptTexts)
	both.TestRows = test.Rows()
	both.Fields = t.Fields
	if slices.ContainsFunc(test.X, math.IsNaN) {
		both.Fields = test.Fields // without fields no value may be missing
	}
	both.UnlabelledRows = t.UnlabelledRows + test.UnlabelledRows
	both.IncompleteRows = t.IncompleteRows + test.IncompleteRows
	both.Remarks = slices.Concat(t.Remarks, test.Remarks)
	if test.Note != "" {
		both.Remarks = append(both.Remarks, test.Note)
	}
	return both, nil
}

// SeparateTestRows returns the table's own rows and the test rows that WithTest appended, which
// share the table's values. test is nil if the table has no test rows.
func (t *Table) SeparateTestRows() (own, test *Table) {
	if t.TestRows == 0 {
		return t, nil
	}
	ownRows := t.Rows() - t.TestRows
	own = t.Slice(0, ownRows)
	own.TestRows = 0
	test = t.Slice(ownRows, t.Rows())
	test.TestRows = 0
	return own, test
}

// Slice returns a table of the rows from, from+1, …, to−1, which share the table's values.
func (t *Table) Slice(from, to int) *Table {
	out := t.withoutValues()
	out.KeptTexts = t.KeptTexts.Slice(from, to)
	outGroups := out.Groups()
	for i, g := range t.Groups() {
		columns := len(g.Names)
		if *g.Values != nil {
			*outGroups[i].Values = (*g.Values)[from*columns : to*columns : to*columns]
		}
	}
	return out
}
