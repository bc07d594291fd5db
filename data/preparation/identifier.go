package preparation

import (
	"math"
	"slices"
	"strings"
)

// isIdentifier reports whether the categories v name single rows, as customer numbers do: nearly all
// of them differ. A network would only learn them by heart.
func isIdentifier(v columnValues) bool {
	const (
		minCategories       = 20  // a column with fewer categories may group a small table
		minDistinctFraction = 0.9 // of distinct categories among the rows
	)
	distinct := make(map[float64]bool)
	for _, category := range v.present {
		distinct[category] = true
	}
	return len(distinct) > minCategories && float64(len(distinct)) >= minDistinctFraction*float64(len(v.present))
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
	isSeparator := func(r rune) bool { return strings.ContainsRune(" _-.:#()[]", r) }
	words := strings.FieldsFunc(strings.ToLower(name), isSeparator)
	if len(words) == 0 {
		return true
	}
	// Names that programs give to a column without a name.
	isFromPandas := words[0] == "unnamed"
	isFromThisProgram := strings.HasPrefix(name, "column ") && len(words) == 2 // package read
	isFromReadr := strings.HasPrefix(name, "...")                              // of R's tidyverse
	if isFromPandas || isFromThisProgram || isFromReadr {
		return true
	}
	if slices.Contains(rowNumberNames, strings.Join(words, "")) {
		return true
	}
	lastWord := words[len(words)-1]
	return lastWord == "id" || strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "ID")
}

// areRowNumbers reports whether the numbers of a column can be row numbers in any order:
// they are distinct whole numbers with few gaps. Some gaps are allowed, since the test rows
// are not among the values.
func areRowNumbers(v columnValues) bool {
	const (
		minRows   = 5 // with fewer rows, numbers without gaps say nothing
		maxSpread = 3 // maximum difference of the largest and the smallest number, per row
	)
	if v.missingRows > 0 || len(v.present) < minRows {
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
