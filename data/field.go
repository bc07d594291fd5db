package data

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is the kind of a column's values.
type Kind string

const (
	Number   Kind = "number"
	Category Kind = "category" // texts of which there are few different ones
	Date     Kind = "date"     // days, or moments
)

// Field says how to interpret the numbers in a column of a table. In every kind, NaN is a missing
// value.
type Field struct {
	Kind Kind `json:"kind"`

	// Categories are the texts of a categorical column, ascending. The column's numbers are
	// indices in Categories, or UnseenCategory for any other text. A category is the text in the file,
	// even if it is a number: 3, 3.0 and 03 are three categories.
	Categories []string `json:"categories,omitempty"`

	// MissingTexts are the texts that stand for missing values in a column of numbers, in addition to
	// usual texts such as NA.
	MissingTexts []string `json:"missing_texts,omitempty"`

	// Prefix and Suffix are the texts before and after each number, such as $ or %.
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`

	// Layout is the layout of a Date, as package time defines it. The numbers of dates are
	// seconds since 1970; a text without a time zone is in UTC.
	Layout string `json:"layout,omitempty"`
}

// UnseenCategory is the number that stands for every text outside of a field's categories.
const UnseenCategory = -1

// Show returns a value of the field as people write it.
func (f Field) Show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case f.Kind == Category && int(v) >= 0 && int(v) < len(f.Categories):
		return f.Categories[int(v)]
	case f.Kind == Category:
		return "another text"
	case f.Kind == Date:
		return timeFromSeconds(v).Format(f.Layout)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Percent reports whether the column is written with percent signs. Its numbers are
// fractions: 50% is 0.5.
func (f *Field) Percent() bool { return f.Prefix == "" && strings.TrimSpace(f.Suffix) == "%" }

// timeFromSeconds returns the moment that the number of a date stands for.
func timeFromSeconds(v float64) time.Time {
	seconds := math.Floor(v)
	return time.Unix(int64(seconds), int64((v-seconds)*1e9)).UTC()
}
