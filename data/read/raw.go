package read

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sml/data"
)

// maxTexts is the maximum number of different texts in one column. Each takes about 100 bytes of
// memory.
const maxTexts = 1 << 22

// maxTextBytes is the maximum number of bytes of the different texts of all columns together.
const maxTextBytes = 512 << 20

// rawColumn reads a column whose cells may be anything. While the rows are read, the kind of the
// column may not be known yet. Each different text then gets a code, and the value of its cells is a
// NaN that holds the code (encodeText). When all rows are read, resolve finds the field of the
// column and replaces these NaNs.
type rawColumn struct {
	label    string    // name in messages
	declared data.Kind // kind that the user declared; "" if none
	layout   string    // date layout that the user declared; "" if none
	isClass  bool      // the column is a target whose texts are the labels of classes

	// keepsNumberTexts is true if numbers are kept as texts, too: a category is the text in the
	// file, so that 1.1 and 1.10 are two categories. It is set for declared categories, for
	// classes, and for columns with a text among their first rows.
	keepsNumberTexts bool

	notation notation // of the file's numbers

	field *data.Field // known field, set by setField; nil if it is to be found

	// Different texts that are neither numbers nor missing values. The code of a text is its index
	// in these slices.
	textCodes  map[string]int // code of each text or, if the field is known, of each category
	texts      []string
	firstLines []int // line of the first cell with each text
	textCounts []int // number of cells with each text

	// Different texts of numbers, if keepsNumberTexts is set. The code of a text is its index, with
	// numberTextFlag.
	numberCodes map[string]int
	numberTexts []string
	keptNumbers int // number of cells with a number whose text is kept

	textBytes *int // number of bytes of the texts of all columns, which share this counter

	numberCount     int              // number of cells with a number
	missingCount    int              // number of cells without a value
	distinctNumbers map[float64]bool // different numbers, at most maxCategoryNumbers + 1 of them
}

// The NaN that stands for a text has the upper 16 bits of quietNaN. Its lower 48 bits, which a NaN is
// free to use, hold the text's code plus codeOffset.
const (
	quietNaN   = 0x7ff8 << 48
	codeMask   = 1<<48 - 1
	codeOffset = 2 // the lower bits of math.NaN, which stands for a missing value, are 1
)

// encodeText returns the NaN that stands for the text with the given code.
func encodeText(code int) float64 { return math.Float64frombits(quietNaN | uint64(code+codeOffset)) }

// decodeText returns the code that encodeText was given. isText is false for numbers and for
// math.NaN.
func decodeText(v float64) (code int, isText bool) {
	lowerBits := math.Float64bits(v) & codeMask
	return int(lowerBits) - codeOffset, v != v && lowerBits >= codeOffset // only a NaN differs from itself
}

// numberTextFlag is the bit that marks the codes of texts in rawColumn.numberTexts. It lies above
// maxTexts.
const numberTextFlag = 1 << 30

// setField sets the known field of the column, as the training table had it.
func (c *rawColumn) setField(f *data.Field) {
	c.field = f
	if f.Kind != data.Category {
		return
	}
	c.textCodes = make(map[string]int, len(f.Categories))
	for i, category := range f.Categories {
		c.textCodes[category] = i
	}
}

// value returns the value of a cell in the given line: by the known field if there is one, or else a
// number, math.NaN for a missing value, or the NaN that stands for a text (encodeText). It counts the
// cell, and remembers a new text. It returns errUnlabelled for a missing class, and another error for
// a cell that the known field does not allow or if there are too many texts.
func (c *rawColumn) value(cell string, line int) (float64, error) {
	if c.field != nil {
		return c.knownValue(cell)
	}
	v, isNumber, _ := c.notation.parseNumber(cell)
	hasDateLayout := c.declared == data.Date && c.layout != "" // such as yyyymmdd, which looks like a number
	switch {
	case isNumber && c.keepsNumberTexts:
		c.countNumber(v)
		return c.numberWithText(cell, v)
	case isNumber && !hasDateLayout:
		c.countNumber(v)
		return v, nil
	case isMissingText(cell) && c.isClass:
		return 0, errUnlabelled
	case isMissingText(cell):
		c.missingCount++
		return math.NaN(), nil
	}
	code, err := c.textCode(cell, line)
	if err != nil {
		return 0, err
	}
	c.textCounts[code]++
	return encodeText(code), nil
}

// textCode returns the code of a text. A new text gets the next code; line is remembered as its first
// line. It returns an error if there are too many texts.
func (c *rawColumn) textCode(cell string, line int) (int, error) {
	code, isKnown := c.textCodes[cell]
	if isKnown {
		return code, nil
	}
	code = len(c.texts)
	if code == maxTexts || *c.textBytes+len(cell) > maxTextBytes {
		return 0, c.tooManyTextsError()
	}
	*c.textBytes += len(cell)
	if c.textCodes == nil {
		c.textCodes = make(map[string]int)
	}
	c.textCodes[cell] = code
	c.texts = append(c.texts, cell)
	c.firstLines = append(c.firstLines, line)
	c.textCounts = append(c.textCounts, 0)
	return code, nil
}

