package read

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sml/data"
)

// dayLayouts are the recognised layouts of days, in the notation of package time and the spelling of data.PlainDate.
var dayLayouts = []string{
	"2006-01-02", "2006/01/02", "2006.01.02", "20060102", "2006-1-2", "2006/1/2", "2006.1.2",
	"02.01.2006", "02/01/2006", "01/02/2006", "02-01-2006", "01-02-2006",
	"2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "1-2-2006",
	"2 Jan 2006", "Jan 2 2006", "2006 Jan 2",
}

// timeSuffixes are layouts of times that may follow a day.
var timeSuffixes = []string{
	" 15:04:05", " 15:04", " 3:04:05 PM", " 3:04 PM",
	"T15:04:05Z07:00", " 15:04:05Z07:00", "T15:04:05", "T15:04", "T15:04Z07:00", " 15:04Z07:00",
	" 15:04:05-07", " 15:04:05-0700", "T15:04:05-0700", " 15:04:05 -0700", " 15:04:05 -07:00", " 15:04:05 MST", " 15:04 MST",
	"T15:04:05-07", "T15:04-0700", " 15:04-0700", " 15:04 -0700", " 15:04:05 GMT-07:00", " 15:04:05 GMT-0700", " 3:04:05 PM -07:00",
	" 15.04.05", " 15.04", ":15:04:05", ":15:04:05 -0700", "-15.04.05", "-15:04:05", " 150405", " 1504", " 15-04-05",
	"T150405Z07:00", "T150405-0700", "T150405", "T1504Z07:00", "T1504", "T15", "T15Z07:00", " 3 PM", // basic ISO 8601, and hours
}

// otherLayouts are layouts of days with times that have no day of their own, and of parts of dates.
var otherLayouts = []string{
	"Jan 2 15:04:05 2006 -0700", "Jan 2 15:04:05 MST 2006", "Jan 2 15:04:05 2006 MST", "Jan 2 15:04:05 2006", "Jan 2 15:04:05 -0700 2006", // git, date, C, Ruby
	"2006:01:02 15:04:05", // EXIF
	"2006-1", "2006/1", "1/2006", "Jan 2006", "Jan-2006", "2006-Jan", "Jan-06",
	"2006010215", "200601021504", "20060102150405", // numberLayouts, without the days of dayLayouts
	"2006-002", data.QuarterLayout, data.WeekLayout, data.WeekDayLayout, data.UnixSeconds, data.UnixMillis,
}

// clockLayouts are layouts of times of day.
var clockLayouts = []string{"15:04:05", "15.04.05", "15:04", "3:04 PM", "3:04:05 PM", "3 PM"}

// isClock reports whether a layout is one of times of day.
func isClock(layout string) bool { return slices.Contains(clockLayouts, layout) }

// shortDayLayouts are the recognised layouts of days whose years have two digits.
var shortDayLayouts = []string{"2/1/06", "1/2/06", "2.1.06", "2 Jan 06"}

// shortTimeSuffixes are layouts of times that may follow such a day.
var shortTimeSuffixes = []string{" 15:04", " 15:04:05", " 3:04 PM", " 3:04:05 PM", " 3.04.05 PM", ":15:04:05", " 15:04:05 MST"}

// dateLayouts returns all recognised layouts, in the order of trying: years of two digits come last. A value such as
// 13/02/2020, which fits only one of them, decides between the day first and the month first. They are built at their
// first use, since most runs of a program read no dates.
var dateLayouts = sync.OnceValue(allDateLayouts)

// dayOf returns the layout of the day in each layout of days with times.
var dayOf = sync.OnceValue(dayLayoutsOfTimes)

// allDateLayouts returns the layouts of days, of days with times, of months and of times.
func allDateLayouts() []string {
	layouts := slices.Clone(dayLayouts)
	for _, suffix := range timeSuffixes {
		for _, day := range dayLayouts {
			layouts = append(layouts, day+suffix)
		}
	}
	layouts = slices.Concat(layouts, otherLayouts, clockLayouts)
	for _, day := range shortDayLayouts {
		layouts = append(layouts, day)
		for _, suffix := range shortTimeSuffixes {
			layouts = append(layouts, day+suffix)
		}
	}
	return layouts
}

// dayLayoutsOfTimes returns the layout of the day in each layout of days with times.
func dayLayoutsOfTimes() map[string]string {
	days := make(map[string]string)
	for _, suffix := range timeSuffixes {
		for _, day := range dayLayouts {
			days[day+suffix] = day
		}
	}
	for _, suffix := range shortTimeSuffixes {
		for _, day := range shortDayLayouts {
			days[day+suffix] = day
		}
	}
	return days
}

// fitsAll reports whether a layout fits all cells, perhaps without their times.
func fitsAll(layout string, cells []string) bool {
	isOther := func(cell string) bool { _, ok := parseDate(layout, cell); return !ok }
	return !slices.ContainsFunc(cells, isOther)
}

