package data

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Layouts of dates that package time does not have.
const (
	QuarterLayout = "2006-Q1"    // 2024-Q3, 2024Q3 or Q3 2024, its first day
	WeekLayout    = "2006-W01"   // 2024-W09 or 2024W09, the Monday of the week as ISO 8601 numbers it
	WeekDayLayout = "2006-W01-1" // 2024-W09-5 or 2024W095, a day of the week, of which Monday is the first
	UnixSeconds   = "unix s"     // 1709251200, the seconds since 1970 in UTC
	UnixMillis    = "unix ms"    // 1709251200000, the milliseconds since 1970 in UTC, as pandas writes dates to JSON
)

// Seconds since 1970 count as dates from 1990 to 2029. Numbers with the year first, such as 2006010215, are larger.
const (
	firstUnixSecond = 631152000
	lastUnixSecond  = 1893455999
)

// maxDateBytes is the length of the longest date. Errors of package time copy the text.
const maxDateBytes = 80

var (
	quarterText = regexp.MustCompile(`^([0-9]{4})[- ]?[Qq]([1-4])$`)
	yearLast    = regexp.MustCompile(`^[Qq]([1-4])[- /]?([0-9]{4})$`)
	weekText    = regexp.MustCompile(`^([0-9]{4})-?[Ww]([0-9]{2})$`)
	weekDayText = regexp.MustCompile(`^([0-9]{4}-?[Ww][0-9]{2})-?([1-7])$`)
)

// ParseDate returns a date, written in a layout of package time or one of the layouts above, as the seconds from 1970 to
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
	case WeekDayLayout:
		return parseWeekDay(text)
	case UnixSeconds:
		return parseUnix(text, 1)
	case UnixMillis:
		return parseUnix(text, 1000)
	}
	t, err := parseTime(layout, text)
	isCode := strings.HasPrefix(layout, "15.") && strings.IndexByte(text, '.') == 1 // 3.14.15; a time is 03.14.15
	hasNoOtherSign := layout == "1/2006" || layout == "2006010215"                  // than its year: 1/1000 is a ratio
	isOld := hasNoOtherSign && (t.Year() < 1800 || t.Year() > 2200)
	if err != nil || isCode || isOld {
		return 0, false
	}
	_, offset := t.Zone()
	return float64(t.Unix()+int64(offset)) + float64(t.Nanosecond())/1e9, true
}

// UTCOffset returns the seconds by which the clock of a date in a layout of package time is ahead of UTC. It returns 0 if
// the date has no offset, and for the name of a time zone, such as CET: many names have several meanings.
func UTCOffset(layout, text string) (seconds float64) {
	t, err := parseTime(layout, text)
	if err != nil {
		return 0
	}
	_, offset := t.Zone()
	return float64(offset)
}

var (
	upperCasePM = strings.NewReplacer("aM", "AM", "pM", "PM") // after PlainDate
	hour24      = regexp.MustCompile(`([ T])24(:00(?::00)?)([^:0-9]|$)`)
)

// parseTime returns a time in a layout of package time. Hour 24 is the next day's hour 0. The clock of the computer, which
// time.Parse looks at, has no influence.
func parseTime(layout, text string) (time.Time, error) {
	text = PlainDate(text)
	if strings.Contains(layout, "PM") {
		text = upperCasePM.Replace(text)
	}
	isNextDay := strings.Contains(text, "24:00") && hour24.MatchString(text)
	if isNextDay {
		text = hour24.ReplaceAllString(text, "${1}00$2$3")
	}
	t, err := time.ParseInLocation(PlainDate(layout), text, time.UTC)
	if err != nil {
		return t, err
	}
	zone, offset := t.Zone()
	if strings.HasPrefix(zone, "GMT") { // package time takes the hour beside GMT-8 for an hour of UTC
		t = t.Add(-time.Duration(offset) * time.Second)
	}
	if isNextDay {
		t = t.AddDate(0, 0, 1)
	}
	return t, nil
}

