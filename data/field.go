package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Kind is the kind of a column's values.
type Kind string

const (
	Number   Kind = "number"
	Category Kind = "category" // texts, of which few are different
	Date     Kind = "date"     // days, or days with times
)

// Field says how to interpret the numbers in a column of a table. In every kind, NaN is a missing
// value.
type Field struct {
	Kind Kind `json:"kind"`

	// Categories are the texts of a categorical column, ascending. The column's numbers are
	// indices in Categories, or UnseenCategory for any other text. A category is the text in the file, in composed
	// Unicode form, but 3.0 is 3 in a column of numbers, and TRUE is True in a column of truth values.
	Categories []string `json:"categories,omitempty"`

	// MissingTexts are the texts that stand for missing values in a column of numbers, in addition to
	// usual texts such as NA.
	MissingTexts []string `json:"missing_texts,omitempty"`

	// Prefix and Suffix are the texts before and after each number, such as $ or %.
	Prefix string `json:"prefix,omitempty"`
	Suffix string `json:"suffix,omitempty"`

	// Magnitudes is true if numbers may have a magnitude after them, which multiplies them: $1.2M is 1200000.
	Magnitudes bool `json:"magnitudes,omitempty"`

	// Fractions is true for percentages of a workbook, which stores them as fractions and only shows percent signs: a
	// number without a sign is a fraction, too.
	Fractions bool `json:"fractions,omitempty"`

	// Bits is true for a column of the numbers 0 and 1 alone: true and false, and other truth values, mean these in other
	// files.
	Bits bool `json:"bits,omitempty"`

	// Layout is the layout of a Date, as ParseDate reads it. The numbers of dates are seconds from 1970 to the day and
	// hour that are written.
	Layout string `json:"layout,omitempty"`
}

// MissingTexts are the usual texts for a missing value, in small letters; in capitals they mean it, too. Among them are those
// of PostgreSQL and MySQL (\N), dates of databases, and errors of workbooks, also of German ones.
var MissingTexts = []string{
	"", "?", "-", "--", "–", "—", ".", "..", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "nil", "nat", "missing", `\n`,
	"0000-00-00", "0000-00-00 00:00:00", "0000-00-00t00:00:00", "0000-00-00t00:00:00z", "00/00/0000", "00.00.0000",
	"#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "#nv", "#wert!", "#bezug!", "#zahl!",
}

// UnseenCategory is the number that stands for every text that is not one of a field's categories.
const UnseenCategory = -1

// Show returns the text of a value of the field: the text of a category, a date in the field's layout, or
// a number. A missing value is "missing", and an unseen category is "another text".
func (f Field) Show(v float64) string {
	if math.IsNaN(v) {
		return "missing"
	}
	switch f.Kind {
	case Category:
		i := int(v)
		if i < 0 || i >= len(f.Categories) {
			return "another text"
		}
		return f.Categories[i]
	case Date:
		return formatDate(f.Layout, v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// AreBits reports whether numbers are 0 or 1, or missing, and both occur.
func AreBits(values []float64) bool {
	isOther := func(v float64) bool { return v != 0 && v != 1 && !math.IsNaN(v) }
	return slices.Contains(values, 0) && slices.Contains(values, 1) && !slices.ContainsFunc(values, isOther)
}

// Percent reports whether the column is written with percent signs. Its numbers are
// fractions: 50% is 0.5.
func (f *Field) Percent() bool { return f.Prefix == "" && strings.TrimSpace(f.Suffix) == "%" }
