package read

import (
	"slices"

	"sml/data"
)

// TestOptions returns the options with which a file of test rows is read, so that its rows can
// be appended to the table by Table.WithTest: the table's columns, kinds and levels. If raw is
// set, values may be missing.
func TestOptions(t *data.Table, raw bool) Options {
	layout := t.FileLayout()
	o := Options{Inputs: t.Columns, Targets: t.Targets, Extra: t.Extras, Weight: t.Weight, Layout: &layout, Fields: t.Fields, Keep: t.Kept.Names}
	if raw && o.Fields == nil {
		o.Fields = slices.Repeat([]data.Field{{Kind: data.Number}}, len(t.Columns))
	}
	return o
}
