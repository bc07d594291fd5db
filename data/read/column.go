package read

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"sml/data"
)

const (
	maxTexts     = 1 << 22   // maximum number of different texts in one column, and of texts of numbers; each takes about 100 bytes of memory
	maxTextBytes = 512 << 20 // maximum number of bytes of the different texts of all columns together
)

// rule says which cells a column may have.
type rule int

const (
	mustBeNumber  rule = iota
	mayBeAnything      // the kind of the column is decided when all rows are read (kindRules)
	mustBeLabel        // a class; its labels are all texts of the column
	mustFitField       // a value of the field of the training table
)

// column turns the cells of a column of the file into values. A text whose meaning is not known before all rows are read
// has a NaN with its code in the dictionary as its value (encodeText). Only addText and value change a column, so that
// goroutines may use all other methods at the same time.
type column struct {
	index    int    // in the file, from 0
	group    int    // index in Table.Groups
	label    string // name in messages
	rule     rule
	declared declaration
	notation notation

	missing declaredMissing

	// keepsNumberTexts is true if numbers are put into the dictionary too: a category is the text in the file, so that
	// 1.1 and 1.10 are two categories. It is set for declared categories and for columns with a text in the sample.
	keepsNumberTexts bool

	field      *data.Field    // rule mustFitField
	categories categoryFinder // of the categories of field
	unit       unit           // unit of the numbers of the field or the target
	layout     string         // of the dates of the file: the field's, unless the first rows prove another (setDateLayout)
	isPercent  bool           // numbers may be written as percentages, as workbooks show them
	fractions  bool           // some cells are fractions that the file stores, and shows as percentages

	dictionary
	numberTexts          int       // number of texts of numbers in the dictionary
	textBytes            *int      // bytes of the texts of all columns, which share this counter
	valuesBeforeMistakes []float64 // values in rows of a raw table with a mistake in a later column
}

// dictionary numbers different texts in the order in which they are added.
type dictionary struct {
	codes      map[string]int
	texts      []string
	firstLines []int // line of the first cell with each text
}

// add returns the code of a text that the dictionary may lack.
func (d *dictionary) add(text string, line int) (code int) {
	code, ok := d.codes[text]
	if ok {
		return code
	}
	if d.codes == nil {
		d.codes = make(map[string]int)
	}
	code = len(d.texts)
	d.codes[text] = code
	d.texts = append(d.texts, text)
	d.firstLines = append(d.firstLines, line)
	return code
}

// removeLast removes the text that was added last.
func (d *dictionary) removeLast() {
	last := len(d.texts) - 1
	delete(d.codes, d.texts[last])
	d.texts = d.texts[:last]
	d.firstLines = d.firstLines[:last]
}

// The NaN that stands for a text has the upper 16 bits of quietNaN. Its lower 48 bits, which a NaN is free to use, hold
// the text's code plus codeOffset.
const (
	quietNaN   = 0x7ff8 << 48
	codeMask   = 1<<48 - 1
	codeOffset = 2 // the lower bits of math.NaN, which stands for a missing value, are 1
)

// encodeText returns the NaN that stands for the text with the given code.
func encodeText(code int) float64 { return math.Float64frombits(quietNaN | uint64(code+codeOffset)) }

// decodeText returns the code that encodeText was given. isText is false for numbers and for math.NaN.
func decodeText(v float64) (code int, isText bool) {
	lowerBits := math.Float64bits(v) & codeMask
	return int(lowerBits) - codeOffset, v != v && lowerBits >= codeOffset // only a NaN differs from itself
}

// isMissing reports whether v is a missing value: a NaN may also stand for a text.
func isMissing(v float64) bool {
	_, isText := decodeText(v)
	return math.IsNaN(v) && !isText
}

// newColumns returns the columns of a row of values.
func (o Options) newColumns(s *schema) (columns []*column) {
	textBytes := new(int)
	for group, indices := range s.groups {
		for k, i := range indices {
			c := &column{index: i, group: group, label: columnLabel(s.names, i), declared: s.declared[i], textBytes: textBytes}
			c.setRule(o, k)
			c.setMissing(slices.Concat(c.missing.texts, s.missingValues[i]))
			c.keepsNumberTexts = c.rule == mustBeLabel || c.declared.kind == data.Category || slices.Contains(o.numberTextColumns, i)
			columns = append(columns, c)
		}
	}
	return columns
}

// setRule sets the rule of column k of its group.
func (c *column) setRule(o Options, k int) {
	var training notation
	if o.Layout != nil {
		training = notationOf(*o.Layout)
	}
	switch {
	case c.group == inputGroup && o.Fields != nil:
		c.setField(&o.Fields[k], training)
	case c.group == inputGroup && o.findsKinds():
		c.rule = mayBeAnything
	case c.group == targetGroup && o.TargetFields != nil:
		c.setField(&o.TargetFields[k], training)
	case c.group == targetGroup && o.Classes:
		c.rule = mustBeLabel
	case c.group == splitGroup:
		c.rule = mayBeAnything
	}
}

