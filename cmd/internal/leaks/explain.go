package leaks

import (
	"fmt"

	"sml/data"
)

// explainLeak says how a column gives the target away, or returns "" if it does not.
func explainLeak(c Column, y *outcome, fit Fit) string {
	if fit.R2 >= minLeakR2 && !c.IsTime && !mayNameGroups(c) {
		return fmt.Sprintf("it determines the target %s: R² = %.5g on rows that were held out", y.name, fit.R2)
	}
	if y.isClass {
		return ""
	}
	count := countRanges(c.Values, y)
	if count > 0 {
		return fmt.Sprintf("each of its %d values is a range of the target %s", count, y.name)
	}
	if countRanges(markMissing(c.Values), y) > 0 {
		return fmt.Sprintf("it is missing exactly in a range of the target %s", y.name)
	}
	if c.Field.Kind == data.Category {
		return explainTexts(c, y)
	}
	r2 := fitFunction(c.Values, y)
	if r2 >= minLeakR2 && !c.IsTime {
		return fmt.Sprintf("the target %s is a function of it: R² = %.5g between its values", y.name, r2)
	}
	return ""
}

// explainTexts says how numbers in the texts of a column give the target away, or returns "" if they do not.
func explainTexts(c Column, y *outcome) string {
	for position := range maxTextNumbers {
		numbers := textNumbers(c, position)
		r2 := max(fitLine(numbers, y), fitFunction(numbers, y))
		if r2 >= minLeakR2 {
			return fmt.Sprintf("a number in its texts determines the target %s: R² = %.5g", y.name, r2)
		}
	}
	return ""
}

// mayNameGroups reports whether a column may name groups of rows that repeat the target, such as the
// measurements of a patient: it has many different values, or few rows with each of them.
func mayNameGroups(c Column) bool {
	const maxCategories = 50
	const minRowsPerCategory = 20
	_, categories := encode(c.Values)
	mayBeGroups := categories > maxCategories || categories*minRowsPerCategory > len(c.Values)
	isRepeated := c.Field.Kind == data.Category || 2*categories <= len(c.Values)
	return mayBeGroups && isRepeated
}
