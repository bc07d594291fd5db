package read

import (
	"slices"

	"sml/data"
)

// InputName returns the name of the input with the name ref or, failing that, in the file's
// column of number ref, from 1. ok is false if there is none.
func InputName(t *data.Table, ref string) (name string, ok bool) {
	names := make([]string, max(len(t.Columns), t.FileLayout().Columns))
	for j, number := range t.FileLayout().Inputs {
		if j < len(t.Columns) && number <= len(names) {
			names[number-1] = t.Columns[j]
		}
	}
	i, err := newColumnIndex(names).findColumn(ref, true)
	if err != nil || !slices.Contains(t.Columns, names[i]) {
		return "", false
	}
	return names[i], true
}
