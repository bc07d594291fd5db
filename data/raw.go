package data

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxTexts bounds the different texts of one column.
const maxTexts = 1 << 20

// manyNumbers is how many different numbers are no names of levels.
const manyNumbers = 32

// fewTexts is how many different texts in a column of numbers are taken for ways to
// say that there is none; maxAbsent bounds how many are remembered.
const (
	fewTexts  = 3
	maxAbsent = 1000
)

// mostlyNumbers is the share of a column's values from which on those that are no
// numbers are no levels: they say that there is no number, or are mistakes.
const mostlyNumbers = 0.9

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
		return 0, fmt.Errorf("column %s: %s", c.label, notNumber(cell, err))
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

// bare reads a number with what is written around it.
func (f *Field) bare(cell string) (float64, bool) {
	if f.Before == "" && f.After == "" {
		return 0, false
	}
	rest, ok := strings.CutPrefix(cell, f.Before)
	if !ok {
		return 0, false
	}
	if rest, ok = strings.CutSuffix(rest, f.After); !ok {
		return 0, false
	}
	v, ok, _ := parseNumber(strings.TrimSpace(rest))
	return v, ok
}

// unit finds what is written around every text, if they are numbers but for that: a
// currency before them, or anything behind.
func unit(texts []string) (f Field, ok bool) {
	if len(texts) == 0 {
		return f, false
	}
	is := func(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("+-.", r) }
	from, to := strings.IndexFunc(texts[0], is), strings.LastIndexFunc(texts[0], is)
	if from < 0 || from == 0 && to == len(texts[0])-1 {
		return f, false
	}
	f = Field{Kind: Number, Before: texts[0][:from], After: texts[0][to+1:]}
	if strings.ContainsFunc(f.Before, func(r rune) bool { return !unicode.Is(unicode.Sc, r) && !unicode.IsSpace(r) }) { // a code such as n01 is a name
		return f, false
	}
	return f, !slices.ContainsFunc(texts, func(cell string) bool { _, ok := f.bare(cell); return !ok })
}

// notNumber is whatIsWrong of a cell that has to be a number.
func notNumber(cell string, err error) string {
	return strings.TrimSuffix(whatIsWrong(cell, err), "; a text column can be dropped")
}

// find says what the column is, and what stands for each of its texts. It reports
// what is wrong to bad.
func (c *rawColumn) find(bad func(line int, says string)) (f Field, of []float64) {
	if c.field != nil {
		return *c.field, nil
	}
	of = make([]float64, len(c.texts))
	refuse := func(i int, says string) {
		if others := len(c.texts) - 1; others > 0 {
			says += fmt.Sprintf(" (and %d more values like it)", others)
		}
		bad(c.lines[i], fmt.Sprintf("column %s: %s", c.label, says))
	}
	words := c.words()
	odd := slices.IndexFunc(c.texts, func(s string) bool { return writingOf(s) != text })
	layouts := []string{c.layout}
	if c.layout == "" && c.asked != Category && c.asked != Number {
		layouts = layoutsOf(c.texts)
	}
	fit := layoutOf(c.texts)
	mostly := float64(c.numbers) > mostlyNumbers*float64(c.numbers+words) || len(c.distinct) > manyNumbers && len(c.texts) <= fewTexts
	around, amounts := unit(c.texts)
	switch {
	case c.asked == Category:
		return Field{Kind: Category}, nil
	case c.asked != Date && amounts:
		for i, cell := range c.texts {
			of[i], _ = around.bare(cell)
		}
		return around, of
	case c.asked != Number && len(layouts) == 0 && fit != "" && (c.asked == Date || c.numbers == 0):
		i := notDate(fit, c.texts)
		refuse(i, fmt.Sprintf("%s is not a date as %s, as %s is; write all alike, or say that the column is categorical", excerpt(c.texts[i]), letters(fit), excerpt(c.texts[0])))
		return Field{Kind: Date, Layout: fit}, of
	case c.asked == "" && words > 0 && len(layouts) == 0 && odd < 0 && !mostly:
		return Field{Kind: Category}, nil
	case c.asked == Date && c.numbers > 0:
		bad(1, fmt.Sprintf("column %s: %d of its values are plain numbers; say how dates are written in it, such as yyyymmdd", c.label, c.numbers))
	case c.asked != Number && len(layouts) > 0 && c.numbers == 0 && words > 0:
		if len(layouts) > 1 {
			refuse(0, fmt.Sprintf("%s is a date as %s and another as %s; say which", excerpt(c.texts[0]), letters(layouts[0]), letters(layouts[1])))
		}
		for i, cell := range c.texts {
			v, ok := parseDate(layouts[0], cell)
			if !ok {
				refuse(i, fmt.Sprintf("%s is not a date as %s", excerpt(cell), letters(layouts[0])))
				break
			}
			of[i] = v
		}
		return Field{Kind: Date, Layout: layouts[0]}, of
	case c.asked == Date && words > 0:
		refuse(0, fmt.Sprintf("%s is written as no date that is known; say how dates are written, such as dd.mm.yyyy", excerpt(c.texts[0])))
	case odd >= 0 && c.asked != Number:
		_, _, err := parseNumber(c.texts[odd])
		refuse(odd, notNumber(c.texts[odd], err))
	case len(c.texts) > fewTexts && c.asked != Number:
		refuse(0, fmt.Sprintf("%s is not a number, and %d other values are; mend it, say that the column is numeric to take it for missing, or that it is categorical", excerpt(c.texts[0]), c.numbers))
	}
	for i, cell := range c.texts {
		of[i] = math.NaN()
		if writingOf(cell) == foreign && c.asked == Number {
			_, _, err := parseNumber(cell)
			refuse(i, notNumber(cell, err))
			break
		}
	}
	return Field{Kind: Number, Absent: c.texts[:min(len(c.texts), maxAbsent)]}, of
}

