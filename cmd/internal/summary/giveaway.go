package summary

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// findGiveaways finds the inputs that give a target away by themselves.
func findGiveaways(t *inspection) (found []Suspicion) {
	for k, y := range t.outcomes {
		for _, c := range t.inputs {
			isFound := slices.ContainsFunc(found, func(s Suspicion) bool { return s.Columns[0] == c.Name })
			explanation := explainGiveaway(c, y, k)
			if explanation == "" && c.Predicts != nil && !t.suspects(c, FilledRows) { // which the same rows explain
				explanation = explainRanges(c, y)
			}
			if explanation != "" && !isFound {
				found = append(found, about(c, explanation, dropFlag(c)))
			}
		}
	}
	return found
}

// explainGiveaway returns a clause on how a column gives a target away, or "" if it does not. target is the index of the
// target in the table.
func explainGiveaway(c *Column, y *outcome, target int) string {
	if c.Kind != data.Category && !y.isClass() {
		if slices.Equal(c.values, y.values) {
			return fmt.Sprintf("equal to the target %s", y.Name)
		}
		likeness := y.describeLikeness(c.sample)
		if likeness != "" {
			return likeness
		}
	}
	if c.Predicts == nil {
		return "" // too few rows
	}
	r2 := c.Predicts[target].R2
	if r2 >= minLeakR2 && !c.followsRows() && !mayNameGroups(c) {
		return fmt.Sprintf("it determines the target %s: R² = %.5g on rows that were held out", y.Name, r2)
	}
	if c.Kind == data.Category && !y.isClass() {
		return explainTexts(c, y)
	}
	return ""
}

// explainRanges returns a clause on how the values of a column are ranges of a target, or "" if they are not, or the target
// is a class.
func explainRanges(c *Column, y *outcome) string {
	if y.isClass() {
		return ""
	}
	count := y.countRanges(c.sample)
	if count > 0 {
		return fmt.Sprintf("each of its %d values is a range of the target %s", count, y.Name)
	}
	if y.countRanges(indicate(c.sample, math.IsNaN)) > 0 {
		return fmt.Sprintf("it is missing exactly in a range of the target %s", y.Name)
	}
	return ""
}

// followsRows reports whether the column is a time or anything else that follows the order of the rows. Neighbouring
// values of the target may then be alike, which is no leak.
func (c *Column) followsRows() bool {
	return c.Kind == data.Date || c.hasTimeName() || c.isMonotone()
}

// mayNameGroups reports whether a column may name groups of rows that repeat the target, such as the
// measurements of a patient: it has many different values, or few rows with each of them.
func mayNameGroups(c *Column) bool {
	const maxCategories = 50
	const minRowsPerCategory = 20
	_, categories := encode(c.sample)
	mayBeGroups := categories > maxCategories || categories*minRowsPerCategory > len(c.sample)
	isRepeated := c.Kind == data.Category || 2*categories <= len(c.sample)
	return mayBeGroups && isRepeated
}

// explainTexts says how a number in the texts of a column gives the target away, such as 450 in "sold for $450 in
// May". It returns "" if none does.
func explainTexts(c *Column, y *outcome) string {
	for position := range maxTextNumbers {
		says := y.describeLikeness(textNumbers(c, position))
		if says != "" {
			return "a number in its texts is " + says
		}
	}
	return ""
}

// findCombinations finds columns that give a target away together.
func findCombinations(t *inspection) (found []Suspicion) {
	if t.sampled < minScoredRows {
		return nil
	}
	honest := slices.DeleteFunc(slices.Clone(t.inputs), func(c *Column) bool { return t.suspects(c, LikeTarget) })
	for _, y := range t.outcomes {
		if y.isClass() {
			continue
		}
		sum := findCombination(honest, y)
		if sum == nil {
			continue
		}
		s := Suspicion{
			Columns: sum.names(),
			Says:    fmt.Sprintf("the target %s is %s: R² = %.6g", y.Name, sum, sum.r2),
		}
		for _, name := range sum.derivedColumns(y.Name) {
			s.Flags = append(s.Flags, Flag{"drop", name})
		}
		found = append(found, s)
	}
	return found
}

// findStrong finds inputs that predict a target very well, but do not give it away, and not by rows that are filled in.
func findStrong(t *inspection) (found []Suspicion) {
	const minStrongR2 = 0.95
	for _, c := range t.inputs {
		isExplained := t.suspects(c, LikeTarget) || t.suspects(c, FilledRows)
		for _, p := range c.Predicts {
			if p.R2 >= minStrongR2 && !isExplained {
				found = append(found, about(c, fmt.Sprintf("it predicts the target %s very well by itself: R² = %.3f", p.Target, p.R2)))
			}
		}
	}
	return found
}

// findNames finds inputs whose numbers predict a target better as names. Where rows form groups, every number of a
// group, such as a patient's height, predicts like a name.
func findNames(t *inspection) (found []Suspicion) {
	for _, c := range t.inputs {
		if c.namesRows && !t.has(Groups) && !t.suspects(c, LikeTarget) {
			says := "its numbers may be names: as such they predict the target clearly better"
			found = append(found, about(c, says, Flag{"categorical", c.Name}))
		}
	}
	return found
}
