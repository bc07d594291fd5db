package read

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sml/data"
)

// unit is what stands beside a number in a cell: currency signs before it, and any text after it, such as km or %. The zero
// value stands for no unit.
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

// hasCurrency reports whether the unit has a currency sign.
func (u unit) hasCurrency() bool {
	isCurrency := func(r rune) bool { return unicode.Is(unicode.Sc, r) }
	return strings.ContainsFunc(u.prefix+u.suffix, isCurrency)
}

// String returns the unit for messages.
func (u unit) String() string { return u.prefix + u.suffix }

// splitUnit divides a cell into a number and its unit. The number, which may be misspelt, has its sign before it, wherever
// the cell has it: -$5, $-5 and ($5) are all -5. It returns the cell itself and no unit for any other cell.
func splitUnit(cell string) (number string, u unit) {
	sign, amount := splitMoneySign(cell)
	start := strings.IndexFunc(amount, isNumberRune)
	last := strings.LastIndexFunc(amount, isNumberRune)
	if start < 0 {
		return cell, unit{}
	}
	_, size := utf8.DecodeRuneInString(amount[last:])
	u = unit{strings.TrimSpace(amount[:start]), strings.TrimSpace(amount[last+size:])}
	isNoCurrency := func(r rune) bool { return !unicode.Is(unicode.Sc, r) }
	if u == (unit{}) || strings.ContainsFunc(u.prefix, isNoCurrency) { // a code such as n01 is a name
		return cell, unit{}
	}
	return sign + amount[start:last+size], u
}

// splitMoneySign divides an amount of money into the sign before its currency sign and the rest. Brackets, as accountants
// write them, are a minus. It returns no sign for any other cell.
func splitMoneySign(cell string) (sign, amount string) {
	inner, hasBracket := strings.CutPrefix(cell, "(")
	amount = strings.TrimLeft(cell, "+-\u2212")
	sign = cell[:len(cell)-len(amount)]
	if hasBracket && strings.HasSuffix(inner, ")") {
		sign, amount = "-", strings.TrimSuffix(inner, ")")
	}
	if first, _ := utf8.DecodeRuneInString(amount); !unicode.Is(unicode.Sc, first) {
		return "", cell
	}
	return sign, amount
}

// isNumberRune reports whether a number may begin or end with r.
func isNumberRune(r rune) bool {
	return unicode.IsDigit(r) || r == minusSign || strings.ContainsRune("+-.", r)
}

// parseUnit parses a number with the given unit. ok is false if the cell is not such a number, or if there is no unit.
func parseUnit(u unit, cell string, n notation) (number float64, ok bool) {
	digits, own := splitUnit(cell)
	switch {
	case own != u, u == unit{}:
		return 0, false
	case u.isPercent():
		return n.parsePercentage(cell)
	}
	number, ok, _ = n.parseNumber(digits)
	return number, ok
}

// mostFrequentUnit returns the unit that most numbers among the texts have, and the numbers of these texts and their cells.
func (k *cells) mostFrequentUnit() (most unit, texts, cells int) {
	textCount := make(map[unit]int)
	cellCount := make(map[unit]int)
	for i, text := range k.texts {
		_, u := splitUnit(text)
		if _, ok := parseUnit(u, text, k.notation); ok {
			textCount[u]++
			cellCount[u] += k.counts[i]
		}
	}
	for u, count := range cellCount {
		if count > cells || count == cells && u.String() < most.String() {
			most, cells = u, count
		}
	}
	return most, textCount[most], cells
}

// takeUnit counts the numbers with the most frequent unit among the numbers of the column. It does not if the column mostly
// has plain numbers and other texts: 12a among these is a name. Neither a percentage nor a magnitude is taken beside
// plain numbers other than 0, which have another scale.
func (k *cells) takeUnit() {
	u, texts, cells := k.mostFrequentUnit()
	isCommon := texts == len(k.texts) || cells >= k.numbers || k.declared.kind == data.Number
	hasOtherScale := u.changesScale() && k.numbers > 0 && !k.hasOnlyZeros()
	if cells == 0 || !isCommon || hasOtherScale {
		return
	}
	k.unit = u
	k.unitNumbers = k.takeNumbers(func(text string) (float64, bool) { return parseUnit(u, text, k.notation) })
}

// hasOnlyZeros reports whether all plain numbers of the column are 0, which is 0 in every unit.
func (k *cells) hasOnlyZeros() bool { return len(k.distinct) == 1 && k.distinct[0] }

// hasOtherUnit reports whether a text is a number with another unit than most, or with another scale than plain numbers.
func (k *cells) hasOtherUnit(text string) bool {
	_, u := splitUnit(text)
	_, isNumber := parseUnit(u, text, k.notation)
	return isNumber && u != k.unit && (k.unit != (unit{}) || u.changesScale() && k.numbers > 0)
}

// findTargetUnits finds the units of the numbers of targets by the first rows. Rows of a pipe for a model are not awaited.
func (s *Stream) findTargetUnits(o Options) {
	for _, c := range s.columns {
		if c.group != targetGroup || c.rule != mustBeNumber || s.size == 0 && !o.findsKinds() {
			continue
		}
		k := &cells{column: c, distinct: make(map[float64]bool)}
		for n := range lookAheadRows {
			if row := s.peekRow(n); c.index < len(row) && !c.isMissingCell(row[c.index]) {
				k.texts = append(k.texts, row[c.index])
				k.firstLines = append(k.firstLines, s.peekedRows[n].line)
				k.counts = append(k.counts, 1)
			}
		}
		k.takeUnit()
		hasUnit := k.unitNumbers.cells > len(k.texts)        // the others
		if hasUnit && !(c.isPercent && k.unit.isPercent()) { // isPercent reads these
			c.unit = k.unit
			v, _ := parseUnit(c.unit, k.unitNumbers.first, c.notation)
			s.reader.position().addRemark("column %s: %s is read as %v", c.label, quoteShort(k.unitNumbers.first), v)
		}
	}
}
