package read

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// This file decides the kind of a column after all rows are read, by the numbers of its cells of each kind. The order of
// the rows has no influence on a decision.

const (
	maxCategoryNumbers = 32   // different numbers up to which a column with a few texts may be categorical
	maxMissingTexts    = 3    // different texts in a column of numbers that may all mean a missing value
	maxRememberedTexts = 1000 // texts for missing values that a field remembers
	minNumberFraction  = 0.9  // fraction of numbers above which texts are no categories: they mean missing values, or are mistakes
	maxWordFraction    = 0.1  // fraction of other texts among dates up to which they mean missing values
	maxUnusualFraction = 0.1  // fraction of unusual numbers, such as 1,000, among texts up to which all are categories
)

// countCells counts the cells of column c: values[first], values[first+width], values[first+2*width] and so on, and the
// cells of rows with a mistake in another column.
func countCells(c *column, values []float64, first, width int) *cells {
	k := &cells{column: c, values: values, first: first, width: width, distinct: make(map[float64]bool)}
	if len(c.dictionary.texts) == 0 && c.declared.kind != data.Date {
		return k // all cells are numbers or missing: nothing depends on how many there are
	}
	counts := make([]int, len(c.dictionary.texts)) // number of cells with each text, also of numbers
	for i := first; i < len(values); i += width {
		k.countValue(values[i], counts)
	}
	for _, v := range c.passedValues {
		k.countValue(v, counts)
	}
	for code, text := range c.dictionary.texts {
		if v, isNumber, _ := c.notation.parseNumber(text); isNumber && c.keepsNumberTexts && !k.isName(text, v) {
			k.countNumber(v, counts[code])
			if k.plainText == "" && v != 0 {
				k.plainText = text
				k.plainLine = c.dictionary.firstLines[code]
			}
			continue
		}
		if v, isPercentage := c.notation.parsePercentage(text); isPercentage && c.fractions {
			k.countNumber(v, counts[code])
			k.percentage = cmp.Or(k.percentage, text)
			k.percentages += counts[code]
			continue
		}
		k.texts = append(k.texts, text)
		k.firstLines = append(k.firstLines, c.dictionary.firstLines[code])
		k.counts = append(k.counts, counts[code])
		k.textCells += counts[code]
	}
	k.countNumbersAmongDates(counts)
	return k
}

// countNumbersAmongDates counts the numbers of a column as texts if the column then mostly has dates: a 0 or 2024 among dates
// is a text that is no date. counts has the number of cells with each text of the dictionary, which holds the texts of
// numbers, too. It does nothing if the column has no numbers or no texts, or if the texts of some numbers were not kept.
func (k *cells) countNumbersAmongDates(counts []int) {
	hasAllTexts := k.droppedTexts == 0 && k.percentages == 0
	if k.numbers == 0 || k.textCells == 0 || !hasAllTexts {
		return
	}
	asTexts := *k
	asTexts.texts = k.dictionary.texts
	asTexts.firstLines = k.dictionary.firstLines
	asTexts.counts = counts
	asTexts.textCells = k.textCells + k.numbers
	asTexts.numbers = 0
	asTexts.distinct = make(map[float64]bool)
	if asTexts.mostlyDates() {
		*k = asTexts
	}
}

// isName reports whether a number is a name, since float64 does not have it and the column is not declared a number.
func (k *cells) isName(text string, v float64) bool {
	return k.declared.kind != data.Number && isInexactWhole(text, v)
}

// countValue counts a cell with the given value: in counts if the value stands for a text.
func (k *cells) countValue(v float64, counts []int) {
	code, isText := decodeText(v)
	switch {
	case isText:
		counts[code]++
	case !math.IsNaN(v):
		k.droppedTexts++
		k.countNumber(v, 1)
	}
}

