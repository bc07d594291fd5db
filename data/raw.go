package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// maxTexts bounds the different texts of one column.
const maxTexts = 1 << 20

// rawColumn is a column of any kind while it is read. Of one whose field is not
// known, texts are kept as NaNs with their place in texts, until all have been seen.
type rawColumn struct {
	label  string // as messages have it
	name   string
	asked  Kind   // what its user says that it is; "": it is found out
	layout string // that its user gives

	field *Field // known
	codes map[string]int
	texts []string
	lines []int // where each of them stands first
	cells []int // that have it

	numbers, absent int
	distinct        map[float64]bool // numbers, up to manyNumbers and one
}

func textCell(i int) float64 { return math.Float64frombits(0x7ff8<<48 | uint64(i+2)) } // math.NaN is 1

func textIn(v float64) (i int, ok bool) {
	bits := math.Float64bits(v)
	return int(bits&(1<<48-1)) - 2, v != v && bits&(1<<48-1) > 1
}

// value is the number that stands for a cell.
func (c *rawColumn) value(cell string, line int) (float64, error) {
	if c.field != nil {
		return c.known(cell)
	}
	v, ok, _ := parseNumber(cell)
	switch {
	case ok && c.asked != Category && !(c.asked == Date && c.layout != ""):
		c.saw(v)
		return v, nil
	case isMissing(cell):
		c.absent++
		return math.NaN(), nil
	}
	if c.asked == Category {
		cell = level(cell)
	}
	i, seen := c.codes[cell]
	if !seen {
		if i = len(c.texts); i == maxTexts {
			return 0, fmt.Errorf("column %s: more than %d different texts; leave the column out", c.label, maxTexts)
		}
		if c.codes == nil {
			c.codes = make(map[string]int)
		}
		c.codes[cell] = i
		c.texts, c.lines, c.cells = append(c.texts, cell), append(c.lines, line), append(c.cells, 0)
	}
	c.cells[i]++
	return textCell(i), nil
}

// known is value of a column whose field is known.
func (c *rawColumn) known(cell string) (float64, error) {
	if isMissing(cell) || slices.Contains(c.field.Absent, cell) {
		return math.NaN(), nil
	}
	switch c.field.Kind {
	case Category:
		if c.codes == nil {
			c.codes = make(map[string]int, len(c.field.Levels))
			for i, l := range c.field.Levels {
				c.codes[l] = i + 1
			}
		}
		return float64(c.codes[level(cell)] - 1), nil // Unseen
	case Date:
		if v, ok := parseDate(c.field.Layout, cell); ok {
			return v, nil
		}
		return 0, fmt.Errorf("column %s: %s is not a date as those of the training table are, written as %s", c.label, excerpt(cell), letters(c.field.Layout))
	}
	if v, ok := c.field.bare(cell); ok {
		return v, nil
	}
	v, ok, err := parseNumber(cell)
	if !ok {
		return 0, fmt.Errorf("column %s: %s", c.label, whatIsWrong(cell, err))
	}
	return v, nil
}

// saw counts a number.
func (c *rawColumn) saw(v float64) {
	c.numbers++
	if len(c.distinct) > manyNumbers {
		return
	}
	if c.distinct == nil {
		c.distinct = make(map[float64]bool)
	}
	c.distinct[v] = true
}

// settle replaces what stood for texts in column j of values by what they are.
func (c *rawColumn) settle(values []float64, j, columns int, bad func(line int, says string)) Field {
	f, of := c.find(bad)
	if c.field != nil || len(c.texts) == 0 && f.Kind != Category {
		return f
	}
	if f.Kind != Category {
		for i := j; i < len(values); i += columns {
			if t, ok := textIn(values[i]); ok {
				values[i] = of[t]
			}
		}
		return f
	}
	name := func(v float64) (string, bool) {
		if t, ok := textIn(v); ok {
			return c.texts[t], true
		}
		return number64(v), v == v
	}
	places := make(map[string]int)
	for i := j; i < len(values); i += columns {
		if l, ok := name(values[i]); ok {
			places[l] = 0
		}
	}
	for l := range places {
		f.Levels = append(f.Levels, l)
	}
	slices.SortFunc(f.Levels, compareLevels)
	for i, l := range f.Levels {
		places[l] = i
	}
	for i := j; i < len(values); i += columns {
		if l, ok := name(values[i]); ok {
			values[i] = float64(places[l])
		}
	}
	return f
}

// compareLevels orders texts by their bytes, and numbers before them by their values.
func compareLevels(a, b string) int {
	x, xIs, _ := parseNumber(a)
	y, yIs, _ := parseNumber(b)
	switch {
	case xIs && yIs && x != y:
		return int(math.Copysign(1, x-y))
	case xIs != yIs && xIs:
		return -1
	case xIs != yIs:
		return 1
	case a < b:
		return -1
	}
	return 1
}

// rawColumns are the columns of a choice that are read as they come.
func (o Options) rawColumns(c *choice, columns []int, fields []Field) []*rawColumn {
	var list []*rawColumn
	for k, i := range columns {
		raw := &rawColumn{label: label(c.names, i), name: c.names[i], asked: c.asked[i], layout: c.dates[i]}
		if fields != nil {
			raw.field = &fields[k]
		}
		list = append(list, raw)
	}
	return list
}

// unnamed gives columns without a name one that says their place.
func unnamed(names []string) []string {
	for i, name := range names {
		if name == "" {
			names[i] = "column " + strconv.Itoa(i+1)
		}
	}
	return names
}
