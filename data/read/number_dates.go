package read

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"sml/data"
)

// This file reads columns of dates that are written as whole numbers, such as 20240330 or the seconds since 1970.

// numberLayouts are the layouts of such dates.
var numberLayouts = []string{"20060102", "2006010215", "200601021504", "20060102150405", data.UnixSeconds, data.UnixMillis}

// hasNumberDates reports whether the numbers of an input, or of a column that rows are split by, are dates, and nearly all cells
// are numbers.
func (k *tally) hasNumberDates() bool {
	return k.rule == mayBeAnything && (k.hasNoTexts() || k.hasMostlyNumbers()) && k.numberLayout() != ""
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

// areDatesIn reports whether all numbers of the column without a unit are dates in a layout, in two or more months.
func (k *tally) areDatesIn(layout string) bool {
	const minDates = 10
	dates := 0
	months := make(map[string]bool)
	isDate := func(v float64, cells int) bool {
		seconds := secondsOfNumber(layout, v)
		if math.IsNaN(seconds) {
			return false
		}
		dates += cells
		if len(months) < 2 {
			months[time.Unix(int64(seconds), 0).UTC().Format("2006-01")] = true
		}
		return true
	}
	for _, text := range k.all { // numbers whose texts were kept
		if v, isNumber := k.parsePlainNumber(text.text); isNumber && text.cells > 0 && !isDate(v, text.cells) {
			return false
		}
	}
	for i := k.first; i < len(k.values); i += k.width {
		if v := k.values[i]; !math.IsNaN(v) && !isDate(v, 1) {
			return false
		}
	}
	return dates >= minDates && len(months) > 1
}

// secondsOfNumber returns the seconds from 1970 to the date of 1900 to 2100 that a number means in a layout, and NaN if it
// means none.
func secondsOfNumber(layout string, v float64) float64 {
	const firstYear, lastYear = 1900, 2100
	seconds, ok := data.ParseDate(layout, strconv.FormatFloat(v, 'f', -1, 64))
	year := time.Unix(int64(seconds), 0).UTC().Year()
	if !ok || year < firstYear || year > lastYear {
		return math.NaN()
	}
	return seconds
}

// decideNumberDates returns the decision for a column of numbers that are dates. Other cells mean missing values.
func (k *tally) decideNumberDates() decision {
	layout := k.numberLayout()
	secondsOfText := func(text string) float64 {
		v, isNumber := k.parsePlainNumber(text)
		if !isNumber {
			return dateOf(layout, text) // a date may be written in another way
		}
		return secondsOfNumber(layout, v)
	}
	isOdd := func(text string) bool { return math.IsNaN(secondsOfText(text)) }
	odd := k.all.where(isOdd)
	d := decision{
		field:         data.Field{Kind: data.Date, Layout: layout, MissingTexts: odd.list()},
		valueOf:       secondsOfText,
		valueOfNumber: func(v float64) float64 { return secondsOfNumber(layout, v) },
	}
	if !k.isDeclaredDate() {
		d.remarks = []string{fmt.Sprintf("its numbers are dates, and are read as %s; declare the column numeric if they are none", formatLayoutLetters(layout))}
	}
	d.addRemark(k, odd, "are not dates and count as missing")
	return d
}