// decide returns the field of the column. It reports mistakes; the field then has no meaning, as the table is not used.
//
// Texts with a common unit are numbers, and texts with a common date layout are dates. Other texts are categories, unless
// they are rare among numbers or dates: then they mean a missing value.
func (k *cells) decide() data.Field {
	if k.declared.kind == data.Category || k.rule == mustBeLabel {
		return data.Field{Kind: data.Category}
	}
	if k.declared.kind != data.Date {
		k.takeUnit()
	}
	layouts := k.possibleLayouts()
	if layout, ok := k.chooseLayout(layouts); ok {
		return k.dateField(layout)
	}
	if k.declared.kind == "" && len(layouts) == 0 && k.looksCategorical() {
		return data.Field{Kind: data.Category}
	}
	if !k.reportSecondUnit() {
		k.takeLongNumbers()
		k.checkTextsAmongNumbers()
	}
	number := data.Field{Kind: data.Number, Prefix: k.unit.prefix, Suffix: k.unit.suffix}
	if k.percentages > 0 {
		number.Suffix = "%"
		number.Fractions = true
	}
	number.MissingTexts = k.texts[:min(len(k.texts), maxRememberedTexts)]
	return number
}

// isPercentage reports whether a text is a number with a percent sign.
func (k *cells) isPercentage(text string) bool {
	_, ok := k.notation.parsePercentage(text)
	return ok
}

// reportSecondUnit reports numbers in another unit than most, or the plain numbers among percentages and magnitudes if these
// are fewer. It reports whether there are any.
func (k *cells) reportSecondUnit() bool {
	first := slices.IndexFunc(k.texts, k.hasOtherUnit)
	if first < 0 || k.declared.kind == data.Date {
		return false
	}
	var others textSet
	for i, text := range k.texts {
		if k.hasOtherUnit(text) {
			others.add(k, i)
		}
	}
	_, u := splitUnit(others.first)
	inFull := u.isMagnitude() || k.unit.isMagnitude()
	remedy := "write all of them " + chooseText(inFull, "in full", "in one unit") + k.otherRemedies()
	switch {
	case k.unit != unit{}:
		k.reportText(first, k.hasOtherUnit, "%s has the unit %s, and %d other values have the unit %s; %s", u, k.unitNumbers.cells, k.unit, remedy)
	case others.cells > k.numbers && k.plainText != "":
		k.problems.add(k.plainLine, fmt.Sprintf("column %s: %s is one of %d plain numbers, and %d other values have the unit %s; %s", k.label, quoteShort(k.plainText), k.numbers, others.cells, u, remedy))
	default:
		k.reportText(first, k.hasOtherUnit, "%s has the unit %s, and %d other values are plain numbers; %s", u, k.numbers, remedy)
	}
	return true
}

// possibleLayouts returns the declared date layout or, if there is none, the layouts that fit all texts, as findDateLayouts
// does. In a column that mostly has dates, they need to fit only these. For a column declared a number, which is not a
// date, it returns one layout "".
func (k *cells) possibleLayouts() []string {
	if k.declared.layout != "" || k.declared.kind == data.Number {
		return []string{k.declared.layout}
	}
	layouts := findDateLayouts(k.texts)
	if layouts != nil || !k.mostlyDates() && k.declared.kind != data.Date {
		return layouts
	}
	isWord := func(text string) bool { return !looksLikeDate(text) }
	layouts = findDateLayouts(slices.DeleteFunc(slices.Clone(k.texts), isWord))
	if layouts == nil {
		layouts = k.mixedLayouts()
	}
	return layouts
}

// mostlyDates reports whether the column has no numbers, and almost all of its texts look like dates: only a few different
// texts in few cells do not.
func (k *cells) mostlyDates() bool {
	words, wordCells := 0, 0
	for i, text := range k.texts {
		if looksLikeDate(text) {
			continue
		}
		words++
		wordCells += k.counts[i]
		if words > maxMissingTexts { // looking at all texts of a column of categories would take long
			return false
		}
	}
	return k.numbers == 0 && words < len(k.texts) && float64(wordCells) <= maxWordFraction*float64(k.textCells)
}

