package data

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Kind is what the values of a column are.
type Kind string

const (
	Number   Kind = "number"
	Category Kind = "category" // texts that repeat
	Date     Kind = "date"     // days, or moments
)

// Field says what the numbers in a column of a table stand for. Whatever its kind,
// NaN is a value that is missing.
type Field struct {
	Kind Kind `json:"kind"`

	// Levels are the texts of a Category, ascending: its numbers are their places
	// from 0, and Unseen is any other text. A level is the text in the file, even if
	// it is a number: 3, 3.0 and 03 are three levels.
	Levels []string `json:"levels,omitempty"`

	// Absent are texts in a column of numbers that say that there is none, beside the
	// usual ones.
	Absent []string `json:"absent,omitempty"`

	// Before and After are what is written around each number, such as $ or %.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`

	// Layout is how a Date is written, as package time has it: its numbers are
	// seconds since 1970, in UTC where the text does not say.
	Layout string `json:"layout,omitempty"`
}

// Unseen stands for a text that is none of a field's levels.
const Unseen = -1

// Show is a value of the field as people write it.
func (f Field) Show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "missing"
	case f.Kind == Category && int(v) >= 0 && int(v) < len(f.Levels):
		return f.Levels[int(v)]
	case f.Kind == Category:
		return "another text"
	case f.Kind == Date:
		return dateOf(v).Format(f.Layout)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Percent reports whether the column is written with percent signs. Its numbers are
// fractions: 50% is 0.5.
func (f *Field) Percent() bool { return f.Before == "" && strings.TrimSpace(f.After) == "%" }

// dateOf returns the moment that the number of a date stands for.
func dateOf(v float64) time.Time {
	seconds := math.Floor(v)
	return time.Unix(int64(seconds), int64((v-seconds)*1e9)).UTC()
}
