package preparation

import (
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// named returns the options with names in the place of numbers of columns, which count
// those of the file as data.Options do.
func (o Options) named(t *data.Table) Options {
	places := t.FileLayout().Inputs
	name := func(ref string) string {
		for _, name := range []string{ref, strings.Join(strings.Fields(ref), " ")} {
			if slices.Contains(t.Columns, name) {
				return name
			}
		}
		n, err := strconv.Atoi(ref)
		if j := slices.Index(places, n); err == nil && j >= 0 && j < len(t.Columns) {
			return t.Columns[j]
		}
		return ref
	}
	o.Keep, o.Ordinal = slices.Clone(o.Keep), slices.Clone(o.Ordinal)
	for i, ref := range o.Keep {
		o.Keep[i] = name(ref)
	}
	for i := range o.Ordinal {
		o.Ordinal[i].Column = name(o.Ordinal[i].Column)
	}
	return o
}
