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

// minusFirst returns a cell with a minus before it in place of brackets, as accountants write negative numbers: (5), ($5) and
// $(5). It also moves the minus of 5- and joins the minus of - 5, which some programs write. It returns any other cell as it is.
func minusFirst(cell string) string {
	beforeBracket, inner, hasBracket := strings.Cut(cell, "(")
	inner, isClosed := strings.CutSuffix(inner, ")")
	hasAmountBefore := beforeBracket != "" && !isCurrency(strings.TrimSpace(beforeBracket))
	switch {
	case hasBracket:
		if isClosed && !hasAmountBefore {
			return "-" + beforeBracket + inner
		}
		return cell
	case strings.HasPrefix(cell, "- "):
		return "-" + strings.TrimLeft(cell[1:], " ")
	}
	if number, ok := strings.CutSuffix(cell, "-"); ok {
		return "-" + number
	}
	return cell
}
