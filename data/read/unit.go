package read

import (
	"slices"
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
// sign before them, or any text after them. Blanks between the two may be missing in some texts. ok is false if the texts
// are something else.
func inferUnit(texts []string, n notation) (f data.Field, ok bool) {
	f = data.Field{Kind: data.Number}
	for i, text := range texts {
		start := strings.IndexFunc(text, isNumberRune)
		last := strings.LastIndexFunc(text, isNumberRune) // the rune takes one byte, unless parseUnit refuses it
		if start < 0 {
			return f, false
		}
		if prefix := text[:start]; i == 0 || len(prefix) < len(f.Prefix) {
			f.Prefix = prefix
		}
		if suffix := text[last+1:]; i == 0 || len(suffix) < len(f.Suffix) {
			f.Suffix = suffix
		}
	}
	hasUnit := f.Prefix+f.Suffix != ""
	if !hasUnit || strings.ContainsFunc(f.Prefix, isNeitherCurrencyNorBlank) { // a code such as n01 is a name
		return f, false
	}
	isOther := func(text string) bool { _, ok := parseUnit(&f, text, n); return !ok }
	return f, !slices.ContainsFunc(texts, isOther)
}

// isNeitherCurrencyNorBlank reports whether r cannot stand before a number as its unit.
func isNeitherCurrencyNorBlank(r rune) bool {
	return !unicode.Is(unicode.Sc, r) && !unicode.IsSpace(r)
}

// isNumberRune reports whether a number may begin or end with r.
func isNumberRune(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-.", r) }
