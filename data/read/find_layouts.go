package read

import (
	"cmp"
	"regexp"
	"slices"

	"sml/data"
)

// This file finds the layout of a column's dates by all its cells.

// findDateLayouts returns the first layout that fits all cells, and also a second layout that fits all
// cells but gives them other dates, as 1/2/2020 has two meanings. It returns nil if no layout fits all
// cells.
func findDateLayouts(cells []string) []string {
	if len(cells) == 0 {
		return nil
	}
	if layout, ok := findYearFirst(cells); ok {
		return []string{layout}
	}
	var layouts []string
	longest := slices.MaxFunc(cells, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	for _, layout := range dateLayouts() {
		_, fitsLongest := data.ParseDate(layout, longest) // with its time: a layout of days with times is none for days alone
		if !fitsLongest || !fitsAll(layout, cells) {
			continue
		}
		if len(layouts) == 1 && haveSameDates(layouts[0], layout, cells) {
			continue
		}
		layouts = append(layouts, layout)
		if len(layouts) == 2 {
			break
		}
	}
	return layouts
}

// haveSameDates reports whether two layouts, which fit all cells, give them the same dates.
func haveSameDates(layout1, layout2 string, cells []string) bool {
	for _, cell := range cells {
		date1, _ := parseDate(layout1, cell)
		date2, _ := parseDate(layout2, cell)
		if date1 != date2 {
			return false
		}
	}
	return true
}

// yearFirstDay matches a date whose first number may be the last two digits of a year, such as 24/05/30.
var yearFirstDay = regexp.MustCompile(`^([0-9]{2})([/.])[0-9]{2}[/.]([0-9]{2})(?:$|[ T])`)

// findYearFirst returns the layout of dates such as 24/05/30 if their first numbers are years and their last numbers days. The
// same text may be 24 May 2030, so that the largest number of all cells decides: a day goes up to 31, and a year hardly to 28.
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
