package read

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
)

// This file reads columns of numbers: it finds their unit, and tells texts that mean missing values from mistakes.

// maxRememberedTexts is the number of texts for missing values that a field remembers.
const maxRememberedTexts = 1000

// decideNumbers returns the decision for a column of numbers. Texts among them mean missing values; it reports numbers that
// may have two values and, unless nearly all cells are numbers, also other texts that seem to be numbers, and many different
// texts.
func (k *tally) decideNumbers() decision {
	respelled := k.takeRespelled()
	rounded := k.takeRoundedNumbers()
	k.checkTextsAmongNumbers()
	f := k.numberField()
	d := decision{field: f, valueOf: func(text string) float64 { return k.numberOf(&f, text) }}
	if shown := k.percentages.cells(); shown > 0 && k.numbers > shown {
		d.remarks = []string{fmt.Sprintf("%d values such as %s are shown as percentages and %d are not: all are read as the fractions that the file stores", shown, k.percentages[0].text, k.numbers-shown)}
		return d
	}
	d.addNumbers(k, k.negatives, "as negative numbers")
	d.addNumbers(k, respelled, "in another notation than the file's")
	d.remarks = slices.Concat(d.remarks, k.unitRemarks(d), k.missingRemarks(d, rounded))
	return d
}

// addNumbers adds a remark about some numbers, if there are any.
func (d *decision) addNumbers(k *tally, numbers textCounts, howTheyAreRead string) {
	if numbers != nil {
		d.remarks = append(d.remarks, fmt.Sprintf("%s in %d rows are read %s: the first is %s", k.describe(numbers), numbers.cells(), howTheyAreRead, formatNumber(d.valueOf(numbers[0].text))))
	}
}

// numberField returns the field of a column of numbers.
func (k *tally) numberField() data.Field {
	f := data.Field{Kind: data.Number, Prefix: k.unit.prefix, Suffix: k.unit.suffix, Magnitudes: k.unit.hasMagnitudes}
	if k.percentages.cells() > 0 {
		f.Suffix = "%"
		f.Fractions = true
	}
	f.MissingTexts = k.texts[:min(len(k.texts), maxRememberedTexts)].list()
	return f
}

// numberOf returns the number that a text means in a field, and NaN for a text that means a missing value.
func (k *tally) numberOf(f *data.Field, text string) float64 {
	if v, ok := k.notation.parseUnit(unitOf(f), text); ok {
		return v
	}
	if v, ok, _ := k.notation.parseNumber(text); ok {
		return v
	}
	if v, ok := k.notation.parseUnusual(text); ok {
		return v
	}
	return math.NaN()
}

// unitRemarks returns the remark about the unit of the numbers, if they have one.
func (k *tally) unitRemarks(d decision) []string {
	if k.unit == (unit{}) {
		return nil
	}
	cells := k.unitNumbers.cells()
	if plain := k.numbers - cells; plain > 0 && !k.unit.hasMagnitudes {
		return []string{fmt.Sprintf("%s in %d rows have the unit %s, and %d numbers have none: all are read as numbers in it", k.describe(k.unitNumbers), cells, k.unit, plain)}
	}
	first := k.unitNumbers[0].text
	return []string{fmt.Sprintf("%s is read as %s", quoteShort(first), formatNumber(d.valueOf(first)))}
}

// missingRemarks returns the remark about texts that count as missing or, if there are none, about numbers that are
// rounded.
func (k *tally) missingRemarks(d decision, rounded textCounts) []string {
	expected := "numbers"
	switch {
	case k.texts.any(k.hasOtherUnit) && k.unit == unit{}:
		expected = "plain numbers"
	case k.texts.any(k.hasOtherUnit):
		expected = "numbers in " + k.unit.String()
	}
	switch {
	case len(k.texts) > 0:
		return []string{fmt.Sprintf("%s in %d rows are not %s and count as missing", k.describe(k.texts), k.texts.cells(), expected)}
	case len(rounded) > 0:
		return []string{fmt.Sprintf("%s has more digits than a 64-bit float, and is read as %s; declare the column categorical if its numbers are names", k.describeText(rounded[0]), formatNumber(d.valueOf(rounded[0].text)))}
	}
	return nil
}

