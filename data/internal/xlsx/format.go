package xlsx

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// Format is the kind of number that a cell shows. A workbook stores a date as a number of days, and only
// the format of the cell says that it is a date.
type Format byte

const (
	General    Format = iota
	Percentage        // a fraction, shown times 100
	Day               // days since 1900 or 1904
	Moment            // days since 1900 or 1904, with a fraction for the time of day
	Clock             // a time of day, as a fraction of a day
)

// readStyles sets b.formats to the format of each cell style. It returns an error if the workbook has too
// many number formats or styles. Number formats come before the cell styles that refer to them by ID.
func (b *Book) readStyles() error {
	codes := make(map[string]string) // codes of the workbook's own number formats, by ID
	inCellStyles := false            // whether elements named xf are cell styles here
	return b.readPart("xl/styles.xml", func(p *partReader, e xml.StartElement) {
		switch e.Name.Local {
		case "numFmt":
			if len(codes) == maxStyles {
				p.fail(fmt.Errorf("the workbook has more than %d number formats", maxStyles))
			}
			codes[attribute(e, "numFmtId")] = attribute(e, "formatCode")
		case "cellStyleXfs", "cellStyles":
			inCellStyles = false
		case "cellXfs":
			inCellStyles = true
		case "xf":
			if !inCellStyles {
				return
			}
			if len(b.formats) == maxStyles {
				p.fail(fmt.Errorf("the workbook has more than %d cell styles", maxStyles))
			}
			b.formats = append(b.formats, formatOfID(attribute(e, "numFmtId"), codes))
		}
	})
}

// formatOfID returns the format of the number format with the given ID. codes has the codes of the
// workbook's own number formats by ID; other IDs are built in.
func formatOfID(id string, codes map[string]string) Format {
	if code, ok := codes[id]; ok {
		return formatOfCode(code)
	}
	n, _ := strconv.Atoi(id) // an ID that is not a number becomes 0, which is General
	switch {                 // the IDs of ECMA-376 part 1, 18.8.30
	case n == 9, n == 10: // 0% and 0.00%
		return Percentage
	case n == 22: // m/d/yy h:mm
		return Moment
	case n >= 18 && n <= 21: // times such as h:mm:ss
		return Clock
	case n >= 14 && n <= 17: // dates such as mm-dd-yy
		return Day
	case n >= 27 && n <= 31, n == 36, n >= 50 && n <= 54, n == 57, n == 58: // East Asian dates
		return Day
	}
	return General
}

// formatOfCode returns the format of a number format's code, such as Moment for "yyyy-mm-dd hh:mm". Minutes and seconds
// alone, and hours in brackets, are durations and General.
func formatOfCode(code string) Format {
	letters := placeholders(code)
	hasDay := strings.ContainsAny(letters, "yd") // not m, which is a month or a minute
	hasTime := strings.ContainsAny(letters, "hs")
	switch {
	case hasDay && hasTime:
		return Moment
	case hasDay:
		return Day
	case strings.Contains(letters, "h"):
		return Clock
	case strings.Contains(letters, "%"):
		return Percentage
	}
	return General
}

// placeholders returns the characters of a number format's code that stand for a part of the number, in
// lower case: without literal text and without conditions. The code for positive numbers comes first and
// ends at a semicolon; placeholders ignores the others.
func placeholders(code string) string {
	var letters strings.Builder
	for code != "" && code[0] != ';' {
		skipped := literalLength(code)
		if skipped == 0 {
			letters.WriteByte(code[0])
			skipped = 1
		}
		code = code[min(skipped, len(code)):]
	}
	return strings.ToLower(letters.String())
}

// literalLength returns the length of the literal text or condition that a code, which is not empty, begins
// with. It returns 0 if the code begins with a placeholder. The length can exceed the code.
func literalLength(code string) int {
	switch code[0] {
	case '\\', '_', '*': // the next character is a literal, a width or a filler
		return 2
	case '"': // quoted text; without a second quote, only the next character
		return 2 + max(0, strings.IndexByte(code[1:], '"'))
	case '[': // a color, condition or locale
		return 1 + max(0, strings.IndexByte(code, ']'))
	}
	return 0
}