// chooseLayout returns the layout of a column of dates, given the possible layouts. ok is false if the column does not hold
// dates. It reports a mistake if several layouts are possible. If no layout fits, but the column is declared a date or
// mostly has dates, it returns the layout that fits most cells: dateField then reports a text that does not fit.
func (k *cells) chooseLayout(possible []string) (layout string, ok bool) {
	switch {
	case k.declared.kind == data.Number, len(k.texts) == 0:
		return "", false
	case len(possible) == 0:
		if k.declared.kind == data.Date || k.mostlyDates() {
			layout = k.mostFrequentLayout()
		}
		return layout, layout != ""
	case k.numbers > 0:
		return "", false
	case len(possible) > 1:
		hasTwoMeanings := func(text string) bool { return haveTwoMeanings(possible, text) }
		k.reportText(slices.IndexFunc(k.texts, hasTwoMeanings), hasTwoMeanings, "%s is a date as %s and another as %s; declare the layout", formatLayoutLetters(possible[0]), formatLayoutLetters(possible[1]))
	}
	return possible[0], true
}

// mostFrequentLayout returns the layout that fits most cells, and "" if none fits any. Among equal layouts it returns the
// first of dateLayouts. Of a column of many texts it looks at a sample.
func (k *cells) mostFrequentLayout() (layout string) {
	const sampleSize = 1000
	step := max(1, len(k.texts)/sampleSize)
	most := 0
	for _, candidate := range dateLayouts {
		cells := 0
		for i := 0; i < len(k.texts); i += step {
			if _, ok := parseDate(candidate, k.texts[i]); ok {
				cells += k.counts[i]
			}
		}
		if cells > most {
			layout, most = candidate, cells
		}
	}
	return layout
}

// dateField returns the field of a column of dates. A text that does not look like a date means a missing value. It reports
// the first text that looks like a date but is none. In a column that must have dates, because it is declared so or splits
// the rows, it reports any other text.
func (k *cells) dateField(layout string) data.Field {
	f := data.Field{Kind: data.Date, Layout: layout}
	mustBeDate := k.declared.kind == data.Date || k.group == splitGroup
	isMistake := func(text string) bool {
		return k.spellingOf(layout, text) == noDate && (mustBeDate || looksLikeDate(text))
	}
	firstMistake := -1
	for i, text := range k.texts {
		switch k.spellingOf(layout, text) {
		case midnightAlone:
			k.midnights.add(k, i)
		case otherDate:
			k.otherDates.add(k, i)
		case noDate:
			if !isMistake(text) {
				f.MissingTexts = append(f.MissingTexts, text)
				k.words.add(k, i)
			} else if firstMistake < 0 {
				firstMistake = i
			}
		}
	}
	switch {
	case firstMistake < 0:
	case k.declared.layout != "":
		k.reportText(firstMistake, isMistake, "%s is not a date as %s", formatLayoutLetters(layout))
	default:
		isDate := func(text string) bool { return k.spellingOf(layout, text) == dateInLayout }
		firstDate := k.texts[slices.IndexFunc(k.texts, isDate)]
		k.reportText(firstMistake, isMistake, "%s is not a date as %s, as %s is; write all alike, or declare the column categorical", formatLayoutLetters(layout), quoteShort(firstDate))
	}
	return f
}

// dateSpelling says how a date is written in a column whose dates have a layout.
type dateSpelling int

const (
	noDate        dateSpelling = iota
	dateInLayout               // as the layout says
	midnightAlone              // without its time
	otherDate                  // in another layout, with one meaning
)

// spellingOf returns how a text of the column is written, whose dates have the given layout. A declared layout allows no
// other.
func (k *cells) spellingOf(layout, text string) dateSpelling {
	if _, ok := data.ParseDate(layout, text); ok {
		return dateInLayout
	}
	if _, ok := parseDate(layout, text); ok {
		return midnightAlone
	}
	if _, ok := parseOtherDate(layout, text); ok && k.declared.layout == "" {
		return otherDate
	}
	return noDate
}