// takeRespelled counts numbers in another notation than the file's among the numbers of the column, and returns them. Many numbers
// with other signs stay texts: the column may have signs of its own, and its plain numbers another meaning. Among percentages all
// stay, since a plain number has another scale.
func (k *tally) takeRespelled() textCounts {
	if k.unit.isPercent() {
		return nil
	}
	respelled := k.takeNumbers(k.notation.parseRespelled)
	hasOtherSigns := func(text string) bool { _, ok := k.notation.parseOtherSigns(text); return ok }
	if others := k.texts.where(hasOtherSigns).cells(); float64(others) > (1-minNumberFraction)*float64(k.numbers+k.texts.cells()) {
		return respelled
	}
	return append(respelled, k.takeNumbers(k.notation.parseOtherSigns)...)
}

// takeNegatives counts negative numbers such as (5) and 5- among the numbers of the column. It does nothing if other texts
// remain, or if there are no plain numbers: (1) and (2) alone may be labels.
func (k *tally) takeNegatives() {
	isOther := func(text string) bool { _, ok := k.notation.parseNegative(text); return !ok }
	if k.numbers > 0 && !k.texts.any(isOther) {
		k.negatives = k.takeNumbers(k.notation.parseNegative)
	}
}

// mostFrequentUnit returns the unit that the largest number of cells have, the number of different texts with this unit, and
// the number of their cells. Among equally frequent units it returns the first by its letters.
func (k *tally) mostFrequentUnit() (most unit, texts, cells int) {
	counts := make(map[unit]textCounts)
	for _, text := range k.texts {
		if u, ok := k.unitOfNumber(text.text); ok {
			counts[u] = append(counts[u], text)
		}
	}
	for u, numbers := range counts {
		n := numbers.cells()
		isFirst := n == cells && u.String() < most.String()
		if n > cells || isFirst {
			most, cells = u, n
		}
	}
	return most, len(counts[most]), cells
}

// unitOfNumber returns the unit of a text. ok is false unless the text is a number with a unit.
func (k *tally) unitOfNumber(text string) (u unit, ok bool) {
	_, u = splitUnit(text)
	u = u.withMagnitudes()
	_, ok = k.notation.parseUnit(u, text)
	return u, ok
}

// takeUnit counts the numbers with the most frequent unit among the numbers of the column, and sets k.unit to it. Three kinds
// of columns have no unit:
//
//   - A column that has other texts and mostly plain numbers: 12a among these is a name.
//   - A column with plain numbers other than 0 beside percentages, which have another scale.
//   - A column with plain numbers beside 12B, without thousands and millions: these may be houses.
func (k *tally) takeUnit() {
	u, texts, cells := k.mostFrequentUnit()
	if cells == 0 {
		return
	}
	haveAllTexts := texts == len(k.texts)
	isFrequent := cells >= k.numbers
	isMagnitude := u.hasMagnitudes && k.texts.any(isThousandOrMillion)
	if !haveAllTexts && !isFrequent && !isMagnitude && !k.isDeclaredNumber() {
		return
	}
	mayBeName := u == unit{hasMagnitudes: true} && !isMagnitude
	if (u.isPercent() || mayBeName) && k.hasPlainNumbers() {
		return
	}
	k.unit = u
	k.unitNumbers = k.takeNumbers(func(text string) (float64, bool) { return k.notation.parseUnit(u, text) })
}

// isThousandOrMillion reports whether a text is a number of thousands or millions.
func isThousandOrMillion(text string) bool {
	_, u := splitUnit(text)
	return magnitudes[u.suffix] == 3 || magnitudes[u.suffix] == 6
}

// hasPlainNumbers reports whether the column has numbers without a unit other than 0, which is 0 in every unit.
func (k *tally) hasPlainNumbers() bool {
	areZeros := len(k.distinct) == 1 && k.distinct[0]
	return k.numbers > 0 && !areZeros
}

// hasOtherUnit reports whether a text is a number with another unit than most. If most numbers are plain, only a percentage has
// another one.
func (k *tally) hasOtherUnit(text string) bool {
	u, isNumber := k.unitOfNumber(text)
	switch {
	case !isNumber:
		return false
	case k.unit == unit{}:
		return k.numbers > 0 && u.isPercent()
	}
	return u != k.unit
}

