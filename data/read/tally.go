package read

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

const (
	maxCategoryNumbers = 32  // different numbers up to which a column with a few texts may be categorical
	maxMissingTexts    = 3   // different texts in a column of numbers that may all mean a missing value
	minNumberFraction  = 0.9 // fraction of numbers above which texts are no categories: they mean missing values, or are mistakes
	maxWordFraction    = 0.1 // fraction of other texts among dates up to which they mean missing values
	maxUnusualFraction = 0.1 // fraction of unusual numbers, such as 1,000, among texts up to which all are categories
)

// textCount is a text of a column, the line of its first cell, and the number of its cells.
type textCount struct {
	text  string
	line  int
	cells int
}

// textCounts are different texts of a column, in the order of their first lines.
type textCounts []textCount

// cells returns the number of cells with these texts.
func (t textCounts) cells() (n int) {
	for _, text := range t {
		n += text.cells
	}
	return n
}

// where returns the texts that meet a condition.
func (t textCounts) where(holds func(text string) bool) (found textCounts) {
	for _, text := range t {
		if holds(text.text) {
			found = append(found, text)
		}
	}
	return found
}

// any reports whether a text meets a condition.
func (t textCounts) any(holds func(text string) bool) bool {
	return slices.ContainsFunc(t, func(text textCount) bool { return holds(text.text) })
}

// list returns the texts alone.
func (t textCounts) list() (texts []string) {
	for _, text := range t {
		texts = append(texts, text.text)
	}
	return texts
}

// tally counts the cells of a column after all rows are read. The counts decide the kind of the column.
type tally struct {
	*column
	values       []float64 // rows of values; the values of the column are values[first], values[first+width] and so on
	first, width int
	all          textCounts // texts of the dictionary, by their codes

	texts          textCounts // texts other than numbers
	numbers        int        // number of cells with a number
	distinct       map[float64]bool
	firstPlain     textCount  // first number other than 0 without a unit; the zero value if there is none, or if the texts of numbers were dropped
	droppedNumbers int        // number of cells with a number whose text was not kept
	percentages    textCounts // fractions that are shown as percentages, if the file stores fractions

	negatives   textCounts // negative numbers such as (5) and 5- among plain numbers
	unit        unit       // unit of most numbers
	unitNumbers textCounts // numbers with this unit
	layouts     []string   // layouts that the dates of the column may have (possibleLayouts)

	problems *problemReport // for mistakes that the decision finds
}

// countValue counts a cell with the given value.
func (k *tally) countValue(v float64) {
	code, isText := decodeText(v)
	switch {
	case isText:
		k.all[code].cells++
	case !math.IsNaN(v):
		k.droppedNumbers++
		k.countNumber(v, 1)
	}
}

// countNumber counts n cells with the number v. Different numbers are remembered only up to one more than
// maxCategoryNumbers: then the column is known to have too many for categories.
func (k *tally) countNumber(v float64, n int) {
	k.numbers += n
	if len(k.distinct) <= maxCategoryNumbers {
		k.distinct[v] = true
	}
}

// takeNumbers counts the texts that a function parses among the numbers of the column, and returns them.
func (k *tally) takeNumbers(parse func(text string) (v float64, ok bool)) (taken textCounts) {
	var others textCounts
	for _, text := range k.texts {
		if v, ok := parse(text.text); ok {
			k.countNumber(v, text.cells)
			taken = append(taken, text)
		} else {
			others = append(others, text)
		}
	}
	k.texts = others
	return taken
}

// setValues replaces the values of the column by those of a decision: the codes of texts by the values of the texts, and
// numbers that mean something else.
func (k *tally) setValues(d decision) {
	if len(k.all) == 0 && d.valueOfNumber == nil { // most columns
		return
	}
	valueOfCode := make([]float64, len(k.all))
	for code, text := range k.all {
		valueOfCode[code] = d.valueOf(text.text)
	}
	for i := k.first; i < len(k.values); i += k.width {
		code, isText := decodeText(k.values[i])
		switch {
		case isText:
			k.values[i] = valueOfCode[code]
		case d.valueOfNumber != nil:
			k.values[i] = d.valueOfNumber(k.values[i])
		}
	}
}

// reportTexts reports mistakes that are alike. The format names the first of the texts.
func (k *tally) reportTexts(alike textCounts, format string, args ...any) {
	k.report(alike, fmt.Sprintf(format, append([]any{quoteShort(alike[0].text)}, args...)...))
}

// report reports mistakes that are alike, where the first of the texts stands.
func (k *tally) report(alike textCounts, message string) {
	if others := alike.cells() - 1; others > 0 {
		message += fmt.Sprintf(" (and %d more values like it)", others)
	}
	k.problems.add(alike[0].line, fmt.Sprintf("column %s: %s", k.label, message))
}

// describe returns the first of the texts, with its line, and the number of the others.
func (k *tally) describe(texts textCounts) string {
	first := k.describeText(texts[0])
	if len(texts) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d other texts", first, len(texts)-1)
}

// describeText returns a text with its line, such as "soon" (line 4).
func (k *tally) describeText(text textCount) string {
	return fmt.Sprintf("%s (%s %d)", quoteShort(text.text), k.problems.position.lineUnit(), text.line)
}

// isDeclaredCategory reports whether all texts of the column are categories, also those of numbers.
func (k *tally) isDeclaredCategory() bool {
	return k.declared.kind == data.Category || k.rule == mustBeLabel
}

// isDeclaredDate reports whether the column is declared a date.
func (k *tally) isDeclaredDate() bool { return k.declared.kind == data.Date }

// isDeclaredNumber reports whether the column is declared a number.
func (k *tally) isDeclaredNumber() bool { return k.declared.kind == data.Number }

// hasTexts reports whether the column has cells with a text other than a number.
func (k *tally) hasTexts() bool { return k.texts.cells() > 0 }

// hasNoTexts reports whether all cells of the column are numbers or missing.
func (k *tally) hasNoTexts() bool { return !k.hasTexts() }

// hasMostlyNumbers reports whether so many cells are numbers that the texts are missing values or mistakes.
func (k *tally) hasMostlyNumbers() bool {
	return float64(k.numbers) > minNumberFraction*float64(k.numbers+k.texts.cells())
}

// parsePlainNumber parses a number without a unit. ok is false for a number that is a name, since float64 does not have it
// and the column is not declared a number.
func (k *tally) parsePlainNumber(text string) (v float64, ok bool) {
	v, ok, _ = k.notation.parseNumber(text)
	isName := k.declared.kind != data.Number && isInexactWhole(text, v)
	return v, ok && !isName
}
