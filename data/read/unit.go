package read

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sml/data"
)

// unit is the text beside a number in a cell: currency signs before it, and any text after it, such as km or %. The zero value
// stands for no unit.
type unit struct{ prefix, suffix string }

// unitOf returns the unit of the numbers of a field.
func unitOf(f *data.Field) unit { return unit{f.Prefix, f.Suffix} }

// isPercent reports whether the unit is a percent sign.
func (u unit) isPercent() bool { return u == unit{suffix: "%"} }

// changesScale reports whether a number without the unit is another one.
func (u unit) changesScale() bool { return u.isPercent() || u.isMagnitude() }

// isMagnitude reports whether the unit may multiply the number, as k multiplies it by 1000.
func (u unit) isMagnitude() bool {
	return slices.Contains([]string{"k", "K", "M", "mn", "mln", "Mio", "Mio.", "million", "B", "bn", "Mrd", "Mrd.", "billion", "G", "T", "tn", "thousand", "lakh", "crore"}, u.suffix)
}

// hasCurrency reports whether the unit has a currency.
func (u unit) hasCurrency() bool { return isCurrency(u.prefix) || isCurrency(u.suffix) }

// String returns the unit for messages.
func (u unit) String() string { return u.prefix + u.suffix }

// splitUnit divides a cell into a number and its unit. The number, which may be misspelt, has its sign before it, wherever
// the cell has it: -$5, $-5 and ($5) are all -5. It returns the cell itself and no unit for any other cell.
func splitUnit(cell string) (number string, u unit) {
	sign, amount := splitMoneySign(minusFirst(cell))
	start := strings.IndexFunc(amount, isNumberRune)
	last := strings.LastIndexFunc(amount, isNumberRune)
	if start < 0 {
		return cell, unit{}
	}
	_, size := utf8.DecodeRuneInString(amount[last:])
	u = unit{strings.TrimSpace(amount[:start]), strings.TrimSpace(amount[last+size:])}
	isName := u.prefix != "" && !isCurrency(u.prefix) // a code such as n01
	if u == (unit{}) || isName {
		return cell, unit{}
	}
	return sign + amount[start:last+size], u
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