// looksCategorical reports whether the texts of the column, which are not dates, are categories. They are not if almost
// all cells are numbers, if many of the texts are misspelt numbers, or if there are many different numbers and only a few
// different texts.
func (k *cells) looksCategorical() bool {
	misspelt, codes := 0, 0 // numbers of cells
	for i, text := range k.texts {
		switch k.classify(text) {
		case misspeltCell:
			misspelt += k.counts[i]
		case codeCell:
			codes += k.counts[i]
		}
	}
	areCodes := float64(codes) > maxUnusualFraction*float64(misspelt) // 123 456 is a code if others are like 12 34
	manyMisspelt := !areCodes && float64(misspelt) > maxUnusualFraction*float64(k.textCells)
	mostlyNumbers := float64(k.numbers) > minNumberFraction*float64(k.numbers+k.textCells)
	manyNumbers := len(k.distinct) > maxCategoryNumbers && len(k.texts) <= maxMissingTexts
	if k.mixesWordsAndBits() {
		return true
	}
	return k.textCells > 0 && !manyMisspelt && !mostlyNumbers && !manyNumbers
}

// mixesWordsAndBits reports whether the column has the words true and false among the numbers 1 and 0: they are no missing
// values.
func (k *cells) mixesWordsAndBits() bool {
	isOther := func(text string) bool { return !isTrueOrFalse(text) }
	for number := range k.distinct {
		if number != 0 && number != 1 {
			return false
		}
	}
	return k.numbers > 0 && len(k.texts) > 0 && !slices.ContainsFunc(k.texts, isOther)
}

// classify returns the kind of a text of the column. These are misspelt numbers, too: a percentage, as columns of percentages
// alone are recognised before; a number with another unit than most, unless the few numbers may be names; and a misspelt
// number with a unit of one word, such as $1,000.
func (k *cells) classify(text string) cellKind {
	number, u := splitUnit(text)
	hasWord := u != (unit{}) && !strings.Contains(u.suffix, " ")
	isMeasurement := len(k.distinct) > maxCategoryNumbers
	switch {
	case k.isPercentage(text),
		isMeasurement && k.hasOtherUnit(text),
		hasWord && k.notation.classifyCell(number) == misspeltCell:
		return misspeltCell
	}
	return k.notation.classifyCell(text)
}

// takeLongNumbers counts whole numbers that float64 does not have among the numbers of the column: they are values, which
// are rounded, and not names.
func (k *cells) takeLongNumbers() {
	k.longNumbers = k.takeNumbers(func(text string) (float64, bool) {
		v, isNumber, _ := k.notation.parseNumber(text)
		return v, isNumber
	})
}

// isUnusualNumber reports whether a text is digits that are not read as a number, such as 1,000, Infinity or 10.0.1.1.
func (k *cells) isUnusualNumber(text string) bool {
	kind := k.classify(text)
	return kind != textCell && kind != missingCell
}

// isMisspelt reports whether a text is a number in a notation that is not read, such as 1,000.
func (k *cells) isMisspelt(text string) bool { return k.classify(text) == misspeltCell }

// checkTextsAmongNumbers reports texts in a column of numbers or dates that cannot all mean missing values.
func (k *cells) checkTextsAmongNumbers() {
	switch k.declared.kind {
	case data.Date:
		k.checkUnknownDates()
		return
	case data.Number: // all texts but misspelt numbers count as missing
		k.reportUnusualNumber(k.isMisspelt)
		return
	}
	hasUnusual := slices.ContainsFunc(k.texts, k.isUnusualNumber)
	switch {
	case hasUnusual:
		k.reportUnusualNumber(k.isUnusualNumber)
	case len(k.texts) > maxMissingTexts:
		const firstText = 0
		k.reportText(firstText, isAnyText, "%s is not a number, and %d other values are; correct it, declare the column numeric to take it for missing, or declare it categorical", k.numbers)
	}
}