// setField sets the field of the training table, whose numbers have the given notation.
func (c *column) setField(f *data.Field, training notation) {
	c.rule = mustFitField
	c.field = f
	c.unit = unitOf(f)
	c.layout = f.Layout
	c.categories = newCategoryFinder(f.Categories, training)
	c.setMissing(f.MissingTexts)
}

// setMissing sets the values that stand for missing ones.
func (c *column) setMissing(texts []string) {
	c.missing = newDeclaredMissing(texts)
	if c.field == nil {
		return
	}
	isInOtherUnit := func(m missingNumber) bool { return m.unit != unit{} && m.unit != c.unit }
	c.missing.numbers = slices.DeleteFunc(c.missing.numbers, isInOtherUnit) // an odd cell of the training table, such as 5 % among plain numbers
}

// maxMissingTargets returns the number of targets that a row may lack without being left out: all if the stream keeps
// unlabelled rows, otherwise all but one, and none of several targets of classes, since rows are divided by their classes.
func (s *Stream) maxMissingTargets() int {
	targets := 0
	for _, c := range s.columns {
		switch {
		case c.group != targetGroup: // no target
		case c.rule == mustBeNumber:
			targets++
		default:
			return 0
		}
	}
	if s.keepsUnlabelled {
		return targets
	}
	return max(0, targets-1)
}

// readsNumbersAsText reports whether a plain number among the cells may mean something else: a category, a date, a
// percentage, a missing value, or a number in another notation.
func (c *column) readsNumbersAsText() bool {
	hasOtherNumbers := len(c.missing.numbers) > 0 || c.unit.isPercent() || !c.notation.isPlain()
	switch c.rule {
	case mustFitField:
		return hasOtherNumbers || c.field.Kind != data.Number
	case mayBeAnything, mustBeLabel:
		return hasOtherNumbers || c.keepsNumberTexts || c.declared.layout != "" // a layout such as yyyymmdd looks like a number
	}
	return hasOtherNumbers
}

// isMissingCell reports whether a cell has one of the usual texts for a missing value, or a value that stands for one in
// this column.
func (c *column) isMissingCell(cell string) bool {
	return c.missing.has(cell, c.notation) || isMissingText(cell)
}

// errUnlabelled is returned for a row without a target, which is left out of the table.
var errUnlabelled = errors.New("the row has no target")

// errNewText is returned by knownValue for a text that the dictionary lacks.
var errNewText = errors.New("a new text")

// cell is a cell without blanks around it.
type cell struct {
	text     string
	isStored bool // the file stores the cell as a number, without its unit
}

// knownValue returns the value of a cell, unless it is a text that the dictionary lacks. It returns an error for a cell that
// the column's rule does not allow.
func (c *column) knownValue(cell cell) (float64, error) {
	switch c.rule {
	case mustBeNumber:
		return c.parseRequired(cell)
	case mustFitField:
		return c.fitField(cell)
	}
	text := cell.text
	if code, ok := c.codes[text]; ok {
		return encodeText(code), nil
	}
	v, isNumber, _ := c.notation.parseNumber(text)
	isMissing := c.missing.has(text, c.notation) || !isNumber && isMissingText(text)
	isPlain := isNumber && !c.keepsNumberTexts && c.declared.layout == ""
	isName := c.declared.kind != data.Number && isInexactWhole(text, v)
	switch {
	case isMissing && c.rule == mustBeLabel:
		return 0, errUnlabelled
	case isMissing:
		return math.NaN(), nil
	case isPlain && !isName:
		return v, nil
	}
	return 0, errNewText
}

// mustHoldNumbers reports whether all cells of the column are numbers or missing.
func (c *column) mustHoldNumbers() bool {
	return c.rule == mustBeNumber || c.rule == mustFitField && c.field.Kind == data.Number
}

// parseRequired returns the number in a cell of a column that must hold numbers.
func (c *column) parseRequired(cell cell) (float64, error) {
	text := cell.text
	v, isNumber, err := c.notation.parseNumber(text)
	if isNumber && c.lacksUnit(cell, v) {
		return 0, c.explainNoUnit(text, v)
	}
	if !isNumber {
		v, isNumber = c.parseOtherNumber(text)
	}
	switch {
	case !isNumber:
		return 0, fmt.Errorf("column %s: %s", c.label, c.notation.explainNonNumber(text, err))
	case c.missing.has(text, c.notation):
		return 0, fmt.Errorf("column %s: %s", c.label, explainMissing(text))
	case c.group == weightGroup && v < 0:
		return 0, errNegativeWeight{fmt.Errorf("column %s: the weight is %v; want 0 or more", c.label, v)}
	}
	return v, nil
}

