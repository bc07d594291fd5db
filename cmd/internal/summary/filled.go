package summary

import (
	"fmt"
	"math"

	"sml/data"
)

// findFilledRows finds rows that seem to be filled in: a target has one value or a range in them, and in no others, and
// inputs are missing or have a rare value exactly there, such as the weather of hours without rentals. To drop these inputs
// would be the wrong remedy.
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
		rows, ok := targetsWhere(y, func(row int) bool { return c.values[row] == mark })
		if ok && rows.low == rows.high {
			found = append(found, about(c, c.Show(mark)+" "+rows.describe(y)))
		}
	}
	return found
}

// findEmptyRows finds inputs that are missing in all rows with one value of a target, and in no others. Two inputs or more may
// also share the missing rows of a range of the target; a single one may be derived from the target there.
func findEmptyRows(t *inspection, y *Column) (s Suspicion, isFound bool) {
	incomplete := 0      // inputs with missing values
	var first markedRows // of the first of the columns; the others must be missing in the same rows
	for _, c := range t.inputs {
		if c.Missing == 0 {
			continue
		}
		incomplete++
		rows, ok := targetsWhere(y, func(row int) bool { return math.IsNaN(c.values[row]) })
		if s.Columns == nil {
			first = rows
		}
		if ok && rows == first {
			s.Columns = append(s.Columns, c.Name)
		}
	}
	if len(s.Columns) == incomplete { // no other row would be left out
		s.Flags = []Flag{{"missing", "drop"}}
	}
	mayBeDerived := len(s.Columns) == 1 && first.low < first.high
	if s.Columns == nil || mayBeDerived {
		return s, false
	}
	s.Says = "missing " + first.describe(y)
	return s, true
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

// markedRows are some rows of a table, the only ones with a target from low to high.
type markedRows struct {
	count     int
	low, high float64
}

// describe says which rows these are.
func (m markedRows) describe(y *Column) string {
	if m.low < m.high {
		return fmt.Sprintf("exactly in the %d rows with the target %s from %s to %s", m.count, y.Name, y.Show(m.low), y.Show(m.high))
	}
	return fmt.Sprintf("exactly in the %d rows with the target %s = %s", m.count, y.Name, y.Show(m.low))
}

// targetsWhere returns the marked rows with the range of their targets. ok is false if another row has a target in this range,
// or if the rows are too few or too many to be rows that are filled in.
func targetsWhere(y *Column, isMarked func(row int) bool) (m markedRows, ok bool) {
	const (
		minRows     = 10
		maxFraction = 0.1 // of the rows
	)
	m = markedRows{low: math.Inf(1), high: math.Inf(-1)}
	for row, v := range y.values {
		if isMarked(row) {
			m.count++
			m.low = min(m.low, v) // NaN, if a target is unknown
			m.high = max(m.high, v)
		}
	}
	if m.count < minRows || float64(m.count) > maxFraction*float64(len(y.values)) {
		return m, false
	}
	for row, v := range y.values {
		isInRange := v >= m.low && v <= m.high
		if isMarked(row) != isInRange {
			return m, false
		}
	}
	return m, true
}