// parseDate returns a date as data.ParseDate does. If the layout has days with times, a day alone is its midnight: some
// programs leave out this time.
func parseDate(layout, text string) (seconds float64, ok bool) {
	if seconds, ok = data.ParseDate(layout, text); ok {
		return seconds, true
	}
	day, hasTime := dayOf()[layout]
	if !hasTime {
		return 0, false
	}
	return data.ParseDate(day, text)
}

// threeNumbers matches the start of a text that is meant as a date, such as 1900-02-29, even if there is no such day. A
// version such as 1.2.10 has no year.
var threeNumbers = regexp.MustCompile(`^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{4}|[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2})`)

// looksLikeDate reports whether a text is a date in a known layout, or begins with three numbers as a date does.
func looksLikeDate(text string) bool {
	isDate := func(layout string) bool { _, ok := data.ParseDate(layout, text); return ok }
	return threeNumbers.MatchString(text) || slices.ContainsFunc(layoutsLike(text), isDate)
}

// dateMeaning is a date that a text means in a layout.
type dateMeaning struct {
	layout  string
	seconds float64
}

// dateMeanings returns the different dates that a text can mean, in the order of dateLayouts. order is "day" or "month" if
// it is known which of them comes first in numbers such as 1/2/2020, and "" if it is not.
func dateMeanings(order, text string) (meanings []dateMeaning) {
	for _, layout := range layoutsLike(text) {
		seconds, isDate := data.ParseDate(layout, text)
		own := dayBeforeMonth(layout)
		isOtherOrder := order != "" && own != "" && own != order && !hasPoints(layout)
		isKnown := slices.ContainsFunc(meanings, func(m dateMeaning) bool { return m.seconds == seconds })
		if isDate && !isOtherOrder && !isKnown {
			meanings = append(meanings, dateMeaning{layout, seconds})
		}
	}
	return meanings
}

// hasPoints reports whether a layout has points between day, month and year. The day then comes first, also for people who
// otherwise begin with the month.
func hasPoints(layout string) bool {
	return strings.Contains(layout, "2.1.") || strings.Contains(layout, "02.01.")
}

// parseOtherDate returns a date that may be written in another way than the dates of a column, whose layout is given. ok is
// false if layoutOfText finds no layout.
func parseOtherDate(layout, text string) (seconds float64, ok bool) {
	if seconds, ok = data.ParseDate(layout, text); ok { // nearly all dates
		return seconds, true
	}
	own, ok := layoutOfText(layout, text)
	if !ok {
		return 0, false
	}
	return data.ParseDate(own, text)
}

// layoutOfText returns the layout of a date that may be written in another way than the dates of a column, whose layout is
// given: without its time, with a time zone, in ISO 8601 or with another delimiter. ok is false if the text is no date, or if
// it has two meanings, such as 1/2/2020, and the column's layout does not say whether the day or the month comes first.
func layoutOfText(layout, text string) (own string, ok bool) {
	if _, ok := data.ParseDate(layout, text); ok {
		return layout, true
	}
	if _, ok := parseDate(layout, text); ok {
		return dayOf()[layout], true
	}
	meanings := dateMeanings(dayBeforeMonth(layout), text)
	if len(meanings) != 1 || isClock(layout) != isClock(meanings[0].layout) {
		return "", false
	}
	return meanings[0].layout, true
}

// explainNoDate returns why a text is not read as a date of a column whose dates have the given layout.
func explainNoDate(layout, text string) string {
	expected := formatLayoutLetters(layout)
	meanings := dateMeanings(dayBeforeMonth(layout), text)
	if len(meanings) < 2 {
		return fmt.Sprintf("%s is not a date; the dates of the training table are written as %s", quoteShort(text), expected)
	}
	day := func(m dateMeaning) string {
		return data.Field{Kind: data.Date, Layout: "2 January 2006"}.Show(m.seconds) + " as " + formatLayoutLetters(m.layout)
	}
	return fmt.Sprintf("%s is %s or %s, and the dates of the training table, such as %s, do not say which; write it as these", quoteShort(text), day(meanings[0]), day(meanings[1]), expected)
}

// dayBeforeMonth returns "day" or "month", whichever number comes first in a layout that ends with the year, and "" for
// other layouts.
func dayBeforeMonth(layout string) string {
	for _, separator := range []string{".", "/", "-"} {
		switch {
		case strings.Contains(layout, "Jan"): // a name
			return ""
		case strings.HasPrefix(layout, "2"+separator), strings.HasPrefix(layout, "02"+separator):
			return "day"
		case strings.HasPrefix(layout, "1"+separator), strings.HasPrefix(layout, "01"+separator):
			return "month"
		}
	}
	return ""
}
