package data

import (
	"fmt"
	"math"
	"slices"
)

// WithTest returns the table with the rows of test after its own, as test rows (Held). The
// table test has to be read with read.TestOptions of t.
func (t *Table) WithTest(test *Table) (*Table, error) {
	for _, name := range t.Extras {
		if !slices.Contains(test.Extras, name) {
			return nil, fmt.Errorf("%s: the further column %q is missing; rows for testing need the columns of %s", test.Name, name, t.Name)
		}
	}
	if t.Weight != test.Weight {
		return nil, fmt.Errorf("%s: the weight %q is missing; rows for testing need the columns of %s", test.Name, t.Weight, t.Name)
	}
	both := t.WithInputs(t.Columns, slices.Concat(t.X, test.X))
	both.Y, both.E, both.W = slices.Concat(t.Y, test.Y), slices.Concat(t.E, test.E), slices.Concat(t.W, test.W)
	both.Kept = t.Kept.Concat(&test.Kept)
	both.Held = test.Rows()
	if both.Fields = t.Fields; slices.ContainsFunc(test.X, math.IsNaN) {
		both.Fields = test.Fields
	}
	both.Unlabelled, both.Incomplete = t.Unlabelled+test.Unlabelled, t.Incomplete+test.Incomplete
	both.Remarks = slices.Concat(t.Remarks, test.Remarks)
	if test.Note != "" {
		both.Remarks = append(both.Remarks, test.Note)
	}
	return both, nil
}

// Parts returns the table's own rows and its test rows (Held), which share the table's values.
// test is nil if the table has no test rows.
func (t *Table) Parts() (own, test *Table) {
	if t.Held == 0 {
		return t, nil
	}
	at := t.Rows() - t.Held
	own, test = t.Slice(0, at), t.Slice(at, t.Rows())
	own.Held, test.Held = 0, 0
	return own, test
}

// Slice returns the rows in [from, to), which share the table's values.
func (t *Table) Slice(from, to int) *Table {
	out := t.withoutValues()
	out.Kept = t.Kept.Slice(from, to)
	parts := out.Groups()
	for i, g := range t.Groups() {
		if columns := len(g.Names); *g.Values != nil {
			*parts[i].Values = (*g.Values)[from*columns : to*columns : to*columns]
		}
	}
	return out
}
