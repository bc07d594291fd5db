package data

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// SortValues sorts different values of the field in the order that people expect in tables and figures: ascending, but
// categories that are months, days of the week or times of day by the calendar and the clock.
func (f Field) SortValues(values []float64) {
	slices.Sort(values)
	if f.Kind != Category {
		return
	}
	for _, place := range []func(text string) int{monthPlace, weekdayPlace, clockPlace} {
		places := make(map[float64]int)
		for _, value := range values {
			if value >= 0 { // not UnseenCategory
				places[value] = place(f.Show(value))
			}
		}
		if !hasUnplaced(places) {
			slices.SortStableFunc(values, func(a, b float64) int { return cmp.Compare(places[a], places[b]) })
			return
		}
	}
}

// unplaced is the place of a text that is not of the kind that is asked for.
const unplaced = -1

// hasUnplaced reports whether a value has no place.
func hasUnplaced(places map[float64]int) bool {
	for _, place := range places {
		if place == unplaced {
			return true
		}
	}
	return false
}

// monthPlace returns the number of the month with an English name or its abbreviation, or unplaced.
func monthPlace(text string) int {
	for month := time.January; month <= time.December; month++ {
		if abbreviates(text, month.String(), 3) {
			return int(month)
		}
	}
	return unplaced
}

// weekdayPlace returns the number of the day of the week with an English name or its abbreviation, from 0 for Monday, or
// unplaced.
func weekdayPlace(text string) int {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if abbreviates(text, day.String(), 2) {
			return (int(day) + 6) % 7
		}
	}
	return unplaced
}

// clockPlace returns the minute of the day of a time such as 9 am, 9:30pm or 21:30, or unplaced.
func clockPlace(text string) int {
	compact := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	for _, layout := range []string{"3PM", "3:04PM", "15:04", "15H"} {
		if t, err := time.Parse(layout, compact); err == nil {
			return 60*t.Hour() + t.Minute()
		}
	}
	return unplaced
}

// abbreviates reports whether a text is a name or its beginning of at least this number of letters, in capitals or not,
// perhaps with a full stop.
func abbreviates(text, name string, fewest int) bool {
	text = strings.ToLower(strings.TrimSuffix(text, "."))
	return len(text) >= fewest && strings.HasPrefix(strings.ToLower(name), text)
}
