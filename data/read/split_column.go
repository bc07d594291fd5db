package read

import (
	"fmt"
	"math"
	"slices"

	"sml/data"
)

// checkSplitValue returns an error, and the index of the column that rows are split by, if the column's
// value is missing in a row. Otherwise it returns −1. splitValues has the value of the row, or nothing
// if rows are not split by a column. A row of a raw table without any input needs no value, since it is left
// out (data.Table.WithoutBlanks).
func (s *Stream) checkSplitValue(inputs, splitValues []float64) (column int, err error) {
	isBlank := s.rawInputs != nil && !slices.ContainsFunc(inputs, hasValue)
	if isBlank || !slices.ContainsFunc(splitValues, isMissing) {
		return -1, nil
	}
	c := &s.columns
	return c.splitBy[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", columnLabel(c.names, c.splitBy[0]))
}

// isMissing reports whether v is a missing value: a NaN may also stand for a text.
func isMissing(v float64) bool {
	_, isText := decodeText(v)
	return math.IsNaN(v) && !isText
}

// hasValue reports whether v is a number or stands for a text.
func hasValue(v float64) bool { return !isMissing(v) }

// declareSplitColumn declares the column that rows are split by, if there is one, a category if
// o.SplitColumnIsNoInput is true: only the equality of its values matters then, so that 1 and 1.0 are different.
func (o Options) declareSplitColumn(c *columnChoice) {
	if !o.SplitColumnIsNoInput {
		return
	}
	for _, i := range c.splitBy {
		c.declaredKinds[i] = data.Category
	}
}

// checkNoTexts reports a mistake if c, the column that rows are split by, has the field f of numbers but
// also has texts: they would count as missing values, which a split cannot use.
func (c *rawColumn) checkNoTexts(f data.Field, report reportFunc) {
	if f.Kind == data.Number && len(c.texts) > 0 {
		report(c.firstLines[0], fmt.Sprintf("column %s: %s is not a number, and %d other values are; every row needs a value, as rows are split by this column", c.label, quoteShort(c.texts[0]), c.numberCount))
	}
}
