package preparation

import (
	"math"
	"slices"
	"strings"
)

// isIdentifier reports whether the categories name the rows, as customer numbers do, since
// nearly all of them differ.
func isIdentifier(v columnValues) bool {
	const (
		minCategories    = 20  // a column with fewer categories may group a small table
		minDistinctShare = 0.9 // distinct categories per row
	)
	distinct := make(map[float64]bool)
	for _, category := range v.present {
		distinct[category] = true
	}
	return len(distinct) > minCategories && float64(len(distinct)) >= minDistinctShare*float64(len(v.present))
}

// rowNumberNames are names that programs give to a column of row numbers, in lower case and
// without spaces and punctuation.
var rowNumberNames = []string{
	"index", "indexlevel0", "id", "recordid",
	"row", "rowid", "rowname", "rownames", "rowno", "rownum", "rownumber",
	"no", "nr", "num", "number",
	"obs", "observation",
}

// isRowNumberName reports whether a column's name is empty or suggests that the column
// numbers the rows, as "Unnamed: 0", "rownames" and "customer_id" do.
func isRowNumberName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune(" _-.:#()[]", r) })
	if len(words) == 0 {
		return true
	}
	madeByPandas := words[0] == "unnamed"
	madeByReader := strings.HasPrefix(name, "column ") && len(words) == 2 // data/read names a column without a header so
	madeByReadr := strings.HasPrefix(name, "...")                         // of R's tidyverse
	if madeByPandas || madeByReader || madeByReadr {
		return true
	}
	if slices.Contains(rowNumberNames, strings.Join(words, "")) {
		return true
	}
	return words[len(words)-1] == "id" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

// areRowNumbers reports whether the numbers of a column can be row numbers in any order:
// they are distinct whole numbers with few gaps. Some gaps are allowed, since the test rows
// are not among the values.
func areRowNumbers(v columnValues) bool {
	const (
		minRows   = 5
		maxSpread = 3 // largest range of the numbers per row
	)
	if v.missing > 0 || len(v.present) < minRows {
		return false
	}
	if slices.ContainsFunc(v.present, func(x float64) bool { return x != math.Trunc(x) }) {
		return false
	}
	sorted := slices.Sorted(slices.Values(v.present))
	n := len(sorted)
	spread := sorted[n-1] - sorted[0]
	distinct := len(slices.Compact(sorted))
	return distinct == n && spread < maxSpread*float64(n)
}
