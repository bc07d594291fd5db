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
	Percentage        // a fraction, shown times 100
	Day               // days since 1900 or 1904
	Moment            // days since 1900 or 1904, with a fraction for the time of day
)

// readStyles reads the format of each cell style into b.formats.
func (b *Book) readStyles() error {
	codes := make(map[string]string) // codes of the workbook's own number formats, by ID
	inCellStyles := false            // whether xf elements are the styles that cells refer to
	return b.readPart("xl/styles.xml", func(p *partReader, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if len(codes) == maxStyles {
				return fmt.Errorf("the workbook has more than %d number formats", maxStyles)
			}
			codes[attribute(e, "numFmtId")] = attribute(e, "formatCode")
		case "cellStyleXfs", "cellStyles":
			inCellStyles = false
		case "cellXfs":
			inCellStyles = true
		case "xf":
			if !inCellStyles {
				return nil
			}
			if len(b.formats) == maxStyles {
				return fmt.Errorf("the workbook has more than %d cell styles", maxStyles)
			}
			b.formats = append(b.formats, formatOfID(attribute(e, "numFmtId"), codes))
		}
		return nil
	})
}

// formatOfID returns the format of the number format with the given ID: one of the workbook's
// own, whose codes are given by ID, or one that every workbook has.
func formatOfID(id string, codes map[string]string) Format {
	if code, ok := codes[id]; ok {
		return formatOfCode(code)
	}
	n, _ := strconv.Atoi(id)
	switch { // ECMA-376 part 1, 18.8.30
	case n == 9, n == 10:
		return Percentage
	case n == 22:
		return Moment
	case n >= 14 && n <= 17, n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58:
		return Day
	}
	return General
}

// formatOfCode returns the format that a code such as "yyyy-mm-dd hh:mm" shows. A time without
// a day is General.
func formatOfCode(code string) Format {
	letters := significantLetters(code)
	hasDay := strings.ContainsAny(letters, "yd") // m is a month or a minute
	hasTime := strings.ContainsAny(letters, "hs")
	switch {
	case hasDay && hasTime:
		return Moment
	case hasDay:
		return Day
	case strings.Contains(letters, "%"):
		return Percentage
	}
	return General
}

// significantLetters returns the part of a number format's code for positive numbers, in lower
// case, without literal text and conditions.
func significantLetters(code string) string {
	var out strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*': // the next character is shown, left out or repeated
			i++
		case '"': // a quoted text
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '[': // a color, condition or locale
			i += max(0, strings.IndexByte(code[i:], ']'))
		case ';': // the code for negative numbers follows
			return strings.ToLower(out.String())
		default:
			out.WriteByte(code[i])
		}
	}
	return strings.ToLower(out.String())
}