// reportSecondUnit reports numbers in another unit than most, or the plain numbers among percentages if these are fewer.
func (k *tally) reportSecondUnit(others textCounts) {
	u, _ := k.unitOfNumber(others[0].text)
	remedy := "write all of them in one unit" + k.otherRemedies()
	switch {
	case k.unit != unit{}:
		k.reportTexts(others, "%s has the unit %s, and %d other values have the unit %s; %s", u, k.unitNumbers.cells(), k.unit, remedy)
	case others.cells() > k.numbers && k.firstPlain.text != "":
		k.problems.add(k.firstPlain.line, fmt.Sprintf("column %s: %s is one of %d plain numbers, and %d other values have the unit %s; %s", k.label, quoteShort(k.firstPlain.text), k.numbers, others.cells(), u, remedy))
	default:
		k.reportTexts(others, "%s has the unit %s, and %d other values are plain numbers; %s", u, k.numbers, remedy)
	}
}

// otherRemedies returns the end of a message about a misspelt number: the declaration for a text that is no number. It returns "" for
// a column other than an input, which has no declarations.
func (k *tally) otherRemedies() string {
	if k.group != inputGroup {
		return ""
	}
	return "; if it is no number, declare the value missing or the column categorical"
}

// takeRoundedNumbers counts whole numbers that float64 does not have among the numbers of the column: they are values, which
// are rounded, and not names. It returns them.
func (k *tally) takeRoundedNumbers() textCounts {
	return k.takeNumbers(func(text string) (float64, bool) {
		v, isNumber, _ := k.notation.parseNumber(text)
		return v, isNumber
	})
}

// checkTextsAmongNumbers reports texts in a column of numbers that cannot all mean missing values.
func (k *tally) checkTextsAmongNumbers() {
	if unclear := k.texts.where(k.isUnclear); unclear != nil {
		k.report(unclear, k.explainUnclear(unclear[0].text)+k.otherRemedies())
		return
	}
	if k.isDeclaredNumber() || k.hasMostlyNumbers() {
		return
	}
	if others := k.texts.where(k.hasOtherUnit); others != nil {
		k.reportSecondUnit(others)
		return
	}
	if len(k.texts) > maxMissingTexts {
		k.reportTexts(k.texts, "%s is not a number, and %d other values are; correct it, declare the column numeric to take it for missing, or declare it categorical", k.numbers)
	}
}

// isUnclear reports whether a text is a number, perhaps with a unit, that may have two values: the comma of 1,234 may separate
// thousands.
func (k *tally) isUnclear(text string) bool {
	number, _ := splitUnit(text)
	_, isNumber, err := k.notation.parseNumber(number)
	return err == errAmbiguousPoint || !isNumber && explainSeparators(number) != ""
}

// explainUnclear returns how to write such a number.
func (k *tally) explainUnclear(text string) string {
	number, _ := splitUnit(text)
	_, _, err := k.notation.parseNumber(number)
	message := k.notation.explainNonNumber(number, err)
	return strings.Replace(message, quoteShort(number), quoteShort(text), 1)
}

// classify returns the kind of a text of the column. These are misspelt numbers, too: a percentage, as columns of percentages
// alone are recognised before; a number with another unit than most, unless the few numbers may be names; and a misspelt
// number with a unit of one word, such as $1,000.
func (k *tally) classify(text string) cellKind {
	number, u := splitUnit(text)
	_, isPercentage := k.notation.parsePercentage(text)
	hasWord := u != (unit{}) && !strings.Contains(u.suffix, " ")
	isMeasurement := len(k.distinct) > maxCategoryNumbers
	switch {
	case isPercentage,
		isMeasurement && k.hasOtherUnit(text),
		hasWord && k.notation.classifyCell(number) == misspeltCell:
		return misspeltCell
	}
	return k.notation.classifyCell(text)
}

// isUnusualNumber reports whether a text is digits that are not read as a number, such as 1,000, Infinity or 10.0.1.1.
func (k *tally) isUnusualNumber(text string) bool {
	kind := k.classify(text)
	return kind != textCell && kind != missingCell
}

// isMisspelt reports whether a text is a number in a notation that is not read, such as 1,000.
func (k *tally) isMisspelt(text string) bool { return k.classify(text) == misspeltCell }

// isCode reports whether a text is digits that are no number in any usual notation, such as 10.0.1.1.
func (k *tally) isCode(text string) bool { return k.classify(text) == codeCell }
