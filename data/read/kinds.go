package read

import (
	"fmt"
	"slices"
	"strings"

	"sml/data"
)

// This file decides the kind of a column after all rows are read, by the numbers of its cells of each kind. The order of
// the rows has no influence on a decision.

// newTally counts the cells of column c: values[first], values[first+width], values[first+2*width] and so on, and the
// cells of rows with a mistake in another column.
func newTally(c *column, values []float64, first, width int, problems *problemReport) *tally {
	k := &tally{column: c, values: values, first: first, width: width, distinct: make(map[float64]bool), problems: problems}
	if len(c.dictionary.texts) == 0 && c.declared.kind != data.Date {
		return k // all cells are numbers or missing: nothing depends on how many there are
	}
	for code, text := range c.dictionary.texts {
		k.all = append(k.all, textCount{text: text, line: c.dictionary.firstLines[code]})
	}
	for i := first; i < len(values); i += width {
		k.countValue(values[i])
	}
	for _, v := range c.valuesBeforeMistakes {
		k.countValue(v)
	}
	if !k.isDeclaredCategory() {
		k.findNumbers()
		k.layouts = k.possibleLayouts()
	}
	return k
}

// findNumbers divides the texts of the dictionary into numbers, plain or with a unit, and other texts.
func (k *tally) findNumbers() {
	k.texts = k.all
	if k.keepsNumberTexts {
		plain := k.takeNumbers(k.parsePlainNumber)
		isNotZero := func(text string) bool { v, _ := k.parsePlainNumber(text); return v != 0 }
		if others := plain.where(isNotZero); others != nil {
			k.firstPlain = others[0]
		}
	}
	if k.fractions {
		k.percentages = k.takeNumbers(k.notation.parsePercentage)
	}
	k.takeNegatives()
	k.putBackNumbersAmongDates()
	if k.declared.kind != data.Date && !areMostlyDates(k.texts) { // 5 km among dates is a text that is no date
		k.takeUnit()
	}
}

// putBackNumbersAmongDates makes the numbers of a column of dates texts again: a 0 or 2024 among dates is a text that is no
// date. It does nothing if the texts of some numbers were not kept.
func (k *tally) putBackNumbersAmongDates() {
	hasAllTexts := k.droppedNumbers == 0 && k.percentages.cells() == 0
	hasBoth := k.numbers > 0 && k.texts.cells() > 0
	if hasAllTexts && hasBoth && areMostlyDates(k.texts) && areMostlyDates(k.all) {
		k.texts = k.all
		k.numbers = 0
		clear(k.distinct)
	}
}

// decision is the meaning of the cells of a column.
type decision struct {
	field         data.Field
	valueOf       func(text string) float64 // value of a text of the column; nil if it has none
	valueOfNumber func(v float64) float64   // value of a number that the column was read with; nil if it is the number itself
	remarks       []string                  // for the user, about cells that could have been read otherwise
}

// kindRule is a rule about the kind of a column.
type kindRule struct {
	condition string // holds in words
	holds     func(*tally) bool
	decide    func(*tally) decision
}

// kindRules decide the kind of a column: the first rule that holds does.
var kindRules = []kindRule{
	{"it is declared a category, or is a class", (*tally).isDeclaredCategory, (*tally).decideCategories},
	{"it is declared a number", (*tally).isDeclaredNumber, (*tally).decideNumbers},
	{"its texts are dates in a common layout", (*tally).hasDates, (*tally).decideDates},
	{"it has dates, without a common layout", (*tally).hasMixedDates, (*tally).decideMixedDates},
	{"its numbers are dates", (*tally).hasNumberDates, (*tally).decideNumberDates},
	{"it is declared a date, and has none", (*tally).isDeclaredDate, (*tally).decideUnknownDates},
	{"its texts are dates beside numbers", (*tally).hasLayouts, (*tally).decideNumbers},
	{"its texts are true and false beside 1 and 0", (*tally).mixesWordsAndBits, (*tally).decideCategories},
	{"it has no texts", (*tally).hasNoTexts, (*tally).decideNumbers},
	{"many texts are misspelt numbers", (*tally).hasManyMisspelt, (*tally).decideNumbers},
	{"nearly all cells are numbers", (*tally).hasMostlyNumbers, (*tally).decideNumbers},
	{"it has a few texts among many different numbers", (*tally).hasManyNumbers, (*tally).decideNumbers},
	{"it has texts", (*tally).hasTexts, (*tally).decideCategories},
}

// decide returns the decision for the column. It reports mistakes; the decision then has no meaning, as the table is not
// used.
func (k *tally) decide() decision { return k.kindRule().decide(k) }

// kindRule returns the rule that decides the kind of the column. There is one, since a column has texts or none.
func (k *tally) kindRule() kindRule {
	i := slices.IndexFunc(kindRules, func(rule kindRule) bool { return rule.holds(k) })
	return kindRules[i]
}

// hasManyMisspelt reports whether many of the texts are misspelt numbers. If the others are codes, such as 12 34, a misspelt
// number such as 123 456 is a code, too.
func (k *tally) hasManyMisspelt() bool {
	unusual := k.texts.where(k.isUnusualNumber)
	misspelt := float64(unusual.where(k.isMisspelt).cells())
	codes := float64(unusual.where(k.isCode).cells())
	areCodes := codes > maxUnusualFraction*misspelt
	return !areCodes && misspelt > maxUnusualFraction*float64(k.texts.cells())
}

// hasManyNumbers reports whether the column has too many different numbers for categories, and so few texts that these may
// all mean missing values.
func (k *tally) hasManyNumbers() bool {
	return len(k.distinct) > maxCategoryNumbers && len(k.texts) <= maxMissingTexts
}

// mixesWordsAndBits reports whether the column has the words true and false among the numbers 1 and 0: they are no missing
// values.
func (k *tally) mixesWordsAndBits() bool {
	isOther := func(text string) bool { return !isTrueOrFalse(text) }
	for number := range k.distinct {
		if number != 0 && number != 1 {
			return false
		}
	}
	return k.numbers > 0 && len(k.texts) > 0 && !k.texts.any(isOther)
}

// checkSplitValues reports a text if the column that rows are split by has numbers: the text would count as a missing value,
// which a split cannot use.
func (k *tally) checkSplitValues(kind data.Kind) {
	if kind == data.Number && len(k.texts) > 0 {
		k.reportTexts(k.texts, "%s is not a number, and %d other values are; every row needs a value, as rows are split by this column", k.numbers)
	}
}

// remark returns a line for the user about the decision for the column, and "" if there is nothing to say.
func (k *tally) remark(d decision) string {
	if d.remarks == nil {
		return ""
	}
	return fmt.Sprintf("column %s: %s", k.label, strings.Join(d.remarks, "; "))
}
