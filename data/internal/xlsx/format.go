package xlsx

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// Format tells dates and percentages from other numbers. A workbook stores a date as a number
// of days, and only the format of the cell says that it is a date.
type Format byte

const (
	General    Format = iota
	Percentage        // a fraction
	Day               // days since 1900 or 1904
	Moment            // days since 1900 or 1904, with a time of the day
)

// readStyles reads the format of each cell style.
func (b *Book) readStyles() error {
	codes := make(map[string]string) // own number formats, by their IDs
	inStyles := false
	return b.readPart("xl/styles.xml", func(p *partReader, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if len(codes) == maxStyles {
				return fmt.Errorf("more than %d number formats", maxStyles)
			}
			codes[attribute(e, "numFmtId")] = attribute(e, "formatCode")
		case "cellStyleXfs", "cellStyles":
			inStyles = false
		case "cellXfs":
			inStyles = true
		case "xf":
			if !inStyles {
				return nil
			}
			if len(b.formats) == maxStyles {
				return fmt.Errorf("more than %d cell styles", maxStyles)
			}
			b.formats = append(b.formats, formatOfStyle(attribute(e, "numFmtId"), codes))
		}
		return nil
	})
}

// formatOf returns the format of a number format.
func formatOfStyle(id string, codes map[string]string) Format {
	if code, ok := codes[id]; ok {
		return formatOfCode(code)
	}
	n, _ := strconv.Atoi(id)
	switch { // formats that every workbook has: ECMA-376 part 1, 18.8.30
	case n == 9, n == 10:
		return Percentage
	case n == 22:
		return Moment
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58:
		return Day
	}
	return General
}

// formatOfCode returns the format of a number format's code. A time without a day is no
// date.
func formatOfCode(code string) Format {
	letters := significantLetters(code)
	switch {
	case strings.ContainsAny(letters, "yd") && strings.ContainsAny(letters, "hs"):
		return Moment
	case strings.ContainsAny(letters, "yd"):
		return Day
	case strings.Contains(letters, "%"):
		return Percentage
	}
	return General
}

// significantLetters returns the letters of a number format for positive numbers, in lower
// case, without literal text.
func significantLetters(code string) string {
	var out strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*': // the next character is shown, or its width
			i++
		case '"':
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '[':
			i += max(0, strings.IndexByte(code[i:], ']'))
		case ';': // negative numbers and others follow
			return strings.ToLower(out.String())
		default:
			out.WriteByte(code[i])
		}
	}
	return strings.ToLower(out.String())
}
