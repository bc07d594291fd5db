package data

import (
	"fmt"
	"math"
	"slices"
)

// TestOptions say how a file with rows for testing is read: by the columns of the
// table, whose kinds and levels are known from it alone. Raw: rows may lack values.
func (t *Table) TestOptions(raw bool) Options {
	layout := t.FileLayout()
	o := Options{Inputs: t.Columns, Targets: t.Targets, Extra: t.Extras, Weight: t.Weight, Layout: &layout, Fields: t.Fields, Keep: t.Kept.Names}
	if raw && o.Fields == nil {
		o.Fields = slices.Repeat([]Field{{Kind: Number}}, len(t.Columns))
	}
	return o
}

// WithTest returns the table with the rows of another behind its own, which are held
// apart for testing (Held). That is read with TestOptions of the table.
func (t *Table) WithTest(test *Table) (*Table, error) {
	for _, name := range t.Extras {
		if !slices.Contains(test.Extras, name) {
			return nil, fmt.Errorf("%s: the further column %q is missing; rows for testing need the columns of %s", show(test.Name), name, show(t.Name))
		}
	}
	if t.Weight != test.Weight {
		return nil, fmt.Errorf("%s: the weight %q is missing; rows for testing need the columns of %s", show(test.Name), t.Weight, show(t.Name))
	}
	both := t.WithInputs(t.Columns, slices.Concat(t.X, test.X))
	both.Y, both.E, both.W = slices.Concat(t.Y, test.Y), slices.Concat(t.E, test.E), slices.Concat(t.W, test.W)
	both.Kept = t.Kept.with(&test.Kept)
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

// Parts are the table's own rows and those that are held apart for testing: parts of
// its values, not copies. test is nil where it has none of these.
func (t *Table) Parts() (own, test *Table) {
	if t.Held == 0 {
		return t, nil
	}
	at := t.Rows() - t.Held
	own, test = t.WithInputs(t.Columns, nil), t.WithInputs(t.Columns, nil)
	own.Held, test.Held, own.Fields, test.Fields = 0, 0, t.Fields, t.Fields
	own.Kept, test.Kept = t.Kept.between(0, at), t.Kept.between(at, t.Rows())
	to, from := own.groups(), test.groups()
	for i, g := range t.groups() {
		n := at * len(g.names)
		if *g.values != nil {
			*to[i].values, *from[i].values = (*g.values)[:n:n], (*g.values)[n:]
		}
	}
	return own, test
}