// plainCharacters replaces what programs write for the characters of dates: the blanks before AM, the minus sign of an
// offset, and the words for year, month and day.
var plainCharacters = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2212", "-",
	"年", "-", "月", "-", "日", "", "년 ", "-", "월 ", "-", "일", "")

// Parts of the patterns of plainSpellings.
const (
	weekday = `(?i)^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[., ]+`
	month   = `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|ch|il|e|y|ust|ember|t|tember|ober)?`
	ordinal = `(?:st|nd|rd|th)?(?: of)?`
	between = `[-/., _]`
)

// plainSpellings replace the spellings of a part of a date by the spelling of layouts. They are applied in this order.
var plainSpellings = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`^\[(.*)\]$`), "$1"}, // logs of web servers
	{regexp.MustCompile(weekday), ""},
	{regexp.MustCompile(`(?i)^([0-9]{1,4})` + ordinal + between + `*` + month + between + `*([0-9])`), "$1 $2 $3"}, // 2-Jan-2006
	{regexp.MustCompile(`(?i)^` + month + between + `+([0-9]{1,2})` + ordinal + between + `+([0-9])`), "$1 $2 $3"}, // January 2nd, 2006
	{regexp.MustCompile(`(?i)^` + month + `([- ][0-9]{4})$`), "$1$2"},                                              // January 2006
	{regexp.MustCompile(`(?i)(?:, ?| ?_|,? at )([0-9]+[-:.]|[0-9]{4,6}$)`), " $1"},                                 // 2006-01-02, 15:04
	{regexp.MustCompile(`(?i)([0-9]) ?([ap])\.?m(?:\.|\b)`), "$1 ${2}M"},                                           // 3:04 p.m.
	{regexp.MustCompile(`([+-][0-9]{4}) [A-Z]{3,5}$`), "$1"},                                                       // 15:04:05 +0100 CET
	{regexp.MustCompile(`(?i) uhr$|\.$| [a-z_]+/[a-z_/]+$`), ""},                                                   // 15:04 Uhr, 2.1.2006. and 15:04 Europe/Paris
	{regexp.MustCompile(`([0-9])\. ?([0-9]+)\. ?([0-9])`), "$1.$2.$3"},                                             // 2. 1. 2006
	{regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})t([0-9:.]+)z?$`), "${1}T$2"},                                 // 2006-01-02t15:04:05z
	{regexp.MustCompile(`^([0-9]{1,2}:[0-9]{2}(?::[0-9.]+)?(?: [AaPp]M)?),? ([0-9].*[0-9])$`), "$2 $1"},            // 15:04 02.01.2006
	{regexp.MustCompile(`^([0-9]{8,})\.0$`), "$1"},                                                                 // 20060102.0, as numbers beside missing values are written
}

// utcName matches UTC before an offset in hours.
var utcName = regexp.MustCompile(`UTC([+-][0-9])`)

// PlainDate returns a date, or a layout, in the spelling that all dates with the same parts share: without the name of the
// weekday, with three letters of the month between blanks, and in ASCII. It leaves out the name of a time zone after an
// offset or in brackets, as Java, JavaScript and mail programs write it.
func PlainDate(text string) string {
	if isPlainDate(text) {
		return text
	}
	plainDates.Lock()
	plain, isKnown := plainDates.of[text]
	plainDates.Unlock()
	if isKnown {
		return plain
	}
	plain = respellDate(text)
	const mostTexts = 1 << 17 // about 30 MiB
	plainDates.Lock()
	defer plainDates.Unlock()
	if len(plainDates.of) == mostTexts {
		clear(plainDates.of)
	}
	plainDates.of[strings.Clone(text)] = plain // the text may be a part of a large buffer
	return plain
}

// plainDates holds results of PlainDate by texts: many layouts are tried for each text, and its patterns take long.
var plainDates = struct {
	sync.Mutex
	of map[string]string
}{of: make(map[string]string)}

// respellDate returns the spelling of PlainDate for a text that is not plain.
func respellDate(text string) string {
	isNotASCII := func(r rune) bool { return r >= utf8.RuneSelf }
	if strings.ContainsFunc(text, isNotASCII) {
		text = plainCharacters.Replace(text)
	}
	if strings.Contains(text, "UTC") {
		text = utcName.ReplaceAllString(text, "GMT$1")
	}
	start := strings.IndexAny(text, "[(")
	if start > 0 && strings.HasSuffix(text, "]") || start > 0 && strings.HasSuffix(text, ")") {
		text = strings.TrimRight(text[:start], " ")
	}
	for _, spelling := range plainSpellings {
		text = spelling.pattern.ReplaceAllString(text, spelling.replacement)
	}
	return strings.Clone(text)
}

// isPlainDate reports whether PlainDate would return a text, as nearly all dates are, without a change: it has digits and the
// usual characters between them.
func isPlainDate(text string) bool {
	isOther := func(r rune) bool { return !strings.ContainsRune("0123456789-:/+ .TZ", r) }
	colon, blank := strings.IndexByte(text, ':'), strings.IndexByte(text, ' ')
	hasTimeFirst := colon >= 0 && colon < blank
	return !strings.ContainsFunc(text, isOther) && !hasTimeFirst && !strings.Contains(text, ". ") && !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ".0")
}

// parseQuarter returns the first day of a quarter.
func parseQuarter(text string) (seconds float64, ok bool) {
	parts := quarterText.FindStringSubmatch(yearLast.ReplaceAllString(text, "${2}Q$1"))
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

// parseWeekDay returns a day of a week.
func parseWeekDay(text string) (seconds float64, ok bool) {
	const secondsPerDay = 24 * 60 * 60
	parts := weekDayText.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	monday, ok := parseWeek(parts[1])
	day, _ := strconv.Atoi(parts[2])
	return monday + float64((day-1)*secondsPerDay), ok
}

// parseUnix returns the seconds since 1970 of a date in smaller units.
func parseUnix(text string, unitsPerSecond int64) (seconds float64, ok bool) {
	units, err := strconv.ParseInt(PlainDate(text), 10, 64)
	isDate := err == nil && units >= firstUnixSecond*unitsPerSecond && units < (lastUnixSecond+1)*unitsPerSecond
	return float64(units) / float64(unitsPerSecond), isDate
}

// zoneElements removes the elements of layouts that stand for a time zone or an offset.
var zoneElements = strings.NewReplacer(
	" GMT-07:00", "", " GMT-0700", "", " -07:00", "", " -0700", "", " MST", "",
	"Z07:00", "", "-07:00", "", "-0700", "", "-07", "",
)

// formatDate returns the number of seconds as ParseDate's day and hour in a layout, without a time zone, which the number
// does not tell.
func formatDate(layout string, secondsSince1970 float64) string {
	t := timeFromSeconds(secondsSince1970)
	switch layout {
	case QuarterLayout:
		return fmt.Sprintf("%04d-Q%d", t.Year(), (int(t.Month())+2)/3)
	case WeekLayout:
		year, week := t.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", year, week)
	case WeekDayLayout:
		year, week := t.ISOWeek()
		sundayLast := (int(t.Weekday())+6)%7 + 1
		return fmt.Sprintf("%04d-W%02d-%d", year, week, sundayLast)
	case UnixSeconds, UnixMillis: // people read days
		layout = "2006-01-02 15:04:05"
	}
	return t.Format(zoneElements.Replace(layout))
}

// timeFromSeconds returns the UTC time of a number of seconds since 1970.
func timeFromSeconds(secondsSince1970 float64) time.Time {
	seconds := math.Floor(secondsSince1970)
	nanoseconds := (secondsSince1970 - seconds) * 1e9
	return time.Unix(int64(seconds), int64(nanoseconds)).UTC()
}
