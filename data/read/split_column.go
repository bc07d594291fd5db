package read

import (
	"fmt"
	"math"

	"sml/data"
)

// checkBy returns an error, and the column that rows are split by, if the column's value is
// missing. The list has one value, or none if there is no such column.
func (c *choice) checkBy(by []float64) (column int, err error) {
	for _, v := range by {
		if _, isText := textIn(v); math.IsNaN(v) && !isText {
			return c.by[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", label(c.names, c.by[0]))
		}
	}
	return -1, nil
}

// byKind declares the column that rows are split by a category if the options say ByAlone:
// only the equality of its values matters then.
func (o Options) byKind(c *choice) {
	for _, i := range c.by {
		if o.ByAlone {
			c.asked[i] = data.Category
		}
	}
}

// refuseTexts reports an error if a column of numbers has texts, which would otherwise count as
// missing.
func (c *rawColumn) refuseTexts(f data.Field, bad func(line int, says string)) {
	if f.Kind == data.Number && len(c.texts) > 0 {
		bad(c.lines[0], fmt.Sprintf("column %s: %s is no number, and %d other values are; every row needs a value, as rows are split by this column", c.label, excerpt(c.texts[0]), c.numbers))
	}
}