// numberWithText returns the NaN that stands for the text of the number v, and remembers a new text.
// If there are too many texts, it returns v itself, or an error if the column is declared a category.
func (c *rawColumn) numberWithText(cell string, v float64) (float64, error) {
	code, ok := c.numberTextCode(cell)
	switch {
	case !ok && c.declared == data.Category:
		return 0, c.tooManyTextsError()
	case !ok:
		return v, nil // checkDroppedTexts finds out whether the text is needed
	}
	c.keptNumbers++
	return encodeText(code | numberTextFlag), nil
}

// numberTextCode returns the index of the text of a number in c.numberTexts, to which it appends a new
// text. ok is false if there are too many texts.
func (c *rawColumn) numberTextCode(cell string) (code int, ok bool) {
	code, isKnown := c.numberCodes[cell]
	if isKnown {
		return code, true
	}
	code = len(c.numberTexts)
	if code >= maxTexts || *c.textBytes+len(cell) > maxTextBytes {
		return 0, false
	}
	*c.textBytes += len(cell)
	if c.numberCodes == nil {
		c.numberCodes = make(map[string]int)
	}
	c.numberCodes[cell] = code
	c.numberTexts = append(c.numberTexts, cell)
	return code, true
}

// errTooManyTexts is wrapped by the error for a text above maxTexts or maxTextBytes. It ends the
// reading, as every further text would exceed them, too.
var errTooManyTexts = errors.New("too many texts")

// tooManyTextsError returns the error for a column whose texts are too many.
func (c *rawColumn) tooManyTextsError() error {
	return newSentinelError(errTooManyTexts, fmt.Sprintf("column %s: more than %d different texts, or more than %d MiB of them in all columns; leave the column out", c.label, maxTexts, maxTextBytes>>20))
}

// knownValue returns the value of a cell by the column's known field: a number, a date as a number,
// the code of a category, data.UnseenCategory for an unknown category, or NaN for a missing value. It returns
// an error for a cell of another kind.
func (c *rawColumn) knownValue(cell string) (float64, error) {
	if c.isClass {
		return c.knownClass(cell)
	}
	if isMissingText(cell) || slices.Contains(c.field.MissingTexts, cell) {
		return math.NaN(), nil
	}
	switch c.field.Kind {
	case data.Category:
		i, ok := c.textCodes[cell]
		if !ok {
			return data.UnseenCategory, nil
		}
		return float64(i), nil
	case data.Date:
		if v, ok := parseDate(c.field.Layout, cell); ok {
			return v, nil
		}
		return 0, fmt.Errorf("column %s: %s is not a date; the dates of the training table are written as %s", c.label, quoteShort(cell), formatLayoutLetters(c.field.Layout))
	}
	if v, ok := parseUnit(c.field, cell, c.notation); ok {
		return v, nil
	}
	return c.knownNumber(cell)
}

// knownNumber returns the number in a cell that lacks the unit of the known field. It returns an error
// if the cell is no number, or if the unit is a percent sign: without it, 5 could mean 5 % or 5.
func (c *rawColumn) knownNumber(cell string) (float64, error) {
	v, ok, err := c.notation.parseNumber(cell)
	switch {
	case !ok:
		return 0, fmt.Errorf("column %s: %s", c.label, c.notation.explainNonNumber(cell, err))
	case c.field.Percent():
		return 0, fmt.Errorf("column %s: %s has no percent sign, and the values of the training table have one; write %s if it is a fraction", c.label, quoteShort(cell), formatPercentage(v))
	}
	return v, nil
}

// knownClass returns the number of a class by its label. It returns errUnlabelled for a missing
// value, and another error if the training table has no such class.
func (c *rawColumn) knownClass(cell string) (float64, error) {
	i, isKnown := c.textCodes[cell]
	switch {
	case isMissingText(cell):
		return 0, errUnlabelled
	case !isKnown:
		known := strings.Join(c.field.Categories[:min(len(c.field.Categories), maxListedClasses)], ", ")
		return 0, fmt.Errorf("column %s: %s is %w: %s", c.label, quoteShort(cell), errUnknownClass, known)
	}
	return float64(i), nil
}

// errUnknownClass is in the error of knownClass for a class that the training table lacks. A row of weight 0, which is
// left out after the split, may have one: its class is then 0.
var errUnknownClass = errors.New("none of the classes of the training table")

// maxListedClasses is the number of classes that an error lists.
const maxListedClasses = 10

// countNumber counts a cell with the number v. Different numbers are remembered only up to one more
// than maxCategoryNumbers: then the column is known to have too many for categories.
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

