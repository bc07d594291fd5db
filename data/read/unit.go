package read

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sml/data"
)

// unit is the text beside a number in a cell: currency signs before it, and any text after it, such as km or %. The zero value
// stands for no unit.
type unit struct {
	prefix, suffix string
	hasMagnitudes  bool // a magnitude may be in place of the suffix, and multiplies the number
}

// unitOf returns the unit of the numbers of a field.
func unitOf(f *data.Field) unit { return unit{f.Prefix, f.Suffix, f.Magnitudes} }

// isPercent reports whether the unit is a percent sign, so that a number without it is another one.
func (u unit) isPercent() bool { return u == unit{suffix: "%"} }

// magnitudes are the powers of ten for texts after a number.
var magnitudes = map[string]int{
	"k": 3, "K": 3, "thousand": 3, "lakh": 5, "Lakh": 5, "lac": 5, "Lac": 5,
	"M": 6, "mn": 6, "mln": 6, "Mio": 6, "Mio.": 6, "million": 6, "crore": 7, "Crore": 7, "Cr": 7,
	"B": 9, "bn": 9, "Mrd": 9, "Mrd.": 9, "billion": 9, "G": 9, "T": 12, "tn": 12, "trillion": 12,
}

// withMagnitudes returns the unit of numbers with a magnitude if the suffix is one, and otherwise the unit itself.
func (u unit) withMagnitudes() unit {
	if magnitudes[u.suffix] > 0 {
		return unit{prefix: u.prefix, hasMagnitudes: true}
	}
	return u
}

// hasCurrency reports whether the unit has a currency.
func (u unit) hasCurrency() bool { return isCurrency(u.prefix) || isCurrency(u.suffix) }

// String returns the unit for messages.
func (u unit) String() string {
	if u.hasMagnitudes {
		return u.prefix + "K, M or B"
	}
	return u.prefix + u.suffix
}

// splitUnit divides a cell into a number and its unit. The number, which may be misspelt, has its sign before it, wherever
// the cell has it: -$5, $-5 and ($5) are all -5. It returns the cell itself and no unit for any other cell.
func splitUnit(cell string) (number string, u unit) {
	sign, amount := splitMoneySign(minusFirst(cell))
	start := strings.IndexFunc(amount, isNumberRune)
	last := strings.LastIndexFunc(strings.TrimSuffix(amount, "."), isNumberRune) // Mio. ends with a point
	if start < 0 || last < 0 {
		return cell, unit{}
	}
	_, size := utf8.DecodeRuneInString(amount[last:])
	end := last + size
	if amount[end:] == "." { // as in 5.
		end++
	}
	u = unit{prefix: strings.TrimSpace(amount[:start]), suffix: strings.TrimSpace(amount[end:])}
	isName := u.prefix != "" && !isCurrency(u.prefix) // a code such as n01
	if u == (unit{}) || isName {
		return cell, unit{}
	}
	return sign + amount[start:end], u
}

// splitMoneySign divides an amount of money into the sign before its currency and the rest. It returns no sign for any other
// cell.
func splitMoneySign(cell string) (sign, amount string) {
	amount = strings.TrimLeft(cell, "+-\u2212")
	start := strings.IndexFunc(amount, isNumberRune)
	if start <= 0 || !isCurrency(strings.TrimSpace(amount[:start])) {
		return "", cell
	}
	return cell[:len(cell)-len(amount)], amount
}

// isNumberRune reports whether a number may begin or end with r.
func isNumberRune(r rune) bool {
	return unicode.IsDigit(r) || r == minusSign || strings.ContainsRune("+-.", r)
}
