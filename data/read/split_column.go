package read

import (
	"fmt"
	"math"

	"sml/data"
)

// checkBy returns an error, and the column that rows are split by, if the column's value is
// missing. The list has one value, or none if there is no such column.
func (c *columnChoice) checkSplitValue(by []float64) (column int, err error) {
	for _, v := range by {
		if _, isText := decodeText(v); math.IsNaN(v) && !isText {
			return c.splitBy[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", columnLabel(c.names, c.splitBy[0]))
		}
	}
	return -1, nil
}

// byKind declares the column that rows are split by a category if the options say ByAlone:
// only the equality of its values matters then.
func (o Options) declareSplitColumn(c *columnChoice) {
	for _, i := range c.splitBy {
		if o.ByAlone {
			c.declaredKinds[i] = data.Category
		}
	}
}

// refuseTexts reports an error if a column of numbers has texts, which would otherwise count as
// missing.
func (c *rawColumn) checkNoTexts(f data.Field, bad func(line int, says string)) {
	if f.Kind == data.Number && len(c.texts) > 0 {
		bad(c.firstLines[0], fmt.Sprintf("column %s: %s is no number, and %d other values are; every row needs a value, as rows are split by this column", c.label, quoteShort(c.texts[0]), c.numberCount))
	}
}
