package read

import (
	"slices"

	"sml/data"
)

// InputName returns the name of the input that ref names or, failing that, numbers by its
// column in the file, from 1.
func InputName(t *data.Table, ref string) (name string, ok bool) {
	names := make([]string, max(len(t.Columns), t.FileLayout().Columns))
	for j, place := range t.FileLayout().Inputs {
		if j < len(t.Columns) && place <= len(names) {
			names[place-1] = t.Columns[j]
		}
	}
	i, err := indexOf(names).find(ref, true)
	if err != nil || !slices.Contains(t.Columns, names[i]) {
		return "", false
	}
	return names[i], true
}
