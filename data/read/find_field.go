package read

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// A column with more different numbers than manyNumbers is a column of numbers: they are not
// names of levels.
const manyNumbers = 32

const (
	fewTexts  = 3    // different texts in a column of numbers that may all mean a missing value
	maxAbsent = 1000 // texts for missing values that a field remembers
)

// mostlyNumbers is the fraction of numbers among a column's values above which its texts are
// not levels: they mean missing values, or are mistakes.
const mostlyNumbers = 0.9

// find returns the field of the column, and the number that stands for each of its texts; the
// numbers are nil for a category and for a known field. It reports mistakes to bad.
func (c *rawColumn) find(bad func(line int, says string)) (f data.Field, of []float64) {
	if c.field != nil {
		return *c.field, nil
	}
	of = make([]float64, len(c.texts))
	refuse := func(i int, says string) { c.refuse(bad, i, says, len(c.texts)-1) }
	refuseDate := func(i int, layout, says string) { c.refuse(bad, i, says, countNotDates(layout, c.texts)-1) }
	words := c.countTexts()
	odd := slices.IndexFunc(c.texts, func(s string) bool { return c.notation.writingOf(s) != text })
	percentage := c.mixedPercentage()
	layouts := []string{c.layout}
	if c.layout == "" && c.asked != data.Category && c.asked != data.Number {
		layouts = layoutsOf(c.texts)
	}
	fit := layoutOf(c.texts)
	mostly := float64(c.numbers) > mostlyNumbers*float64(c.numbers+words) || len(c.distinct) > manyNumbers && len(c.texts) <= fewTexts
	around, amounts := unitOf(c.texts, c.notation)
	switch {
	case c.asked == data.Category:
		return data.Field{Kind: data.Category}, nil
	case percentage >= 0:
		cell := c.texts[percentage]
		v, _ := c.notation.parsePercentage(cell)
		refuse(percentage, fmt.Sprintf("%s is a percentage, which is %s, and %d other values are plain numbers; write all of them with a percent sign, or none", excerpt(cell), shortest(v), c.numbers))
		return data.Field{Kind: data.Number}, of
	case c.asked != data.Date && amounts:
		for i, cell := range c.texts {
			of[i], _ = parseUnit(&around, cell, c.notation)
		}
		return around, of
	case c.asked != data.Number && len(layouts) == 0 && fit != "" && (c.asked == data.Date || c.numbers == 0):
		i := indexNonDate(fit, c.texts)
		refuseDate(i, fit, fmt.Sprintf("%s is not a date as %s, as %s is; write all alike, or say that the column is categorical", excerpt(c.texts[i]), letters(fit), excerpt(c.texts[0])))
		return data.Field{Kind: data.Date, Layout: fit}, of
	case c.asked == "" && words > 0 && len(layouts) == 0 && odd < 0 && !mostly:
		return data.Field{Kind: data.Category}, nil
	case c.asked == data.Date && c.numbers > 0:
		bad(1, fmt.Sprintf("column %s: %d of its values are plain numbers; say how dates are written in it, such as yyyymmdd", c.label, c.numbers))
	case c.asked != data.Number && len(layouts) > 0 && c.numbers == 0 && words > 0:
		if len(layouts) > 1 {
			refuse(0, fmt.Sprintf("%s is a date as %s and another as %s; say which", excerpt(c.texts[0]), letters(layouts[0]), letters(layouts[1])))
		}
		for i, cell := range c.texts {
			v, ok := parseDate(layouts[0], cell)
			if !ok {
				refuseDate(i, layouts[0], fmt.Sprintf("%s is not a date as %s", excerpt(cell), letters(layouts[0])))
				break
			}
			of[i] = v
		}
		return data.Field{Kind: data.Date, Layout: layouts[0]}, of
	case c.asked == data.Date && words > 0:
		refuse(0, fmt.Sprintf("%s is written as no date that is known; say how dates are written, such as dd.mm.yyyy", excerpt(c.texts[0])))
	case odd >= 0 && c.asked != data.Number:
		_, _, err := c.notation.parse(c.texts[odd])
		refuse(odd, c.notation.whatIsWrong(c.texts[odd], err))
	case len(c.texts) > fewTexts && c.asked != data.Number:
		refuse(0, fmt.Sprintf("%s is not a number, and %d other values are; mend it, say that the column is numeric to take it for missing, or that it is categorical", excerpt(c.texts[0]), c.numbers))
	}
	for i, cell := range c.texts {
		of[i] = math.NaN()
		if c.notation.writingOf(cell) == foreign && c.asked == data.Number {
			_, _, err := c.notation.parse(cell)
			refuse(i, c.notation.whatIsWrong(cell, err))
			break
		}
	}
	return data.Field{Kind: data.Number, Absent: c.texts[:min(len(c.texts), maxAbsent)]}, of
}

// refuse reports what is wrong with text i, and how many other texts are wrong in the same way.
func (c *rawColumn) refuse(bad func(line int, says string), i int, says string, others int) {
	if others > 0 {
		says += fmt.Sprintf(" (and %d more values like it)", others)
	}
	bad(c.lines[i], fmt.Sprintf("column %s: %s", c.label, says))
}

// mixedPercentage returns the index of the first percentage if the column has plain numbers
// as well, and −1 otherwise.
func (c *rawColumn) mixedPercentage() int {
	if c.numbers == 0 || c.asked == data.Date {
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
	case len(c.texts) == 0 || f.Kind == data.Date || c.asked == data.Category:
		return ""
	case f.Kind == data.Category && 2*c.numbers > c.numbers+c.countTexts():
		return fmt.Sprintf("column %s: %d values are numbers and %d are not, such as %s (%s %d): all are names of levels, unless the column is said to be numeric",
			c.label, c.numbers, c.countTexts(), excerpt(c.texts[0]), unit, c.lines[0])
	case f.Kind == data.Category:
		return ""
	case f.Before+f.After != "":
		v, _ := parseUnit(&f, c.texts[0], c.notation)
		return fmt.Sprintf("column %s: %s is read as %v", c.label, excerpt(c.texts[0]), v)
	}
	says := fmt.Sprintf("column %s: %s (%s %d)", c.label, excerpt(c.texts[0]), unit, c.lines[0])
	if others := len(c.texts) - 1; others > 0 {
		says += fmt.Sprintf(" and %d other texts", others)
	}
	return says + fmt.Sprintf(" in %d rows are no numbers and count as missing", c.countTexts())
}

// countTexts returns the number of text cells.
func (c *rawColumn) countTexts() int {
	words := 0
	for _, n := range c.cells {
		words += n
	}
	return words
}
