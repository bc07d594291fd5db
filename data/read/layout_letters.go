package read

import (
	"strings"

	"sml/data"
)

// This file converts layouts of dates between the letters that users write and the notation of package time.

// layoutElements are the elements of layouts of package time for one letter, for two letters and so on; more letters than
// elements mean the last one. The elements are parts of the reference time of package time, which is 3:04:05 PM (15:04:05) on
// January 2, 2006.
var layoutElements = map[byte][]string{
	'y': {"2006", "06", "2006"},
	'm': {"1", "01", "Jan", "January"},
	'd': {"2", "02"},
	'h': {"15"},
	's': {"5", "05"},
}

var (
	minuteElements = []string{"4", "04"} // for the letter m after hours
	hour12Elements = []string{"3", "03"} // for the letter h beside PM
)

// parseLayoutLetters returns the layout, in the notation of package time, that users write with
// letters, such as yyyy-mm-dd HH:MM or d/m/yyyy h:mm PM. An m is a minute after hours, and a month
// elsewhere. Other characters stand for themselves. Seconds and milliseconds since 1970 have names instead.
func parseLayoutLetters(letters string) string {
	if letters == data.UnixSeconds || letters == data.UnixMillis {
		return letters
	}
	var layout strings.Builder
	hasPM := strings.Contains(strings.ToUpper(letters), "PM")
	afterHours := false
	for rest := letters; rest != ""; {
		n := countRepeats(rest)
		letter := lowerASCII(rest[0])
		element := rest[:n]
		if hasPM && letter == 'p' && len(rest) > 1 && lowerASCII(rest[1]) == 'm' {
			n = len("PM")
			element = string([]byte{rest[0], rest[0] - 'P' + 'M'}) // Pm is PM
		} else if elements := elementsOf(letter, afterHours, hasPM); elements != nil {
			element = elements[min(n, len(elements))-1]
		}
		layout.WriteString(element)
		afterHours = afterHours || letter == 'h'
		rest = rest[n:]
	}
	return layout.String()
}

// elementsOf returns the elements for a letter as layoutElements has them, and nil for a character that stands for itself.
// afterHours is true after an element of hours, and hasPM if hours go up to 12.
func elementsOf(letter byte, afterHours, hasPM bool) []string {
	switch {
	case letter == 'm' && afterHours:
		return minuteElements
	case letter == 'h' && hasPM:
		return hour12Elements
	}
	return layoutElements[letter]
}

// lowerASCII returns an ASCII letter in lower case, which differs from upper case by one bit.
func lowerASCII(letter byte) byte { return letter | 0x20 }

// countRepeats returns how often the first letter of text occurs at its start without another
// character between, in upper or lower case.
func countRepeats(text string) int {
	n := 1
	for n < len(text) && lowerASCII(text[n]) == lowerASCII(text[0]) {
		n++
	}
	return n
}

// formatLayoutLetters returns a layout in the letters that parseLayoutLetters takes.
func formatLayoutLetters(layout string) string {
	replacer := strings.NewReplacer(
		"2006", "yyyy", "January", "mmmm", "Jan", "mmm", "01", "mm", "02", "dd",
		"15", "HH", "03", "hh", "04", "MM", "05", "SS",
		"Q1", "Qq", "W01-1", "Www-d", "W01", "Www", "06", "yy", "-07:00", "±hh:mm", "-0700", "±hhmm", "-07", "±hh", "PM", "PM",
		"Z07:00", "Z07:00", // the offset of a time zone stays
		"1", "m", "2", "d", "3", "h",
	)
	return replacer.Replace(layout)
}
