package read

import (
	"fmt"
	"strconv"

	"sml/data"
)

// RowParser returns a function that appends the numbers of a row to dst: one for each of cells,
// which has a text for each name. It reads the cells as a Stream with Options.Fields does, and its
// errors name the column; dst then has the numbers before that column. Several goroutines may call
// the function at the same time.
//
// The columns have the given names and fields. If fields is nil, every column holds numbers and
// none may be missing. decimalComma is true if numbers are written like 0,5.
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
		for i, c := range columns { // parseCell only reads the columns, so that goroutines may share them
			v, err := c.parseCell(cells[i])
			if err != nil {
				return dst, err
			}
			dst = append(dst, v)
		}
		return dst, nil
	}
}

// parseCell returns the number that stands for a cell, by the column's known field. Without a
// field, the cell must be a number. It changes nothing in c.
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
