package read

import (
	"fmt"
	"math"

	"sml/data"
)

// checkSplitValue returns an error, and the index of the column that rows are split by, if the column's
// value is missing in a row. Otherwise it returns −1. splitValues has the value of the row, or nothing
// if rows are not split by a column.
func (c *columnChoice) checkSplitValue(splitValues []float64) (column int, err error) {
	for _, v := range splitValues {
		_, isText := decodeText(v)
		isMissing := math.IsNaN(v) && !isText // a NaN may also stand for a text
		if isMissing {
			return c.splitBy[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", columnLabel(c.names, c.splitBy[0]))
		}
	}
	return -1, nil
}

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
