package read

import (
	"fmt"
	"strconv"

	"sml/data"
)

// RowParser returns a function that appends the numbers of a row to dst. It reads the cells as
// a Stream with Options.Fields does, and its errors name the column. The columns have the given
// names and fields; if fields is nil, every column holds numbers and none may be missing.
// decimalComma says that numbers are written like 0,5. Several goroutines may call the function
// at the same time.
func RowParser(names []string, fields []data.Field, decimalComma bool) func(dst []float64, cells []string) ([]float64, error) {
	var columns []*rawColumn
	for i, name := range names {
		c := &rawColumn{label: strconv.Quote(name), notation: notation{decimalComma: decimalComma}}
		if fields != nil {
			c.setField(&fields[i])
		}
		columns = append(columns, c)
	}
	return func(dst []float64, cells []string) ([]float64, error) {
		for i, c := range columns {
			v, err := c.parseCell(cells[i])
			if err != nil {
				return dst, err
			}
			dst = append(dst, v)
		}
		return dst, nil
	}
}

// parseCell returns the number of a cell by the column's field, or, without a field, a number that
// must not be missing.
func (c *rawColumn) parseCell(cell string) (float64, error) {
	if c.field != nil {
		return c.knownValue(cell)
	}
	v, ok, err := c.notation.parseNumber(cell)
	if !ok {
		return 0, fmt.Errorf("column %s: %s", c.label, c.notation.explainNonNumber(cell, err))
	}
	return v, nil
}
