package read

import (
	"slices"
	"strings"
	"unicode"
)

// isCurrency reports whether a text has a currency sign, as US$ has, or is the code of a currency.
func isCurrency(text string) bool {
	isSign := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
	codes := []string{"USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL"}
	return strings.ContainsFunc(text, isSign) || slices.Contains(codes, text)
}
