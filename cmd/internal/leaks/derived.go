package leaks

import (
	"slices"
	"strings"
)

// derivedColumns returns the columns of a combination that seem to be computed from the target, since they have a
// word of its name, such as price_per_m2 for a price. If none has, it returns all columns of the combination.
func derivedColumns(columns []Column, combined []int, target string) []int {
	var derived []int
	for _, i := range combined {
		if shareWord(columns[i].Name, target) {
			derived = append(derived, i)
		}
	}
	if derived == nil {
		return combined
	}
	return derived
}

// shareWord reports whether two names have a word of at least three letters in common.
func shareWord(a, b string) bool {
	const minLetters = 3
	words := Words(b)
	return slices.ContainsFunc(Words(a), func(word string) bool {
		return len(word) >= minLetters && slices.Contains(words, word)
	})
}

// Words returns the words of a column's name, in lower case. Characters other than letters from a to z separate them.
func Words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' })
}
