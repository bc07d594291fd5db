package read

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"sml/data"
)

// decideCategories returns the decision for a column of categories, which are the texts of its values.
func (k *tally) decideCategories() decision {
	texts := k.occurringTexts()
	nameOf := k.notation.categoryNamer(texts)
	categories := k.listCategories(texts, nameOf)
	index := make(map[string]float64)
	for i, category := range categories {
		index[category] = float64(i)
	}
	return decision{
		field:   data.Field{Kind: data.Category, Categories: categories},
		valueOf: func(text string) float64 { return index[nameOf(text)] },
		remarks: k.categoryRemarks(),
	}
}

// occurringTexts returns the texts of the remaining rows, also of numbers. Omitted rows may have had other texts.
func (k *tally) occurringTexts() (texts []string) {
	for _, text := range k.all {
		if text.cells > 0 {
			texts = append(texts, text.text)
		}
	}
	return texts
}

// listCategories returns the categories of some texts, in the order of compareCategories. nameOf gives the category of a
// text.
func (k *tally) listCategories(texts []string, nameOf func(text string) string) (categories []string) {
	for _, text := range texts {
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

// categoryRemarks returns the remark about numbers among categories, if there are many. It also names long numbers, which
// are categories since float64 does not have them. A declared category has none.
func (k *tally) categoryRemarks() []string {
	isWord := func(text string) bool { _, isNumber, _ := k.notation.parseNumber(text); return !isNumber }
	cells := k.texts.cells()
	switch {
	case k.isDeclaredCategory():
		return nil
	case !k.texts.any(isWord):
		return []string{fmt.Sprintf("%s in %d rows have more digits than a 64-bit float: all values are categories; declare the column numeric to round them", k.describe(k.texts), cells)}
	case k.numbers > cells:
		return []string{fmt.Sprintf("%d values are numbers and %d are not, such as %s: all are categories; declare the column numeric to count the texts as missing", k.numbers, cells, k.describeText(k.texts[0]))}
	}
	misspelt := k.texts.where(k.isMisspelt)
	if misspelt == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s may be a number, and %d other values are texts: all are categories", k.describeText(misspelt[0]), cells-misspelt[0].cells)}
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