// checkUnknownDates reports the values of a column that is declared a date and has no known layout.
func (k *cells) checkUnknownDates() {
	switch {
	case k.numbers > 0:
		k.problems.add(1, fmt.Sprintf("column %s: %d of its values are plain numbers; declare the layout of its dates, such as yyyymmdd", k.label, k.numbers))
	case len(k.texts) > 0:
		const firstText = 0
		k.reportText(firstText, isAnyText, "%s is not a date in a known layout; declare the layout, such as dd.mm.yyyy")
	}
}

// isAnyText reports that a text is like the one in a report.
func isAnyText(string) bool { return true }

// checkSplitValues reports a text if the column that rows are split by has the field f of numbers: the text would count as
// a missing value, which a split cannot use.
func (k *cells) checkSplitValues(f data.Field) {
	if f.Kind == data.Number && len(k.texts) > 0 {
		k.reportText(0, isAnyText, "%s is not a number, and %d other values are; every row needs a value, as rows are split by this column", k.numbers)
	}
}

// reportUnusualNumber reports the first number in a notation that is not read, and counts those that are unusual for the
// same reason. It does nothing if there is none.
func (k *cells) reportUnusualNumber(isUnusual func(text string) bool) {
	first := slices.IndexFunc(k.texts, isUnusual)
	if first < 0 {
		return
	}
	reason, message := k.unusualReason(k.texts[first])
	hasReason := func(text string) bool {
		other, _ := k.unusualReason(text)
		return isUnusual(text) && other == reason
	}
	k.report(first, hasReason, message+k.otherRemedies())
}

// otherRemedies returns the end of a message about a misspelt number: what to declare if it is no number. It returns "" for
// a column other than an input, which has no declarations.
func (k *cells) otherRemedies() string {
	if k.group != inputGroup {
		return ""
	}
	return "; if it is no number, declare the value missing or the column categorical"
}

// unusualReason returns why a text is not read as a number, without the text itself, and the message with the text.
func (k *cells) unusualReason(text string) (reason, message string) {
	if number, _ := splitUnit(text); explainSeparators(number) != "" {
		_, _, err := k.notation.parseNumber(number)
		message = k.notation.explainNonNumber(number, err)
		return "separators", strings.Replace(message, quoteShort(number), quoteShort(text), 1)
	}
	_, _, err := k.notation.parseNumber(text)
	message = k.notation.explainNonNumber(text, err)
	return mistakeReason(text, message), message
}

// reportText reports a mistake in text i, which the format names first, and the number of other texts that are like it.
func (k *cells) reportText(i int, isAlike func(text string) bool, format string, args ...any) {
	k.report(i, isAlike, fmt.Sprintf(format, append([]any{quoteShort(k.texts[i])}, args...)...))
}

// report reports a mistake in text i, and the number of other cells with this text or one that is like it.
func (k *cells) report(i int, isAlike func(text string) bool, message string) {
	others := k.counts[i] - 1
	for j, text := range k.texts {
		if j != i && isAlike(text) {
			others += k.counts[j]
		}
	}
	if others > 0 {
		message += fmt.Sprintf(" (and %d more values like it)", others)
	}
	k.problems.add(k.firstLines[i], fmt.Sprintf("column %s: %s", k.label, message))
}

// setValues replaces the codes of texts among the values of the column by the values that the texts have in the field f,
// and sets the categories of f to the texts that occur. Dates that split the rows become instants.
func (k *cells) setValues(f *data.Field) {
	valueOf := func(text string) float64 { return k.textValue(f, text) }
	if f.Kind == data.Category {
		nameOf := k.categoryNamer()
		f.Categories = k.listCategories(nameOf)
		index := make(map[string]float64)
		for i, category := range f.Categories {
			index[category] = float64(i)
		}
		valueOf = func(text string) float64 { return index[nameOf(text)] }
	}
	if f.Kind == data.Date && k.group == splitGroup && k.haveSeveralOffsets(f.Layout) {
		layout := f.Layout
		valueOf = func(text string) float64 { return instant(layout, text) }
		f.Layout = instantLayout
	}
	valueOfCode := make([]float64, len(k.dictionary.texts))
	for code, text := range k.dictionary.texts {
		valueOfCode[code] = valueOf(text)
	}
	for i := k.first; i < len(k.values); i += k.width {
		if code, isText := decodeText(k.values[i]); isText {
			k.values[i] = valueOfCode[code]
		}
	}
}

