package read

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// maxTexts is the largest number of different texts in one column. Each takes about 100
// bytes.
const maxTexts = 1 << 22

// maxTextBytes is the largest size of the different texts of all columns together.
const maxTextBytes = 512 << 20

// rawColumn reads a column whose cells may be anything. As long as its field is not known,
// the value of a text is a NaN that holds the text's index (textCell), until settle.
type rawColumn struct {
	label    string    // name in messages
	declared data.Kind // declared kind; "" if none is declared
	layout   string    // date layout that the user declared

	// literal reports whether the texts of numbers are kept: a category is the text in the
	// file, and 1.1 and 1.10 are two of them. It is set for declared categories and for
	// columns with a text among their first rows.
	keepsNumberTexts bool

	isClass bool // whether the column is a target whose texts are the labels of classes

	notation notation // of the file's numbers

	field      *data.Field // nil if it is to be found; see setField
	codes      map[string]int
	texts      []string // different cells other than numbers and missing values
	firstLines []int    // line of the first cell with each text
	textCounts []int    // number of cells with each text

	numberCodes map[string]int
	numberTexts []string // numbers as they are written, of a literal column

	textBytes *int // size of the texts of all columns

	numberCount, missingCount int
	keptNumbers               int              // numbers whose text is kept
	distinctNumbers           map[float64]bool // numbers, at most manyNumbers + 1 of them
}

// textCell returns the NaN that stands for text i.
func encodeText(i int) float64 { return math.Float64frombits(0x7ff8<<48 | uint64(i+2)) } // math.NaN is 1

// textIn returns the index that textCell was given.
func decodeText(v float64) (i int, ok bool) {
	bits := math.Float64bits(v)
	return int(bits&(1<<48-1)) - 2, v != v && bits&(1<<48-1) > 1
}

// numberText marks the index of a text in numberTexts.
const numberTextFlag = 1 << 30

// setField sets the known field of the column.
func (c *rawColumn) setField(f *data.Field) {
	c.field = f
	if f.Kind != data.Category {
		return
	}
	c.codes = make(map[string]int, len(f.Levels))
	for i, l := range f.Levels {
		c.codes[l] = i
	}
}

// value returns the value of a cell.
func (c *rawColumn) value(cell string, line int) (float64, error) {
	if c.field != nil {
		return c.knownValue(cell)
	}
	v, ok, _ := c.notation.parseNumber(cell)
	switch {
	case ok && c.keepsNumberTexts:
		c.countNumber(v)
		return c.numberWithText(cell, v)
	case ok && !(c.declared == data.Date && c.layout != ""):
		c.countNumber(v)
		return v, nil
	case isMissingText(cell) && c.isClass:
		return 0, errUnlabelled
	case isMissingText(cell):
		c.missingCount++
		return math.NaN(), nil
	}
	i, seen := c.codes[cell]
	if !seen {
		if i = len(c.texts); i == maxTexts || *c.textBytes+len(cell) > maxTextBytes {
			return 0, c.tooManyTextsError()
		}
		*c.textBytes += len(cell)
		if c.codes == nil {
			c.codes = make(map[string]int)
		}
		c.codes[cell] = i
		c.texts, c.firstLines, c.textCounts = append(c.texts, cell), append(c.firstLines, line), append(c.textCounts, 0)
	}
	c.textCounts[i]++
	return encodeText(i), nil
}

// literalNumber returns the value of a number whose text is kept. Where there are too many
// texts, the number alone is kept, unless the column is declared a category.
func (c *rawColumn) numberWithText(cell string, v float64) (float64, error) {
	i, seen := c.numberCodes[cell]
	if !seen {
		i = len(c.numberTexts)
		switch {
		case i < maxTexts && *c.textBytes+len(cell) <= maxTextBytes:
			*c.textBytes += len(cell)
		case c.declared == data.Category:
			return 0, c.tooManyTextsError()
		default:
			return v, nil
		}
		if c.numberCodes == nil {
			c.numberCodes = make(map[string]int)
		}
		c.numberCodes[cell] = i
		c.numberTexts = append(c.numberTexts, cell)
	}
	c.keptNumbers++
	return encodeText(i | numberTextFlag), nil
}

// errTooManyTexts is wrapped by the error of a text that there is no room for. It ends the
// reading, as any other text would be too many as well.
var errTooManyTexts = errors.New("too many texts")

// tooManyTextsError returns the error for a column whose texts are too many.
func (c *rawColumn) tooManyTextsError() error {
	return newSentinelError(errTooManyTexts, fmt.Sprintf("column %s: more than %d different texts, or more than %d MiB of them in all columns; leave the column out", c.label, maxTexts, maxTextBytes>>20))
}

