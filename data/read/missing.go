package read

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// declaredMissing holds the values that stand for missing ones in a column, beside the usual texts (isMissingText).
type declaredMissing struct {
	texts   []string
	finder  categoryFinder
	numbers []missingNumber
	occurs  []atomic.Bool // by index in texts: a cell has the value
}

// missingNumber is a number that stands for a missing value.
type missingNumber struct {
	value float64
	unit  unit // the zero value if the number stands for itself in every unit
	index int  // in declaredMissing.texts
}

// newDeclaredMissing returns the missing values with the given texts. A text with a decimal comma is a number unless the
// comma may separate thousands.
func newDeclaredMissing(texts []string) declaredMissing {
	m := declaredMissing{texts: texts, finder: newCategoryFinder(texts, notation{}), occurs: make([]atomic.Bool, len(texts))}
	m.finder.truthIndex = nil // a missing value TRUE says nothing about 1
	for i, text := range texts {
		number, u := splitUnit(text)
		written := notation{decimalComma: isDecimalCommaNumber(number) && !thousandsNumber.MatchString(number)}
		if v, isNumber, _ := written.parseNumber(number); isNumber {
			m.numbers = append(m.numbers, missingNumber{v, u, i})
		}
	}
	return m
}

// has reports whether a cell, whose numbers have the given notation, has one of the values, however it is spelled: -200.0
// is -200, and so is $-200. A percentage may be declared as it is written or as its fraction. The values that it has are
// noted to occur.
func (m *declaredMissing) has(cell string, n notation) (found bool) {
	if len(m.texts) == 0 {
		return false
	}
	if i, ok := m.finder.find(cell, notation{}); ok {
		m.occurs[i].Store(true)
		found = true
	}
	return m.hasNumber(cell, n) || found
}

// hasNumber reports whether a cell has one of the numbers, and notes that they occur.
func (m *declaredMissing) hasNumber(cell string, n notation) (found bool) {
	if len(m.numbers) == 0 {
		return false
	}
	digits, u := splitUnit(cell)
	v, isNumber, _ := n.parseNumber(digits)
	fraction, isPercentage := n.parsePercentage(cell)
	for _, number := range m.numbers {
		hasUnit := number.unit == u || number.unit == unit{} || u == unit{}
		isValue := isNumber && v == number.value || isPercentage && fraction == number.value
		if hasUnit && isValue {
			m.occurs[number.index].Store(true)
			found = true
		}
	}
	return found
}

// unmatchedRemarks returns a remark on each value that the options declare missing and that no cell has.
func (s *Stream) unmatchedRemarks() (remarks []string) {
	for _, declared := range s.Layout.MissingValues {
		columns, value := s.columnsOfMissing(declared)
		occurs := func(c *column) bool {
			i := slices.Index(c.missing.texts, value)
			return i >= 0 && c.missing.occurs[i].Load()
		}
		if len(columns) > 0 && !slices.ContainsFunc(columns, occurs) {
			remarks = append(remarks, fmt.Sprintf("no cell has the value %s, which is declared missing", quoteShort(declared)))
		}
	}
	return remarks
}

// columnsOfMissing returns the columns that a declaration of a missing value concerns, and the value: VALUE for all columns,
// COLUMN=VALUE for one.
func (s *Stream) columnsOfMissing(declared string) (columns []*column, value string) {
	name, value, isForOne := strings.Cut(declared, "=")
	if !isForOne {
		return s.columns, declared
	}
	i, _ := s.schema.find(name, s.schema.header) // declareMissing has checked it
	isOther := func(c *column) bool { return c.index != i }
	return slices.DeleteFunc(slices.Clone(s.columns), isOther), value
}