// textValue returns the value of a text in a field of numbers or dates: NaN for a text that means a missing value.
func (k *cells) textValue(f *data.Field, text string) float64 {
	if f.Kind == data.Date {
		if v, ok := parseOtherDate(f.Layout, text); ok {
			return v
		}
		return math.NaN()
	}
	if v, ok := k.notation.parseUnit(unitOf(f), text); ok {
		return v
	}
	if v, ok, _ := k.notation.parseNumber(text); ok {
		return v
	}
	return math.NaN()
}

// categoryNamer returns the function that gives the category of a text of the column.
func (k *cells) categoryNamer() func(text string) string {
	return k.notation.categoryNamer(k.occurringTexts())
}

// occurringTexts returns the texts that occur among the values, in the order of their first lines.
func (k *cells) occurringTexts() (texts []string) {
	occurs := make([]bool, len(k.dictionary.texts))
	for i := k.first; i < len(k.values); i += k.width {
		if code, isText := decodeText(k.values[i]); isText {
			occurs[code] = true
		}
	}
	for code, text := range k.dictionary.texts {
		if occurs[code] {
			texts = append(texts, text)
		}
	}
	return texts
}

// listCategories returns the categories that occur, in the order of compareCategories. nameOf gives the category of a text.
func (k *cells) listCategories(nameOf func(text string) string) (categories []string) {
	for _, text := range k.occurringTexts() {
		categories = append(categories, nameOf(text))
	}
	slices.SortFunc(categories, k.notation.compareCategories)
	return slices.Compact(categories)
}

// compareCategories compares two categories: numbers by their values, other texts by their bytes, and numbers
// come before other texts.
func (n notation) compareCategories(a, b string) int {
	numberA, aIsNumber, _ := n.parseNumber(a)
	numberB, bIsNumber, _ := n.parseNumber(b)
	switch {
	case aIsNumber && bIsNumber && numberA != numberB:
		return cmp.Compare(numberA, numberB)
	case aIsNumber && !bIsNumber:
		return -1
	case !aIsNumber && bIsNumber:
		return 1
	}
	return cmp.Compare(a, b) // also for two texts of one number, such as 1.1 and 1.10
}

// remark returns a line for the user about the decision for the column, with an odd text, its line and the way to decide
// otherwise. It returns "" if nothing was decided.
func (k *cells) remark(f data.Field) string {
	if f.Fractions && k.numbers > k.percentages {
		return fmt.Sprintf("column %s: %d values such as %s are shown as percentages and %d are not: all are read as the fractions that the file stores", k.label, k.percentages, k.percentage, k.numbers-k.percentages)
	}
	switch {
	case k.declared.kind == data.Category:
		return ""
	case f.Kind == data.Number:
		return k.joinRemarks(k.numberRemarks(&f))
	case len(k.texts) == 0:
		return ""
	case f.Kind == data.Date:
		return k.joinRemarks(k.dateRemarks())
	}
	return k.categoryRemark()
}

// joinRemarks returns one remark on the column of several parts, and "" if there are none.
func (k *cells) joinRemarks(parts []string) string {
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("column %s: %s", k.label, strings.Join(parts, "; "))
}

