package read

import (
	"fmt"
	"math"

	"sml/data"
)

// checkSplitValue returns an error, and the column that rows are split by, if the column's value is
// missing. The slice has the value of a row, or nothing if rows are not split by a column.
func (c *columnChoice) checkSplitValue(value []float64) (column int, err error) {
	for _, v := range value {
		if _, isText := decodeText(v); math.IsNaN(v) && !isText {
			return c.splitBy[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", columnLabel(c.names, c.splitBy[0]))
		}
	}
	return -1, nil
}

// declareSplitColumn declares the column that rows are split by a category if the options say
// ByAlone: only the equality of its values matters then.
func (o Options) declareSplitColumn(c *columnChoice) {
	if !o.ByAlone {
		return
	}
	for _, i := range c.splitBy {
		c.declaredKinds[i] = data.Category
	}
}

// checkNoTexts reports a mistake if the column that rows are split by has numbers and texts, which
// would otherwise count as missing.
func (c *rawColumn) checkNoTexts(f data.Field, report reportFunc) {
	if f.Kind == data.Number && len(c.texts) > 0 {
		report(c.firstLines[0], fmt.Sprintf("column %s: %s is not a number, and %d other values are; every row needs a value, as rows are split by this column", c.label, quoteShort(c.texts[0]), c.numberCount))
	}
}
