package read

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"sml/data"
)

// This file reads columns of dates that are written as whole numbers, such as 20240330.

// numberLayouts are the layouts of such dates.
var numberLayouts = []string{"20060102", "2006010215", "200601021504", "20060102150405"}

// hasNumberDates reports whether all numbers of an input, or of a column that rows are split by, are dates.
func (k *tally) hasNumberDates() bool {
	return k.rule == mayBeAnything && k.hasNoTexts() && k.numberLayout() != ""
}

// numberLayout returns the layout in which all numbers of the column are dates, and "" if there is none. A few numbers, or
// numbers of one month alone, are no dates: they may be consecutive numbers of bills.
func (k *tally) numberLayout() string {
	for _, layout := range numberLayouts {
		if k.areDatesIn(layout) {
			return layout
		}
	}
	return ""
}

// areDatesIn reports whether all numbers of the column are dates in a layout, in two or more months.
func (k *tally) areDatesIn(layout string) bool {
	const minDates = 10
	dates := 0
	var first time.Time
	isOneMonth := true
	for i := k.first; i < len(k.values); i += k.width {
		if math.IsNaN(k.values[i]) {
			continue
		}
		date, ok := dateOfNumber(layout, k.values[i])
		if !ok {
			return false
		}
		if dates == 0 {
			first = date
		}
		dates++
		isOneMonth = isOneMonth && date.Month() == first.Month() && date.Year() == first.Year()
	}
	return dates >= minDates && !isOneMonth
}

// dateOfNumber returns the date that a number means in a layout. ok is false unless it is a date of 1900 to 2100.
func dateOfNumber(layout string, v float64) (date time.Time, ok bool) {
	const firstYear, lastYear = 1900, 2100
	date, err := time.Parse(layout, strconv.FormatFloat(v, 'f', -1, 64))
	return date, err == nil && date.Year() >= firstYear && date.Year() <= lastYear
}

// decideNumberDates returns the decision for a column of dates that are written as numbers.
func (k *tally) decideNumberDates() decision {
	layout := k.numberLayout()
	d := decision{
		field:         data.Field{Kind: data.Date, Layout: layout},
		valueOfNumber: func(v float64) float64 { return secondsOfNumber(layout, v) },
	}
	if !k.isDeclaredDate() {
		d.remarks = []string{fmt.Sprintf("its numbers are dates, and are read as %s; declare the column numeric if they are none", formatLayoutLetters(layout))}
	}
	return d
}

// secondsOfNumber returns the seconds from 1970 to the date that a number means in a layout. NaN stays NaN.
func secondsOfNumber(layout string, v float64) float64 {
	date, ok := dateOfNumber(layout, v)
	if !ok {
		return math.NaN()
	}
	return float64(date.Unix())
}
