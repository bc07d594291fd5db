package read

import "regexp"

// yearFirstDay matches a date whose first number may be the last two digits of a year, such as 24/05/30.
var yearFirstDay = regexp.MustCompile(`^([0-9]{2})([/.])[0-9]{2}[/.]([0-9]{2})(?:$|[ T])`)

// findYearFirst returns the layout of dates such as 24/05/30 if their first numbers are years and their last ones days. Such
// dates may also be days of 2030: years are told from days by their largest number.
func findYearFirst(cells []string) (layout string, ok bool) {
	var largestFirst, largestLast, separator string
	for _, cell := range cells {
		numbers := yearFirstDay.FindStringSubmatch(cell)
		if numbers == nil {
			return "", false
		}
		largestFirst = max(largestFirst, numbers[1])
		largestLast = max(largestLast, numbers[3])
		separator = numbers[2]
	}
	const firstDayOnly = "28" // numbers from here on are days: few tables have dates of 2028 or later
	if largestFirst >= firstDayOnly || largestLast < firstDayOnly {
		return "", false
	}
	day := "06" + separator + "01" + separator + "02"
	for _, suffix := range append([]string{""}, shortTimeSuffixes...) {
		if fitsAll(day+suffix, cells) {
			return day + suffix, true
		}
	}
	return "", false
}
