package read

import "sml/data"

// This file finds the unit of the numbers of a column.

// mostFrequentUnit returns the unit that most numbers among the texts have, and the numbers of these texts and their cells.
func (k *cells) mostFrequentUnit() (most unit, texts, cells int) {
	textCount := make(map[unit]int)
	cellCount := make(map[unit]int)
	for i, text := range k.texts {
		_, u := splitUnit(text)
		if _, ok := k.notation.parseUnit(u, text); ok {
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
	k.unitNumbers = k.takeNumbers(func(text string) (float64, bool) { return k.notation.parseUnit(u, text) })
}

// hasOnlyZeros reports whether all plain numbers of the column are 0, which is 0 in every unit.
func (k *cells) hasOnlyZeros() bool { return len(k.distinct) == 1 && k.distinct[0] }

// hasOtherUnit reports whether a text is a number with another unit than most, or with another scale than plain numbers.
func (k *cells) hasOtherUnit(text string) bool {
	_, u := splitUnit(text)
	_, isNumber := k.notation.parseUnit(u, text)
	return isNumber && u != k.unit && (k.unit != (unit{}) || u.changesScale() && k.numbers > 0)
}
