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
		Fields:       slices.Clone(t.Fields),
		TargetFields: t.TargetFields,
		Keep:         t.KeptTexts.Names,
	}
	if raw && o.Fields == nil {
		o.Fields = slices.Repeat([]data.Field{{Kind: data.Number}}, len(t.Columns))
	}
	for j := range o.Fields {
		o.Fields[j].Bits = o.Fields[j].Kind == data.Number && data.AreBits(columnValues(t, j))
	}
	return o
}

// columnValues returns the values of input j.
func columnValues(t *data.Table, j int) (values []float64) {
	for i := j; i < len(t.X); i += len(t.Columns) {
		values = append(values, t.X[i])
	}
	return values
}
