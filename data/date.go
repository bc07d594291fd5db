package data

import (
	"math"
	"strings"
	"time"
)

// dateLayouts are how dates are written in tables that are read without asking, in
// the order in which they are tried. Days before months and months before days are
// told apart by values that can be only one of them.
var dateLayouts = []string{
	"2006-01-02", "2006/01/02", "2006.01.02", "20060102",
	"02.01.2006", "02/01/2006", "01/02/2006", "02-01-2006", "01-02-2006",
	"2 Jan 2006", "2-Jan-2006", "Jan 2 2006", "Jan 2, 2006", "2 January 2006", "January 2, 2006",
	"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02 15:04",
	"02.01.2006 15:04:05", "02.01.2006 15:04",
	"02/01/2006 15:04:05", "01/02/2006 15:04:05", "02/01/2006 15:04", "01/02/2006 15:04",
	"2006-01", "2006/01",
}

// DateLayout is the layout that people write with letters, such as yyyy-mm-dd HH:MM.
func DateLayout(text string) string {
	return strings.NewReplacer("yyyy", "2006", "mm", "01", "dd", "02", "HH", "15", "MM", "04", "SS", "05").Replace(text)
}

// parseDate reads a date in seconds since 1970.
func parseDate(layout, cell string) (float64, bool) {
	at, err := time.Parse(layout, cell)
	if err != nil {
		return 0, false
	}
	return float64(at.Unix()) + float64(at.Nanosecond())/1e9, true
}

// dateOf is the moment of a date's number.
func dateOf(v float64) time.Time {
	seconds := math.Floor(v)
	return time.Unix(int64(seconds), int64((v-seconds)*1e9)).UTC()
}

// layoutsOf lists the layouts that all cells have, up to two that tell them apart.
func layoutsOf(cells []string) (fit []string) {
	for _, layout := range dateLayouts {
		if len(fit) < 2 && allDates(layout, cells) && !(len(fit) == 1 && sameDates(fit[0], layout, cells)) {
			fit = append(fit, layout)
		}
	}
	return fit
}

func allDates(layout string, cells []string) bool {
	for _, cell := range cells {
		if _, ok := parseDate(layout, cell); !ok {
			return false
		}
	}
	return len(cells) > 0
}

func sameDates(a, b string, cells []string) bool {
	for _, cell := range cells {
		x, _ := parseDate(a, cell)
		y, _ := parseDate(b, cell)
		if x != y {
			return false
		}
	}
	return true
}