// resolve returns the field of the column, and replaces the NaNs that stand for texts by the values of
// the texts. It reports mistakes. The values of this column are values[j], values[j+columns],
// values[j+2*columns] and so on.
func (c *rawColumn) resolve(values []float64, j, columns int, report reportFunc) data.Field {
	f, textValues := c.inferField(report)
	hasTexts := len(c.texts)+len(c.numberTexts) > 0
	switch {
	case c.field != nil: // the values are final
	case f.Kind == data.Category:
		f.Categories = c.resolveCategories(values, j, columns)
	case hasTexts:
		c.resolveTexts(values, j, columns, textValues)
	}
	return f
}

// resolveTexts replaces the NaNs that stand for texts in column j of values, as in resolve:
// textValues has the value of each text, by its code. Texts of numbers become the numbers.
func (c *rawColumn) resolveTexts(values []float64, j, columns int, textValues []float64) {
	for i := j; i < len(values); i += columns {
		code, isText := decodeText(values[i])
		switch {
		case !isText:
		case code&numberTextFlag != 0:
			values[i], _, _ = c.notation.parseNumber(c.numberTexts[code&^numberTextFlag])
		default:
			values[i] = textValues[code]
		}
	}
}

// resolveCategories replaces the values of a categorical column, column j of values as in resolve, by
// the indices of their categories. It returns the categories that occur, in the order of
// compareCategories. Missing values stay NaN.
func (c *rawColumn) resolveCategories(values []float64, j, columns int) (categories []string) {
	indices := make(map[string]int) // index of each category; 0 until all categories are known
	for i := j; i < len(values); i += columns {
		if category, ok := c.categoryText(values[i]); ok {
			indices[category] = 0
		}
	}
	for category := range indices {
		categories = append(categories, category)
	}
	slices.SortFunc(categories, compareCategories)
	for i, category := range categories {
		indices[category] = i
	}
	for i := j; i < len(values); i += columns {
		if category, ok := c.categoryText(values[i]); ok {
			values[i] = float64(indices[category])
		}
	}
	return categories
}

// categoryText returns the text that a value stands for. ok is false if it is a number or a missing
// value.
func (c *rawColumn) categoryText(v float64) (category string, ok bool) {
	code, isText := decodeText(v)
	switch {
	case !isText:
		return "", false
	case code&numberTextFlag != 0:
		return c.numberTexts[code&^numberTextFlag], true
	}
	return c.texts[code], true
}

// compareCategories compares two different categories: numbers by their values, other texts by their
// bytes, and numbers come before other texts.
func compareCategories(a, b string) int {
	numberA, aIsNumber, _ := parseNumber(a)
	numberB, bIsNumber, _ := parseNumber(b)
	switch {
	case aIsNumber && bIsNumber && numberA != numberB:
		return cmp.Compare(numberA, numberB)
	case aIsNumber && !bIsNumber:
		return -1
	case !aIsNumber && bIsNumber:
		return 1
	}
	return cmp.Compare(a, b) // also for two texts of one number, such as 1.1 and 1.10
}

// newRawColumns returns a rawColumn for each of the given columns of the file. If fields is not nil, it
// has the known field of each.
func (o Options) newRawColumns(c *columnChoice, columns []int, fields []data.Field) []*rawColumn {
	var raws []*rawColumn
	textBytes := new(int)       // counts the texts of all these columns
	for k, i := range columns { // i is an index in the file
		raw := &rawColumn{
			label:     columnLabel(c.names, i),
			declared:  c.declaredKinds[i],
			layout:    c.declaredLayouts[i],
			textBytes: textBytes,
		}
		raw.keepsNumberTexts = raw.declared == data.Category || slices.Contains(o.numberTextColumns, i)
		if fields != nil {
			raw.setField(&fields[k])
		}
		raws = append(raws, raw)
	}
	return raws
}

// newClassColumns returns a rawColumn for each target, whose texts are the labels of classes. It returns
// nil if there are no targets.
func (o Options) newClassColumns(c *columnChoice) []*rawColumn {
	if len(c.targets) == 0 {
		return nil
	}
	targets := o.newRawColumns(c, c.targets, o.TargetFields)
	for _, raw := range targets {
		raw.declared = data.Category
		raw.keepsNumberTexts = true
		raw.isClass = true
	}
	return targets
}

// areClassNumbers reports whether the labels of every target are the numbers of its classes, in
// order: 0, 1, and so on.
func areClassNumbers(fields []data.Field) bool {
	for _, f := range fields {
		for i, label := range f.Categories {
			if label != strconv.Itoa(i) {
				return false
			}
		}
	}
	return true
}

// nameUnnamed replaces empty names in the slice by the numbers of their columns, such as "column 3",
// and returns the slice.
func nameUnnamed(names []string) []string {
	for i, name := range names {
		if name == "" {
			names[i] = "column " + strconv.Itoa(i+1)
		}
	}
	return names
}
