package read

import (
	"strings"
	"time"
)

// dateLayouts are the layouts of dates for recognising them, in the order of trying. Values with
// only one valid layout decide between layouts with the day first and with the month first.
var dateLayouts = func() []string {
	days := []string{
		"2006-01-02", "2006/01/02", "2006.01.02", "20060102", "2006-1-2", "2006/1/2", "2006.1.2",
		"02.01.2006", "02/01/2006", "01/02/2006", "02-01-2006", "01-02-2006",
		"2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "1-2-2006",
		"2 Jan 2006", "2-Jan-2006", "Jan 2 2006", "Jan 2, 2006", "2 January 2006", "January 2, 2006",
	}
	var all []string
	all = append(all, days...)
	for _, time := range []string{" 15:04:05", " 15:04", " 3:04:05 PM", " 3:04 PM", "T15:04:05Z07:00", " 15:04:05Z07:00", "T15:04:05", "T15:04"} {
		for _, day := range days {
			all = append(all, day+time)
		}
	}
	return append(all, "2006-1", "2006/1", "15:04:05", "15:04", "3:04 PM")
}()

// dateLayout returns the layout that people write with letters, such as yyyy-mm-dd HH:MM or
// d/m/yyyy h:mm PM: an m is a minute after hours, and a month elsewhere. Other characters stand
// for themselves.
func parseLayoutLetters(letters string) string {
	var out strings.Builder
	hours := false // whether hours are written already
	for rest := letters; rest != ""; {
		n := 1
		for n < len(rest) && rest[n]|0x20 == rest[0]|0x20 {
			n++
		}
		run := rest[:n]
		pad := func(one, two string) string {
			if n == 1 {
				return one
			}
			return two
		}
		switch letter := rest[0] | 0x20; {
		case letter == 'y':
			out.WriteString(pad("2006", map[bool]string{true: "06", false: "2006"}[n == 2]))
		case letter == 'm' && !hours && n >= 3:
			out.WriteString(map[bool]string{true: "Jan", false: "January"}[n == 3])
		case letter == 'm' && !hours:
			out.WriteString(pad("1", "01"))
		case letter == 'm':
			out.WriteString(pad("4", "04"))
		case letter == 'd':
			out.WriteString(pad("2", "02"))
		case letter == 'h':
			hours = true
			if strings.Contains(strings.ToUpper(letters), "PM") {
				out.WriteString(pad("3", "03"))
			} else {
				out.WriteString("15")
			}
		case letter == 's':
			out.WriteString(pad("5", "05"))
		case letter == 'p' && len(rest) > 1 && rest[1]|0x20 == 'm':
			out.WriteString(map[bool]string{true: "PM", false: "pm"}[rest[0] == 'P'])
			n = 2
		default:
			out.WriteString(run)
		}
		rest = rest[n:]
	}
	return out.String()
}

// letters returns a layout in the letters that dateLayout takes.
func formatLayoutLetters(layout string) string {
	return strings.NewReplacer("2006", "yyyy", "January", "mmmm", "Jan", "mmm", "01", "mm", "02", "dd", "15", "HH", "03", "hh", "04", "MM", "05", "SS",
		"Z07:00", "Z07:00", "1", "m", "2", "d", "3", "h").Replace(layout)
}

// parseDate returns a date as seconds since 1970.
func parseDate(layout, cell string) (float64, bool) {
	at, err := time.Parse(layout, cell)
	if err != nil {
		return 0, false
	}
	return float64(at.Unix()) + float64(at.Nanosecond())/1e9, true
}

// layoutsOf returns the first layout that fits all cells, and a second one if it gives them
// other dates.
func findDateLayouts(cells []string) (fit []string) {
	for _, layout := range dateLayouts {
		if len(fit) < 2 && indexNonDate(layout, cells) < 0 && !(len(fit) == 1 && haveSameDates(fit[0], layout, cells)) {
			fit = append(fit, layout)
		}
	}
	return fit
}

// indexNonDate returns the index of the first cell that the layout does not fit, −1 if it fits all
// cells, and 0 if there are no cells.
func indexNonDate(layout string, cells []string) int {
	for i, cell := range cells {
		if _, ok := parseDate(layout, cell); !ok {
			return i
		}
	}
	if len(cells) == 0 {
		return 0
	}
	return -1
}

// countNotDates returns the number of cells that are not dates of the layout.
func countNonDates(layout string, cells []string) int {
	n := 0
	for _, cell := range cells {
		if _, ok := parseDate(layout, cell); !ok {
			n++
		}
	}
	return n
}

func haveSameDates(a, b string, cells []string) bool {
	for _, cell := range cells {
		x, _ := parseDate(a, cell)
		y, _ := parseDate(b, cell)
		if x != y {
			return false
		}
	}
	return true
}

// layoutOf returns the first layout that fits the first cell, or "".
func firstDateLayout(cells []string) string {
	for _, layout := range dateLayouts {
		if len(cells) > 0 && indexNonDate(layout, cells[:1]) < 0 {
			return layout
		}
	}
	return ""
}
