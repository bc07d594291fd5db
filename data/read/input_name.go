package read

import (
	"slices"

	"sml/data"
)

// InputName returns the name of the table's input that nameOrNumber names: the input with that name or, if there
// is none, the input in the file's column with that number, from 1. ok is false if there is no such
// input or several have the name.
func InputName(t *data.Table, nameOrNumber string) (name string, ok bool) {
	names := make([]string, max(len(t.Columns), t.FileLayout().Columns)) // by column of the file; "" for other columns
	for j, number := range t.FileLayout().Inputs {
		if j < len(t.Columns) && number <= len(names) {
			names[number-1] = t.Columns[j]
		}
	}
	i, err := newColumnIndex(names).findColumn(nameOrNumber, true)
	if err != nil || !slices.Contains(t.Columns, names[i]) {
		return "", false
	}
	return names[i], true
}
