package read

import (
	"slices"

	"sml/data"
)

// TestOptions returns options for reading a file of test rows, which Table.WithTest then adds to
// the table t: the file is read with the columns, kinds and categories of t. If raw is true, values
// may be missing even if t has only numbers.
func TestOptions(t *data.Table, raw bool) Options {
	layout := t.FileLayout()
	o := Options{
		Inputs:       t.Columns,
		Targets:      t.Targets,
		Extra:        t.Extras,
		Weight:       t.Weight,
		Layout:       &layout,
		Fields:       t.Fields,
		TargetFields: t.TargetFields,
		Keep:         t.KeptTexts.Names,
	}
	if raw && o.Fields == nil {
		o.Fields = slices.Repeat([]data.Field{{Kind: data.Number}}, len(t.Columns))
	}
	return o
}