// parseOtherNumber parses a number with the unit of the column, a negative number such as (5), a number in another notation than
// the file's, a percentage if the column may have it, or a truth value in a column of 0 and 1.
func (c *column) parseOtherNumber(text string) (v float64, ok bool) {
	v, ok = c.notation.parseUnit(c.unit, text)
	if !ok && c.unit == (unit{}) {
		v, ok = c.notation.parseNegative(text)
	}
	if !ok && c.rule == mustFitField {
		v, ok = c.notation.parseUnusual(text)
	}
	if !ok && c.isPercent {
		v, ok = c.notation.parsePercentage(text)
	}
	if !ok && c.hasBits() {
		isTrue, isTruth := truthValue(text)
		if isTrue {
			v = 1
		}
		return v, isTruth
	}
	return v, ok
}

// hasBits reports whether the training table has the numbers 0 and 1 alone in the column.
func (c *column) hasBits() bool { return c.field != nil && c.field.Bits }

// lacksUnit reports whether it is unclear which number a plain number v means in a column with percent signs or magnitudes: 5
// could mean 5 % or 5. It is clear for 0, and for fractions that a file stores.
func (c *column) lacksUnit(cell cell, v float64) bool {
	hasFractions := cell.isStored || c.field != nil && c.field.Fractions
	return v != 0 && c.unit.isPercent() && !hasFractions
}

// explainNoUnit returns the error for a plain number v in a column with percent signs or magnitudes.
func (c *column) explainNoUnit(text string, v float64) error {
	if c.unit.isPercent() {
		return fmt.Errorf("column %s: %s has no percent sign, and the values of the training table have one; write %s if it is a fraction", c.label, quoteShort(text), formatPercentage(v))
	}
	return fmt.Errorf("column %s: %s has no %s, and the values of the training table have one; write it in full", c.label, quoteShort(text), c.unit)
}

// errNegativeWeight is the error for a negative weight, which concerns the whole row.
type errNegativeWeight struct{ error }

// value returns the value of a cell in the given line, and adds a new text to the dictionary.
func (c *column) value(cell cell, line int) (float64, error) {
	v, err := c.knownValue(cell)
	if err != errNewText {
		return v, err
	}
	return c.addText(cell.text, line)
}

// addText adds a text to the dictionary and returns the NaN that stands for it. If there are too many texts, it returns
// an error, or a number itself: the table is then refused only if the column turns out to be a category.
func (c *column) addText(text string, line int) (float64, error) {
	if code, ok := c.codes[text]; ok {
		return encodeText(code), nil
	}
	v, isNumber, _ := c.notation.parseNumber(text)
	texts := len(c.texts) - c.numberTexts
	if isNumber {
		texts = c.numberTexts
	}
	isFull := texts == maxTexts || *c.textBytes+len(text) > maxTextBytes
	mayBeNumber := isNumber && c.keepsNumberTexts && c.rule == mayBeAnything && c.declared.kind != data.Category
	switch {
	case isFull && mayBeNumber:
		return v, nil
	case isFull:
		return 0, newSentinelError(errTooManyTexts, fmt.Sprintf("column %s: more than %d different texts, or more than %d MiB of them in all columns; leave the column out", c.label, maxTexts, maxTextBytes>>20))
	case isNumber:
		c.numberTexts++
	}
	*c.textBytes += len(text)
	return encodeText(c.add(text, line)), nil
}

// errTooManyTexts is wrapped by the error for a text above maxTexts or maxTextBytes. It ends the reading.
var errTooManyTexts = errors.New("too many texts")

// fitField returns the value of a cell by the field of the training table: a number, a date as a number, the code of a
// category, data.UnseenCategory for an unknown category, or NaN for a missing value.
func (c *column) fitField(cell cell) (float64, error) {
	text := cell.text
	if c.group == targetGroup {
		return c.fitLabel(text)
	}
	if c.isMissingCell(text) {
		return math.NaN(), nil
	}
	switch c.field.Kind {
	case data.Category:
		if i, ok := c.categories.find(text, c.notation); ok {
			return float64(i), nil
		}
		return data.UnseenCategory, nil
	case data.Date:
		if v, ok := parseOtherDate(c.layout, text); ok {
			return v, nil
		}
		return 0, fmt.Errorf("column %s: %s", c.label, explainNoDate(c.layout, text))
	}
	return c.parseRequired(cell)
}

// errUnknownClass is in the error of fitLabel for a class that the training table lacks. A row of weight 0, which is left
// out after the split, may have one: its class is then 0.
var errUnknownClass = errors.New("none of the classes of the training table")

// fitLabel returns the number of a class by its label. It returns errUnlabelled for a missing value.
func (c *column) fitLabel(cell string) (float64, error) {
	const maxListed = 10
	i, isKnown := c.categories.find(cell, c.notation)
	switch {
	case c.isMissingCell(cell):
		return 0, errUnlabelled
	case !isKnown:
		labels := c.field.Categories[:min(len(c.field.Categories), maxListed)]
		return 0, fmt.Errorf("column %s: %s is %w: %s", c.label, quoteShort(cell), errUnknownClass, strings.Join(labels, ", "))
	}
	return float64(i), nil
}
