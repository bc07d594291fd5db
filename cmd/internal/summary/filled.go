package summary

import (
	"fmt"
	"math"

	"sml/data"
)

// findFilledRows finds rows that seem to be filled in: a target has one value in them, and in no others, and inputs are
// missing exactly there, such as the weather of hours without rentals. To drop these inputs would be the wrong remedy.
func findFilledRows(t *inspection) (found []Suspicion) {
	for _, y := range t.targets {
		if y.Kind == data.Category {
			continue
		}
		var empty []string // inputs that are missing exactly in the rows with one value of the target
		incomplete := 0    // inputs with missing values
		says := ""
		for _, c := range t.inputs {
			if c.Missing > 0 {
				incomplete++
			}
			mark := c.rareValue()
			target, rows := targetOf(y, c, mark)
			if rows == 0 {
				continue
			}
			where := fmt.Sprintf("exactly in the %d rows with the target %s = %s", rows, y.Name, y.Show(target))
			if !math.IsNaN(mark) {
				found = append(found, about(c, fmt.Sprintf("%s %s", c.Show(mark), where)))
				continue
			}
			empty = append(empty, c.Name)
			says = "missing " + where
		}
		if empty == nil {
			continue
		}
		s := Suspicion{Columns: empty, Says: says}
		if len(empty) == incomplete { // no other row would be left out
			s.Flags = []Flag{{"missing", "drop"}}
		}
		found = append(found, s)
	}
	return found
}

// rareValue returns the value that may mark rows which are filled in: the missing value, NaN, or the rarer one of two
// values in a column without missing values. For other columns it also returns NaN, which no row has.
func (c *Column) rareValue() float64 {
	const switchValues = 2
	if c.Missing > 0 || c.Distinct != switchValues {
		return math.NaN()
	}
	first := c.sorted[0]
	last := c.sorted[len(c.sorted)-1]
	if countEqual(c.sorted, first) <= countEqual(c.sorted, last) {
		return first
	}
	return last
}

// targetOf returns the value that the target has in all rows with a value of a column, NaN if it is missing, and in no
// other row, with the number of these rows. It returns 0 rows if there is none, or the rows are too few or too many to
// be rows that are filled in.
func targetOf(y, c *Column, mark float64) (target float64, rows int) {
	const (
		minRows     = 10
		maxFraction = 0.1 // of the rows
	)
	isMarked := func(row int) bool { return c.values[row] == mark || math.IsNaN(mark) && math.IsNaN(c.values[row]) }
	for row := range c.values {
		if isMarked(row) {
			target = y.values[row]
			rows++
		}
	}
	if rows < minRows || float64(rows) > maxFraction*float64(len(c.values)) {
		return 0, 0
	}
	for row, v := range y.values {
		if isMarked(row) != (v == target) {
			return 0, 0
		}
	}
	return target, rows
}