// layoutOf is the first layout that the first cell has.
func layoutOf(cells []string) string {
	for _, layout := range dateLayouts {
		if len(cells) > 0 && notDate(layout, cells[:1]) < 0 {
			return layout
		}
	}
	return ""
}

// remark says what texts in a column of numbers are taken for: missing, or numbers
// with something around them. Of levels it says that many are numbers.
func (c *rawColumn) remark(f Field, unit string) string {
	switch {
	case len(c.texts) == 0 || f.Kind == Date || c.asked == Category:
		return ""
	case f.Kind == Category && 2*c.numbers > c.numbers+c.words():
		return fmt.Sprintf("column %s: %d values are numbers and %d are not, such as %s (%s %d): all are names of levels, unless the column is said to be numeric",
			c.label, c.numbers, c.words(), excerpt(c.texts[0]), unit, c.lines[0])
	case f.Kind == Category:
		return ""
	case f.Before+f.After != "":
		v, _ := f.bare(c.texts[0])
		return fmt.Sprintf("column %s: %s is read as %v", c.label, excerpt(c.texts[0]), v)
	}
	says := fmt.Sprintf("column %s: %s (%s %d)", c.label, excerpt(c.texts[0]), unit, c.lines[0])
	if others := len(c.texts) - 1; others > 0 {
		says += fmt.Sprintf(" and %d other texts", others)
	}
	return says + fmt.Sprintf(" in %d rows are no numbers and count as missing", c.words())
}

// words is the number of cells that are texts.
func (c *rawColumn) words() int {
	words := 0
	for _, n := range c.cells {
		words += n
	}
	return words
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

// kinds finds the columns whose kind the user says.
func (o Options) kinds(index columnIndex, header bool, c *choice) error {
	c.asked, c.dates = make(map[int]Kind), make(map[int]string)
	for _, of := range []struct {
		refs []string
		kind Kind
	}{{o.Categorical, Category}, {o.Numeric, Number}, {o.Dates, Date}} {
		for _, ref := range of.refs {
			i, err := index.find(ref, header)
			layout := ""
			if err != nil && of.kind == Date {
				if at := lastEquals(ref); at > 0 {
					layout = DateLayout(ref[at+1:])
					i, err = index.find(ref[:at], header)
				}
			}
			if err != nil {
				return err
			}
			if was := c.asked[i]; was != "" && was != of.kind {
				return fmt.Errorf("column %s is said to be %s and %s; say one of them", label(c.names, i), of.kind, was)
			}
			if c.roles[i] != "" && !slices.Contains(c.by, i) {
				return fmt.Errorf("column %s is %s, and only an input can be said to be a %s", label(c.names, i), c.roles[i], of.kind)
			}
			c.asked[i], c.dates[i] = of.kind, layout
		}
	}
	return nil
}

func lastEquals(ref string) int {
	for i := len(ref) - 1; i >= 0; i-- {
		if ref[i] == '=' {
			return i
		}
	}
	return -1
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
