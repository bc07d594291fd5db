package read

import (
	"fmt"
	"strconv"

	"sml/data"
)

// RowParser turns the texts of a row into numbers, as a Stream with Options.Fields does.
// Several goroutines may use it at the same time.
type RowParser struct {
	columns []*rawColumn
}

// NewRowParser returns a parser for columns with these names and fields. Without fields (nil)
// every column holds numbers, and none may be missing. decimalComma says that numbers are
// written like 0,5.
func NewRowParser(names []string, fields []data.Field, decimalComma bool) *RowParser {
	p := new(RowParser)
	for i, name := range names {
		c := &rawColumn{label: strconv.Quote(name), name: name, notation: notation{comma: decimalComma}}
		if fields != nil {
			c.setField(&fields[i])
		}
		p.columns = append(p.columns, c)
	}
	return p
}

// Append appends the numbers of a row. The error names the column whose text is wrong.
func (p *RowParser) Append(dst []float64, cells []string) ([]float64, error) {
	for i, c := range p.columns {
		v, err := c.parse(cells[i])
		if err != nil {
			return dst, err
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// parse returns the number of a cell by the column's field, or, without a field, a number that
// must not be missing.
func (c *rawColumn) parse(cell string) (float64, error) {
	if c.field != nil {
		return c.known(cell)
	}
	v, ok, err := c.notation.parse(cell)
	if !ok {
		return 0, fmt.Errorf("column %s: %s", c.label, c.notation.whatIsWrong(cell, err))
	}
	return v, nil
}