// knownValue is method value for a column whose field is known.
func (c *rawColumn) knownValue(cell string) (float64, error) {
	if c.isClass {
		return c.knownClass(cell)
	}
	if isMissingText(cell) || slices.Contains(c.field.Absent, cell) {
		return math.NaN(), nil
	}
	switch c.field.Kind {
	case data.Category:
		i, ok := c.codes[cell]
		if !ok {
			return data.Unseen, nil
		}
		return float64(i), nil
	case data.Date:
		if v, ok := parseDate(c.field.Layout, cell); ok {
			return v, nil
		}
		return 0, fmt.Errorf("column %s: %s is not a date as those of the training table are, written as %s", c.label, quoteShort(cell), formatLayoutLetters(c.field.Layout))
	}
	if v, ok := parseUnit(c.field, cell, c.notation); ok {
		return v, nil
	}
	v, ok, err := c.notation.parseNumber(cell)
	switch {
	case !ok:
		return 0, fmt.Errorf("column %s: %s", c.label, c.notation.explainNonNumber(cell, err))
	case c.field.Percent():
		return 0, fmt.Errorf("column %s: %s has no percent sign, and the values of the training table have one; write %s if it is a fraction", c.label, quoteShort(cell), formatPercentage(v))
	}
	return v, nil
}

// knownClass returns the number of a class by its label.
func (c *rawColumn) knownClass(cell string) (float64, error) {
	i, ok := c.codes[cell]
	switch {
	case isMissingText(cell):
		return 0, errUnlabelled
	case !ok:
		return 0, fmt.Errorf("column %s: %s is none of the classes of the training table: %s", c.label, quoteShort(cell), strings.Join(c.field.Levels[:min(len(c.field.Levels), maxListedClasses)], ", "))
	}
	return float64(i), nil
}

// maxListedClasses is the number of classes that an error lists.
const maxListedClasses = 10

// countNumber counts a number.
func (c *rawColumn) countNumber(v float64) {
	c.numberCount++
	if len(c.distinctNumbers) > maxCategoryNumbers {
		return
	}
	if c.distinctNumbers == nil {
		c.distinctNumbers = make(map[float64]bool)
	}
	c.distinctNumbers[v] = true
}

// settle finds the field of column j of the values and replaces the NaNs that stand for
// texts.
func (c *rawColumn) resolve(values []float64, j, columns int, bad func(line int, says string)) data.Field {
	f, meaning := c.inferField(bad)
	switch {
	case c.field != nil:
	case f.Kind == data.Category:
		f.Levels = c.resolveLevels(values, j, columns)
	case len(c.texts)+len(c.numberTexts) > 0:
		for i := j; i < len(values); i += columns {
			t, isText := decodeText(values[i])
			switch {
			case !isText:
			case t&numberTextFlag != 0:
				values[i], _, _ = c.notation.parseNumber(c.numberTexts[t&^numberTextFlag])
			default:
				values[i] = meaning[t]
			}
		}
	}
	return f
}

// settleLevels replaces the values of a category by the places of their levels, and
// returns the levels that occur.
func (c *rawColumn) resolveLevels(values []float64, j, columns int) (levels []string) {
	places := make(map[string]int)
	for i := j; i < len(values); i += columns {
		if l, ok := c.levelText(values[i]); ok {
			places[l] = 0
		}
	}
	for l := range places {
		levels = append(levels, l)
	}
	slices.SortFunc(levels, compareLevels)
	for i, l := range levels {
		places[l] = i
	}
	for i := j; i < len(values); i += columns {
		if l, ok := c.levelText(values[i]); ok {
			values[i] = float64(places[l])
		}
	}
	return levels
}

// level returns the text that a value stands for; ok is false if it stands for none.
func (c *rawColumn) levelText(v float64) (level string, ok bool) {
	t, isText := decodeText(v)
	switch {
	case !isText:
		return "", false
	case t&numberTextFlag != 0:
		return c.numberTexts[t&^numberTextFlag], true
	}
	return c.texts[t], true
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

// rawColumns returns columns that may hold texts. The fields are nil if they are to be found.
func (o Options) newRawColumns(c *columnChoice, columns []int, fields []data.Field) []*rawColumn {
	var list []*rawColumn
	textBytes := new(int)
	for k, i := range columns {
		raw := &rawColumn{label: columnLabel(c.names, i), declared: c.declaredKinds[i], layout: c.declaredLayouts[i], textBytes: textBytes}
		raw.keepsNumberTexts = raw.declared == data.Category || slices.Contains(o.numberTextColumns, i)
		if fields != nil {
			raw.setField(&fields[k])
		}
		list = append(list, raw)
	}
	return list
}

// classColumns returns the target columns of classes.
func (o Options) newClassColumns(c *columnChoice) []*rawColumn {
	if len(c.targets) == 0 {
		return nil
	}
	list := o.newRawColumns(c, c.targets, o.TargetFields)
	for _, raw := range list {
		raw.declared, raw.keepsNumberTexts, raw.isClass = data.Category, true, true
	}
	return list
}

// plainClasses reports whether all labels are the numbers of their classes, 0, 1, ….
func areClassNumbers(fields []data.Field) bool {
	for _, f := range fields {
		for i, label := range f.Levels {
			if label != strconv.Itoa(i) {
				return false
			}
		}
	}
	return true
}

// fillNames replaces empty names by the places of their columns, such as "column 3".
func nameUnnamed(names []string) []string {
	for i, name := range names {
		if name == "" {
			names[i] = "column " + strconv.Itoa(i+1)
		}
	}
	return names
}
