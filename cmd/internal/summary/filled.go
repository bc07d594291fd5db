package summary

import (
	"fmt"
	"math"

	"sml/data"
)

// findFilledRows finds rows that seem to be filled in: a target has one value in them, and in no others, and inputs are
// missing or have a rare value exactly there, such as the weather of hours without rentals. To drop these inputs would be
// the wrong remedy.
func findFilledRows(t *inspection) (found []Suspicion) {
	for _, y := range t.targets {
		if y.Kind == data.Category {
			continue
		}
		found = append(found, findMarkedRows(t, y)...)
		if s, isFound := findEmptyRows(t, y); isFound {
			found = append(found, s)
		}
	}
	return found
}

// findMarkedRows finds inputs of two values whose rarer value is exactly in the rows with one value of a target.
func findMarkedRows(t *inspection, y *Column) (found []Suspicion) {
	for _, c := range t.inputs {
		mark, hasTwoValues := c.rarerOfTwo()
		if !hasTwoValues {
			continue
		}
		where := describeTargetOf(y, func(row int) bool { return c.values[row] == mark })
		if where != "" {
			found = append(found, about(c, c.Show(mark)+" "+where))
		}
	}
	return found
}

// findEmptyRows finds inputs whose missing cells are exactly the rows with one value of a target.
func findEmptyRows(t *inspection, y *Column) (s Suspicion, isFound bool) {
	incomplete := 0 // inputs with missing values
	for _, c := range t.inputs {
		if c.Missing == 0 {
			continue
		}
		incomplete++
		where := describeTargetOf(y, func(row int) bool { return math.IsNaN(c.values[row]) })
		if where != "" {
			s.Columns = append(s.Columns, c.Name)
			s.Says = "missing " + where
		}
	}
	if len(s.Columns) == incomplete { // no other row would be left out
		s.Flags = []Flag{{"missing", "drop"}}
	}
	return s, s.Columns != nil
}

// rarerOfTwo returns the rarer value of a column with two values, which may mark rows that are filled in. ok is false for a
// column with missing values or another number of values.
func (c *Column) rarerOfTwo() (value float64, ok bool) {
	const switchValues = 2
	if c.Missing > 0 || c.Distinct != switchValues {
		return 0, false
	}
	first := c.sorted[0]
	last := c.sorted[len(c.sorted)-1]
	if countEqual(c.sorted, first) <= countEqual(c.sorted, last) {
		return first, true
	}
	return last, true
}

// describeTargetOf says which value the target has in all marked rows, and in no other row. It returns "" if there is none,
// or if the rows are too few or too many to be rows that are filled in.
func describeTargetOf(y *Column, isMarked func(row int) bool) string {
	const (
		minRows     = 10
		maxFraction = 0.1 // of the rows
	)
	value, rows := 0.0, 0
	for row, v := range y.values {
		if isMarked(row) {
			value = v
			rows++
		}
	}
	if rows < minRows || float64(rows) > maxFraction*float64(len(y.values)) {
		return ""
	}
	for row, v := range y.values {
		if isMarked(row) != (v == value) {
			return ""
		}
	}
	return fmt.Sprintf("exactly in the %d rows with the target %s = %s", rows, y.Name, y.Show(value))
}
