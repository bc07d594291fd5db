package read

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// A column with more different numbers than manyNumbers is a column of numbers: they are not
// names of levels.
const maxCategoryNumbers = 32

const (
	maxMissingTexts    = 3    // different texts in a column of numbers that may all mean a missing value
	maxRememberedTexts = 1000 // texts for missing values that a field remembers
)

// mostlyNumbers is the fraction of numbers among a column's values above which its texts are
// not levels: they mean missing values, or are mistakes.
const minNumberFraction = 0.9

// find returns the field of the column, and the number that stands for each of its texts; the
// numbers are nil for a category and for a known field. It reports mistakes to bad.
func (c *rawColumn) inferField(bad func(line int, says string)) (f data.Field, of []float64) {
	if c.field != nil {
		return *c.field, nil
	}
	of = make([]float64, len(c.texts))
	refuse := func(i int, says string) { c.reportText(bad, i, says, len(c.texts)-1) }
	refuseDate := func(i int, layout, says string) { c.reportText(bad, i, says, countNonDates(layout, c.texts)-1) }
	words := c.countTextCells()
	odd := slices.IndexFunc(c.texts, func(s string) bool { return c.notation.classifyCell(s) != textCell })
	percentage := c.mixedPercentage()
	layouts := []string{c.layout}
	if c.layout == "" && c.declared != data.Category && c.declared != data.Number {
		layouts = findDateLayouts(c.texts)
	}
	fit := firstDateLayout(c.texts)
	mostly := float64(c.numberCount) > minNumberFraction*float64(c.numberCount+words) || len(c.distinctNumbers) > maxCategoryNumbers && len(c.texts) <= maxMissingTexts
	around, amounts := inferUnit(c.texts, c.notation)
	switch {
	case c.declared == data.Category:
		return data.Field{Kind: data.Category}, nil
	case percentage >= 0:
		cell := c.texts[percentage]
		v, _ := c.notation.parsePercentage(cell)
		refuse(percentage, fmt.Sprintf("%s is a percentage, which is %s, and %d other values are plain numbers; write all of them with a percent sign, or none", quoteShort(cell), formatNumber(v), c.numberCount))
		return data.Field{Kind: data.Number}, of
	case c.declared != data.Date && amounts:
		for i, cell := range c.texts {
			of[i], _ = parseUnit(&around, cell, c.notation)
		}
		return around, of
	case c.declared != data.Number && len(layouts) == 0 && fit != "" && (c.declared == data.Date || c.numberCount == 0):
		i := indexNonDate(fit, c.texts)
		refuseDate(i, fit, fmt.Sprintf("%s is not a date as %s, as %s is; write all alike, or say that the column is categorical", quoteShort(c.texts[i]), formatLayoutLetters(fit), quoteShort(c.texts[0])))
		return data.Field{Kind: data.Date, Layout: fit}, of
	case c.declared == "" && words > 0 && len(layouts) == 0 && odd < 0 && !mostly:
		return data.Field{Kind: data.Category}, nil
	case c.declared == data.Date && c.numberCount > 0:
		bad(1, fmt.Sprintf("column %s: %d of its values are plain numbers; say how dates are written in it, such as yyyymmdd", c.label, c.numberCount))
	case c.declared != data.Number && len(layouts) > 0 && c.numberCount == 0 && words > 0:
		if len(layouts) > 1 {
			refuse(0, fmt.Sprintf("%s is a date as %s and another as %s; say which", quoteShort(c.texts[0]), formatLayoutLetters(layouts[0]), formatLayoutLetters(layouts[1])))
		}
		for i, cell := range c.texts {
			v, ok := parseDate(layouts[0], cell)
			if !ok {
				refuseDate(i, layouts[0], fmt.Sprintf("%s is not a date as %s", quoteShort(cell), formatLayoutLetters(layouts[0])))
				break
			}
			of[i] = v
		}
		return data.Field{Kind: data.Date, Layout: layouts[0]}, of
	case c.declared == data.Date && words > 0:
		refuse(0, fmt.Sprintf("%s is written as no date that is known; say how dates are written, such as dd.mm.yyyy", quoteShort(c.texts[0])))
	case odd >= 0 && c.declared != data.Number:
		_, _, err := c.notation.parseNumber(c.texts[odd])
		refuse(odd, c.notation.explainNonNumber(c.texts[odd], err))
	case len(c.texts) > maxMissingTexts && c.declared != data.Number:
		refuse(0, fmt.Sprintf("%s is not a number, and %d other values are; mend it, say that the column is numeric to take it for missing, or that it is categorical", quoteShort(c.texts[0]), c.numberCount))
	}
	for i, cell := range c.texts {
		of[i] = math.NaN()
		if c.notation.classifyCell(cell) == foreignCell && c.declared == data.Number {
			_, _, err := c.notation.parseNumber(cell)
			refuse(i, c.notation.explainNonNumber(cell, err))
			break
		}
	}
	return data.Field{Kind: data.Number, Absent: c.texts[:min(len(c.texts), maxRememberedTexts)]}, of
}

// refuse reports what is wrong with text i, and how many other texts are wrong in the same way.
func (c *rawColumn) reportText(bad func(line int, says string), i int, says string, others int) {
	if others > 0 {
		says += fmt.Sprintf(" (and %d more values like it)", others)
	}
	bad(c.firstLines[i], fmt.Sprintf("column %s: %s", c.label, says))
}

// mixedPercentage returns the index of the first percentage if the column has plain numbers
// as well, and −1 otherwise.
func (c *rawColumn) mixedPercentage() int {
	if c.numberCount == 0 || c.declared == data.Date {
		return -1
	}
	return slices.IndexFunc(c.texts, func(cell string) bool {
		_, ok := c.notation.parsePercentage(cell)
		return ok
	})
}

// remark returns a remark for the user: which texts in a column of numbers count as missing or
// are read as numbers with a unit, or that most levels of a category are numbers. It returns ""
// if there is nothing to say.
func (c *rawColumn) remark(f data.Field, unit string) string {
	switch {
	case len(c.texts) == 0 || f.Kind == data.Date || c.declared == data.Category:
		return ""
	case f.Kind == data.Category && 2*c.numberCount > c.numberCount+c.countTextCells():
		return fmt.Sprintf("column %s: %d values are numbers and %d are not, such as %s (%s %d): all are names of levels, unless the column is said to be numeric",
			c.label, c.numberCount, c.countTextCells(), quoteShort(c.texts[0]), unit, c.firstLines[0])
	case f.Kind == data.Category:
		return ""
	case f.Before+f.After != "":
		v, _ := parseUnit(&f, c.texts[0], c.notation)
		return fmt.Sprintf("column %s: %s is read as %v", c.label, quoteShort(c.texts[0]), v)
	}
	says := fmt.Sprintf("column %s: %s (%s %d)", c.label, quoteShort(c.texts[0]), unit, c.firstLines[0])
	if others := len(c.texts) - 1; others > 0 {
		says += fmt.Sprintf(" and %d other texts", others)
	}
	return says + fmt.Sprintf(" in %d rows are no numbers and count as missing", c.countTextCells())
}

// countTexts returns the number of text cells.
func (c *rawColumn) countTextCells() int {
	words := 0
	for _, n := range c.textCounts {
		words += n
	}
	return words
}
