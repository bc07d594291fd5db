package read

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// maxCategoryNumbers is the maximum number of different numbers in a column with a few texts for which
// the column may be categorical, with numbers as the names of categories.
const maxCategoryNumbers = 32

const (
	maxMissingTexts    = 3    // maximum number of different texts in a column of numbers that may all mean a missing value
	maxRememberedTexts = 1000 // maximum number of texts for missing values that a field remembers
)

// minNumberFraction is the fraction of numbers among a column's values above which its texts are
// not categories: they mean missing values, or are mistakes.
const minNumberFraction = 0.9

// reportFunc is called with a mistake in the line with the given number.
type reportFunc func(line int, message string)

// inferField returns the field of the column after all rows are read, and the value of each of its
// texts, by the text's code. The values are nil for a categorical column and for a known field. It
// reports mistakes; the results then have no meaning, as the table is not used.
//
// Texts with a common unit are numbers, and texts with a common date layout are dates. Other texts are
// categories, unless they are rare among numbers: then they mean a missing value.
func (c *rawColumn) inferField(report reportFunc) (f data.Field, textValues []float64) {
	if c.field != nil {
		return *c.field, nil
	}
	if c.declared == data.Category {
		return data.Field{Kind: data.Category}, nil
	}
	if i := c.indexMixedPercentage(); i >= 0 {
		c.reportMixedPercentage(report, i)
		return data.Field{Kind: data.Number}, make([]float64, len(c.texts))
	}
	if c.declared != data.Date {
		if f, ok := inferUnit(c.texts, c.notation); ok {
			return f, c.valuesWithUnit(f)
		}
	}
	layouts := c.possibleLayouts()
	if layout, ok := c.chooseDateLayout(layouts, report); ok {
		return data.Field{Kind: data.Date, Layout: layout}, c.dateValues(layout, report)
	}
	if c.declared == "" && len(layouts) == 0 && c.looksCategorical() {
		return data.Field{Kind: data.Category}, nil
	}
	c.reportUnusableTexts(report)
	missingTexts := c.texts[:min(len(c.texts), maxRememberedTexts)]
	return data.Field{Kind: data.Number, MissingTexts: missingTexts}, c.missingValues(report)
}

// reportMixedPercentage reports that text i is a percentage among plain numbers.
func (c *rawColumn) reportMixedPercentage(report reportFunc, i int) {
	cell := c.texts[i]
	v, _ := c.notation.parsePercentage(cell)
	message := fmt.Sprintf("%s is a percentage, which is %s, and %d other values are plain numbers; write all of them with a percent sign, or none",
		quoteShort(cell), formatNumber(v), c.numberCount)
	c.reportText(report, i, message, len(c.texts)-1)
}

// valuesWithUnit returns the number of each text, which has the unit of f.
func (c *rawColumn) valuesWithUnit(f data.Field) []float64 {
	values := make([]float64, len(c.texts))
	for i, cell := range c.texts {
		values[i], _ = parseUnit(&f, cell, c.notation)
	}
	return values
}

// possibleLayouts returns the declared date layout or, if there is none, the layouts that fit all
// texts, as findDateLayouts does. For a column declared a number, which is not a date, it returns one
// layout "".
func (c *rawColumn) possibleLayouts() []string {
	if c.layout != "" || c.declared == data.Number {
		return []string{c.layout}
	}
	return findDateLayouts(c.texts)
}

// chooseDateLayout returns the layout of a column of dates, given the possible layouts. ok is false if
// the column does not hold dates. It reports a mistake if several layouts are possible.
//
// If no layout fits all texts, but the column is declared a date or has no numbers, it returns the
// layout of the first text: dateValues then reports the first text that does not fit.
func (c *rawColumn) chooseDateLayout(possible []string, report reportFunc) (layout string, ok bool) {
	if c.declared == data.Number || len(c.texts) == 0 {
		return "", false
	}
	if len(possible) == 0 {
		layout = firstDateLayout(c.texts)
		return layout, layout != "" && (c.declared == data.Date || c.numberCount == 0)
	}
	if c.numberCount > 0 {
		return "", false
	}
	if len(possible) > 1 {
		message := fmt.Sprintf("%s is a date as %s and another as %s; declare the layout",
			quoteShort(c.texts[0]), formatLayoutLetters(possible[0]), formatLayoutLetters(possible[1]))
		c.reportText(report, 0, message, len(c.texts)-1)
	}
	return possible[0], true
}

// dateValues returns the date of each text, as parseDate does. It reports the first text that is not a
// date of the layout.
func (c *rawColumn) dateValues(layout string, report reportFunc) []float64 {
	values := make([]float64, len(c.texts))
	for i, cell := range c.texts {
		v, ok := parseDate(layout, cell)
		if !ok {
			c.reportNonDate(layout, i, report)
			break
		}
		values[i] = v
	}
	return values
}

// reportNonDate reports that text i is not a date of the layout.
func (c *rawColumn) reportNonDate(layout string, i int, report reportFunc) {
	message := fmt.Sprintf("%s is not a date as %s", quoteShort(c.texts[i]), formatLayoutLetters(layout))
	if c.layout == "" { // the layout was found from the first text
		message += fmt.Sprintf(", as %s is; write all alike, or declare the column categorical", quoteShort(c.texts[0]))
	}
	c.reportText(report, i, message, countNonDates(layout, c.texts)-1)
}

