package preparation

import (
	"math"
	"slices"
	"strings"
)

// identifies tells whether texts name rows: nearly all of them are different.
func identifies(v values) bool {
	const fewest, share = 20, 0.9
	distinct := make(map[float64]bool)
	for _, x := range v.of {
		distinct[x] = true
	}
	return len(distinct) > fewest && float64(len(distinct)) >= share*float64(len(v.of))
}

// indexNames are what columns are called that programs write to number the rows.
var indexNames = []string{"index", "id", "row", "rowid", "rownames", "rownumber", "rownum", "rowname", "rowno", "no", "nr", "num", "number", "obs", "observation", "recordid", "indexlevel0"}

// indexName tells whether a column has no name, or one that says that it numbers the
// rows, such as Unnamed: 0, rownames or customer_id.
func indexName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.:#()[]", r) })
	switch {
	case len(words) == 0, words[0] == "unnamed", strings.HasPrefix(name, "column ") && len(words) == 2, strings.HasPrefix(name, "..."):
		return true
	}
	return slices.Contains(indexNames, strings.Join(words, "")) || words[len(words)-1] == "id" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

// counts tells whether numbers count the rows, in whatever order: whole numbers, all
// different, with few left out, as rows that are tested on are.
func counts(v values) bool {
	const fewest, sparse = 5, 3
	if v.missing > 0 || len(v.of) < fewest {
		return false
	}
	if slices.ContainsFunc(v.of, func(x float64) bool { return x != math.Trunc(x) }) {
		return false
	}
	sorted := slices.Sorted(slices.Values(v.of))
	n := len(sorted)
	return len(slices.Compact(sorted)) == n && slices.Max(v.of)-slices.Min(v.of) < sparse*float64(n)
}
