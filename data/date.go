package data

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Layouts of dates that package time does not have.
const (
	QuarterLayout = "2006-Q1"  // 2024-Q3 or 2024Q3, its first day
	WeekLayout    = "2006-W01" // 2024-W09 or 2024W09, the Monday of the week as ISO 8601 numbers it
)

// maxDateBytes is the length of the longest date. Errors of package time copy the text.
const maxDateBytes = 80

var (
	quarterText = regexp.MustCompile(`^([0-9]{4})-?[Qq]([1-4])$`)
	weekText    = regexp.MustCompile(`^([0-9]{4})-?[Ww]([0-9]{2})$`)
)

// ParseDate returns a date, written in a layout of package time, QuarterLayout or WeekLayout, as the seconds from 1970 to
// the day and hour that are written. An offset from UTC, or the name of a time zone, says where a clock shows this hour;
// people's days follow their clocks, so that it changes nothing. Times with points need two digits of hours: 3.14.15 is a
// code.
func ParseDate(layout, text string) (seconds float64, ok bool) {
	if len(text) > maxDateBytes {
		return 0, false
	}
	switch layout {
	case QuarterLayout:
		return parseQuarter(text)
	case WeekLayout:
		return parseWeek(text)
	}
	t, err := time.Parse(layout, cutZoneName(text))
	isCode := strings.HasPrefix(layout, "15.") && strings.IndexByte(text, '.') == 1 // 3.14.15; a time is 03.14.15
	if err != nil || isCode {
		return 0, false
	}
	_, offset := t.Zone()
	return float64(t.Unix()+int64(offset)) + float64(t.Nanosecond())/1e9, true
}

// cutZoneName returns a date without the name of a time zone in brackets at its end, as Java writes it.
func cutZoneName(text string) string {
	if start := strings.IndexByte(text, '['); start > 0 && strings.HasSuffix(text, "]") {
		return text[:start]
	}
	return text
}

// parseQuarter returns the first day of a quarter.
func parseQuarter(text string) (seconds float64, ok bool) {
	parts := quarterText.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	year, _ := strconv.Atoi(parts[1])
	quarter, _ := strconv.Atoi(parts[2])
	return float64(time.Date(year, time.Month(3*quarter-2), 1, 0, 0, 0, 0, time.UTC).Unix()), true
}

// parseWeek returns the Monday of a week. Week 1 has January 4.
func parseWeek(text string) (seconds float64, ok bool) {
	parts := weekText.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	year, _ := strconv.Atoi(parts[1])
	week, _ := strconv.Atoi(parts[2])
	fourth := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
	daysSinceMonday := (int(fourth.Weekday()) + 6) % 7
	monday := fourth.AddDate(0, 0, 7*(week-1)-daysSinceMonday)
	writtenYear, writtenWeek := monday.ISOWeek()
	return float64(monday.Unix()), writtenYear == year && writtenWeek == week // no year has a week 0 or 54
}

// formatDate returns the text that ParseDate reads as the number of seconds.
func formatDate(layout string, secondsSince1970 float64) string {
	t := timeFromSeconds(secondsSince1970)
	switch layout {
	case QuarterLayout:
		return fmt.Sprintf("%04d-Q%d", t.Year(), (int(t.Month())+2)/3)
	case WeekLayout:
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	}
	return t.Format(layout)
}

// timeFromSeconds returns the UTC time of a number of seconds since 1970.
func timeFromSeconds(secondsSince1970 float64) time.Time {
	seconds := math.Floor(secondsSince1970)
	nanoseconds := (secondsSince1970 - seconds) * 1e9
	return time.Unix(int64(seconds), int64(nanoseconds)).UTC()
}