// looksCategorical reports whether the texts of the column, which are not dates, are categories.
// They are not if one of them is a number in a notation that is not read, if almost all cells are
// numbers, or if there are many different numbers and only a few different texts.
func (c *rawColumn) looksCategorical() bool {
	textCells := c.countTextCells()
	if textCells == 0 || c.indexUnusualNumber() >= 0 {
		return false
	}
	mostlyNumbers := float64(c.numberCount) > minNumberFraction*float64(c.numberCount+textCells)
	manyNumbers := len(c.distinctNumbers) > maxCategoryNumbers && len(c.texts) <= maxMissingTexts
	return !mostlyNumbers && !manyNumbers
}

// indexUnusualNumber returns the index of the first text that is a number in a notation that is
// not read, or −1.
func (c *rawColumn) indexUnusualNumber() int {
	return slices.IndexFunc(c.texts, func(s string) bool { return c.notation.classifyCell(s) != textCell })
}

// reportUnusableTexts reports texts in a column of numbers or dates that cannot all mean missing
// values.
func (c *rawColumn) reportUnusableTexts(report reportFunc) {
	unusual := c.indexUnusualNumber()
	switch {
	case c.declared == data.Date && c.numberCount > 0:
		report(1, fmt.Sprintf("column %s: %d of its values are plain numbers; declare the layout of its dates, such as yyyymmdd", c.label, c.numberCount))
	case c.declared == data.Date && len(c.texts) > 0:
		c.reportText(report, 0, fmt.Sprintf("%s is not a date in a known layout; declare the layout, such as dd.mm.yyyy", quoteShort(c.texts[0])), len(c.texts)-1)
	case c.declared == data.Number: // all texts count as missing
	case unusual >= 0:
		c.reportUnusualNumber(unusual, report)
	case len(c.texts) > maxMissingTexts:
		message := fmt.Sprintf("%s is not a number, and %d other values are; correct it, declare the column numeric to take it for missing, or declare it categorical",
			quoteShort(c.texts[0]), c.numberCount)
		c.reportText(report, 0, message, len(c.texts)-1)
	}
}

// reportUnusualNumber reports that text i is a number in a notation that is not read.
func (c *rawColumn) reportUnusualNumber(i int, report reportFunc) {
	_, _, err := c.notation.parseNumber(c.texts[i])
	c.reportText(report, i, c.notation.explainNonNumber(c.texts[i], err), len(c.texts)-1)
}

// missingValues returns NaN, a missing value, for each text. In a column declared numeric it reports the
// first text that is a number in a notation that is not read: such a value is not missing.
func (c *rawColumn) missingValues(report reportFunc) []float64 {
	values := make([]float64, len(c.texts))
	for i, cell := range c.texts {
		values[i] = math.NaN()
		if c.declared == data.Number && c.notation.classifyCell(cell) == foreignCell {
			c.reportUnusualNumber(i, report)
			break
		}
	}
	return values
}

// reportText reports a mistake in text i, and the number of other texts with the same mistake.
func (c *rawColumn) reportText(report reportFunc, i int, message string, others int) {
	if others > 0 {
		message += fmt.Sprintf(" (and %d more values like it)", others)
	}
	report(c.firstLines[i], fmt.Sprintf("column %s: %s", c.label, message))
}

// indexMixedPercentage returns the index of the first text that is a percentage if the column has plain
// numbers as well, and −1 otherwise.
func (c *rawColumn) indexMixedPercentage() int {
	if c.numberCount == 0 || c.declared == data.Date {
		return -1
	}
	return slices.IndexFunc(c.texts, func(cell string) bool {
		_, ok := c.notation.parsePercentage(cell)
		return ok
	})
}

// remark returns a remark for the user about a column with the field f: that most categories are
// numbers, that texts are read as numbers with a unit, or that texts count as missing. It returns ""
// if none of this is the case. lineUnit is what line numbers count, such as "row".
func (c *rawColumn) remark(f data.Field, lineUnit string) string {
	if len(c.texts) == 0 || f.Kind == data.Date || c.declared == data.Category {
		return ""
	}
	textCells := c.countTextCells()
	example := quoteShort(c.texts[0])
	line := c.firstLines[0]
	switch {
	case f.Kind == data.Category && c.numberCount > textCells:
		return fmt.Sprintf("column %s: %d values are numbers and %d are not, such as %s (%s %d): all are categories; declare the column numeric to count the texts as missing",
			c.label, c.numberCount, textCells, example, lineUnit, line)
	case f.Kind == data.Category:
		return ""
	case f.Prefix+f.Suffix != "":
		v, _ := parseUnit(&f, c.texts[0], c.notation)
		return fmt.Sprintf("column %s: %s is read as %v", c.label, example, v)
	}
	others := ""
	if n := len(c.texts) - 1; n > 0 {
		others = fmt.Sprintf(" and %d other texts", n)
	}
	return fmt.Sprintf("column %s: %s (%s %d)%s in %d rows are not numbers and count as missing", c.label, example, lineUnit, line, others, textCells)
}

// countTextCells returns the number of cells with a text.
func (c *rawColumn) countTextCells() int {
	cells := 0
	for _, n := range c.textCounts {
		cells += n
	}
	return cells
}
