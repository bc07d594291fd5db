package read

import (
	"slices"
	"strings"
	"unicode"

	"sml/data"
)

// parseUnit parses a number with the field's unit before and after it. It returns false if the
// cell is not such a number, or if the field has no unit.
func parseUnit(f *data.Field, cell string, n notation) (float64, bool) {
	if f.Before == "" && f.After == "" {
		return 0, false
	}
	if f.Percent() {
		return n.parsePercentage(cell)
	}
	rest, ok := strings.CutPrefix(cell, f.Before)
	if !ok {
		return 0, false
	}
	if rest, ok = strings.CutSuffix(rest, f.After); !ok {
		return 0, false
	}
	v, ok, _ := n.parseNumber(strings.TrimSpace(rest))
	return v, ok
}

// unitOf returns the field of a column whose texts are numbers with a common unit: a currency
// sign before them, or any text after them. ok is false if the texts are something else.
func inferUnit(texts []string, n notation) (f data.Field, ok bool) {
	if len(texts) == 0 {
		return f, false
	}
	is := func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-.", r) }
	from, to := strings.IndexFunc(texts[0], is), strings.LastIndexFunc(texts[0], is)
	if from < 0 || from == 0 && to == len(texts[0])-1 {
		return f, false
	}
	f = data.Field{Kind: data.Number, Before: texts[0][:from], After: texts[0][to+1:]}
	if strings.ContainsFunc(f.Before, func(r rune) bool { return !unicode.Is(unicode.Sc, r) && !unicode.IsSpace(r) }) { // a code such as n01 is a name
		return f, false
	}
	return f, !slices.ContainsFunc(texts, func(cell string) bool { _, ok := parseUnit(&f, cell, n); return !ok })
}
