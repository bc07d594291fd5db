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

// readStyles reads the format of each cell style into b.formats. The part lists the workbook's own
// number formats before the cell styles that refer to them by ID.
func (b *Book) readStyles() error {
	codes := make(map[string]string) // codes of the workbook's own number formats, by ID
	inCellStyles := false            // whether elements named xf are the styles that cells refer to
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
// own, whose codes are given by ID, or else a built-in one, which needs no code in the workbook.
func formatOfID(id string, codes map[string]string) Format {
	if code, ok := codes[id]; ok {
		return formatOfCode(code)
	}
	n, _ := strconv.Atoi(id) // 0, which is General, for an ID that is not a number
	switch {                 // the IDs of ECMA-376 part 1, 18.8.30
	case n == 9, n == 10: // 0% and 0.00%
		return Percentage
	case n == 22: // m/d/yy h:mm
		return Moment
	case n >= 14 && n <= 17: // dates such as mm-dd-yy
		return Day
	case n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58: // East Asian dates
		return Day
	}
	return General
}

// formatOfCode returns the format of a number format's code, such as Moment for "yyyy-mm-dd hh:mm". A
// time without a day is General.
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
	var letters strings.Builder
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\', '_', '*': // the next character is a literal, a width or a filler: skip it
			i++
		case '"': // a quoted text
			i += 1 + max(0, strings.IndexByte(code[i+1:], '"'))
		case '[': // a color, condition or locale
			i += max(0, strings.IndexByte(code[i:], ']'))
		case ';': // the code for negative numbers follows
			return strings.ToLower(letters.String())
		default:
			letters.WriteByte(code[i])
		}
	}
	return strings.ToLower(letters.String())
}