// numberRemarks returns remarks about units, words among numbers, and numbers that are rounded.
func (k *cells) numberRemarks(f *data.Field) (parts []string) {
	plain := k.numbers - k.unitNumbers.cells
	switch first := k.unitNumbers.first; {
	case k.unit == unit{}: // no unit
	case plain > 0:
		parts = append(parts, fmt.Sprintf("%s in %d rows have the unit %s, and %d numbers have none: all are read as numbers in it", k.describe(k.unitNumbers), k.unitNumbers.cells, k.unit, plain))
	default:
		parts = append(parts, fmt.Sprintf("%s is read as %v", quoteShort(first), k.textValue(f, first)))
	}
	switch long := k.longNumbers; {
	case len(k.texts) > 0:
		parts = append(parts, fmt.Sprintf("%s%s in %d rows are not numbers and count as missing", k.textInLine(0), otherTexts(len(k.texts)-1), k.textCells))
	case long.texts > 0:
		parts = append(parts, fmt.Sprintf("%s has more digits than a 64-bit float, and is read as %s; declare the column categorical if its numbers are names", k.placeText(long.first, long.line), formatNumber(k.textValue(f, long.first))))
	}
	return parts
}

// dateRemarks returns remarks about words among dates, days among days with times, and dates in other layouts than most.
func (k *cells) dateRemarks() (parts []string) {
	if k.words.texts > 0 {
		parts = append(parts, fmt.Sprintf("%s in %d rows are not dates and count as missing; declare the column categorical to keep them", k.describe(k.words), k.words.cells))
	}
	if k.midnights.texts > 0 {
		parts = append(parts, fmt.Sprintf("%s in %d rows have no time, and count as midnight", k.describe(k.midnights), k.midnights.cells))
	}
	if k.otherDates.texts > 0 {
		parts = append(parts, fmt.Sprintf("%s in %d rows are dates that are written in another way than most, and are read", k.describe(k.otherDates), k.otherDates.cells))
	}
	return parts
}

// describe returns the first of a set of texts, with its line, and the number of the others.
func (k *cells) describe(s textSet) string {
	return k.placeText(s.first, s.line) + otherTexts(s.texts-1)
}

// categoryRemark returns the remark about numbers among categories, and "" if there are few. It also names long numbers,
// which are categories since float64 does not have them.
func (k *cells) categoryRemark() string {
	misspelt := slices.IndexFunc(k.texts, func(text string) bool { return k.classify(text) == misspeltCell })
	isLong := func(text string) bool { _, isNumber, _ := k.notation.parseNumber(text); return isNumber }
	switch {
	case !slices.ContainsFunc(k.texts, func(text string) bool { return !isLong(text) }):
		return fmt.Sprintf("column %s: %s in %d rows have more digits than a 64-bit float: all values are categories; declare the column numeric to round them", k.label, k.textInLine(0)+otherTexts(len(k.texts)-1), k.textCells)
	case k.numbers > k.textCells:
		return fmt.Sprintf("column %s: %d values are numbers and %d are not, such as %s: all are categories; declare the column numeric to count the texts as missing", k.label, k.numbers, k.textCells, k.textInLine(0))
	case misspelt >= 0:
		return fmt.Sprintf("column %s: %s may be a number, and %d other values are texts: all are categories", k.label, k.textInLine(misspelt), k.textCells-k.counts[misspelt])
	}
	return ""
}

// textInLine returns text i with its first line, such as "soon" (line 4).
func (k *cells) textInLine(i int) string {
	return k.placeText(k.texts[i], k.firstLines[i])
}

// placeText returns a text with its line.
func (k *cells) placeText(text string, line int) string {
	return fmt.Sprintf("%s (%s %d)", quoteShort(text), k.lineUnit, line)
}

// otherTexts returns a part of a remark about n further texts.
func otherTexts(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d other texts", n)
}

// areClassNumbers reports whether the labels of every target are the numbers of its classes, in order: 0, 1, and so on.
func areClassNumbers(fields []data.Field) bool {
	for _, f := range fields {
		for i, label := range f.Categories {
			if label != strconv.Itoa(i) {
				return false
			}
		}
	}
	return true
}
