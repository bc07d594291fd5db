package read

import (
	"fmt"
	"math"

	"sml/data"
)

// checkBy is an error for a missing value, one or none, of the column that rows are
// split by, with that column.
func (c *choice) checkBy(by []float64) (column int, err error) {
	for _, v := range by {
		if _, isText := textIn(v); math.IsNaN(v) && !isText {
			return c.by[0], fmt.Errorf("column %s: the value is missing; every row needs one, as rows are split by this column", label(c.names, c.by[0]))
		}
	}
	return -1, nil
}

// byKind makes a category of a column that is looked at for nothing but which values
// are the same.
func (o Options) byKind(c *choice) {
	for _, i := range c.by {
		if o.ByAlone {
			c.asked[i] = data.Category
		}
	}
}

// needAll reports texts in a column of numbers, which would be taken for missing.
func (c *rawColumn) needAll(f data.Field, bad func(line int, says string)) {
	if f.Kind == data.Number && len(c.texts) > 0 {
		bad(c.lines[0], fmt.Sprintf("column %s: %s is no number, and %d other values are; every row needs a value, as rows are split by this column", c.label, excerpt(c.texts[0]), c.numbers))
	}
}
