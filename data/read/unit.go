package read

import (
	"strings"
	"unicode"

	"sml/data"
)

// parseUnit parses a number with the field's unit: the field's prefix before it, such as "$", and its
// suffix after it, such as " km". ok is false if the cell is not such a number, or if the field has no
// unit.
func parseUnit(f *data.Field, cell string, n notation) (number float64, ok bool) {
	if f.Prefix == "" && f.Suffix == "" {
		return 0, false
	}
	if f.Percent() {
		return n.parsePercentage(cell)
	}
	rest, hasPrefix := strings.CutPrefix(cell, f.Prefix)
	digits, hasSuffix := strings.CutSuffix(rest, f.Suffix)
	if !hasPrefix || !hasSuffix {
		return 0, false
	}
	number, ok, _ = n.parseNumber(strings.TrimSpace(digits))
	return number, ok
}

// inferUnit returns the field of a column whose texts are numbers with a common unit: a currency
// sign before them, or any text after them. ok is false if the texts are something else.
func inferUnit(texts []string, n notation) (f data.Field, ok bool) {
	if len(texts) == 0 {
		return data.Field{}, false
	}
	example := texts[0]
	start := strings.IndexFunc(example, isNumberRune)
	last := strings.LastIndexFunc(example, isNumberRune) // the rune takes one byte, unless parseUnit refuses it
	hasNumber := start >= 0
	hasUnit := start > 0 || last < len(example)-1
	if !hasNumber || !hasUnit {
		return data.Field{}, false
	}
	f = data.Field{Kind: data.Number, Prefix: example[:start], Suffix: example[last+1:]}
	if strings.ContainsFunc(f.Prefix, isNeitherCurrencyNorBlank) { // a code such as n01 is a name
		return f, false
	}
	for _, cell := range texts {
		if _, ok := parseUnit(&f, cell, n); !ok {
			return f, false
		}
	}
	return f, true
}

// isNeitherCurrencyNorBlank reports whether r cannot stand before a number as its unit.
func isNeitherCurrencyNorBlank(r rune) bool {
	return !unicode.Is(unicode.Sc, r) && !unicode.IsSpace(r)
}

// isNumberRune reports whether a number may begin or end with r.
func isNumberRune(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-.", r) }
