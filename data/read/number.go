package read

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// parseNumber parses a finite number in decimal notation, perhaps in characters that inASCII replaces. ok is false for
// all other texts; err is then nil for NaN and infinity, errNotation for Go's other notations (0x1p4, 1_000), and the
// error of strconv.ParseFloat for anything else.
func parseNumber(field string) (v float64, ok bool, err error) {
	v, err = strconv.ParseFloat(field, 64)
	if err != nil && !isASCII(field) {
		v, err = strconv.ParseFloat(inASCII(field), 64)
	}
	switch {
	case err != nil, math.IsNaN(v), math.IsInf(v, 0):
		return v, false, err
	case len(field) > 2 && hasGoNotation(field): // both notations need three characters
		return v, false, errNotation
	}
	return v, true, nil
}

// isASCII reports whether all characters of a text are ASCII.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] > unicode.MaxASCII {
			return false
		}
	}
	return true
}

// groupedByNoBreak matches a number with no-break spaces between its thousands, which can mean nothing else.
var groupedByNoBreak = regexp.MustCompile(`^[-+\x{2212}]?[1-9][0-9]{0,2}([\x{a0}\x{202f}][0-9]{3})+([.,][0-9]*)?$`)

// inASCII returns a number with a minus sign (U+2212), full-width characters or no-break spaces between its thousands in
// ASCII, without the spaces. It leaves other characters as they are.
func inASCII(number string) string {
	if isASCII(number) {
		return number
	}
	if groupedByNoBreak.MatchString(number) {
		number = strings.NewReplacer("\u00a0", "", "\u202f", "").Replace(number)
	}
	return strings.Map(func(r rune) rune {
		const firstFullWidth, lastFullWidth = '\uff01', '\uff5e' // ! to ~
		switch {
		case r == minusSign:
			return '-'
		case r >= firstFullWidth && r <= lastFullWidth:
			return r - firstFullWidth + '!'
		}
		return r
	}, number)
}

// minusSign is the minus of Unicode, which word processors and statistical programs write.
const minusSign = '\u2212'

// hasGoNotation reports whether a text of at least three characters, which strconv.ParseFloat accepts,
// is hexadecimal, such as 0x1p4 or -0x1p4, or has underscores between its digits.
func hasGoNotation(number string) bool {
	return isX(number[1]) || isX(number[2]) || strings.IndexByte(number, '_') >= 0
}

// isX reports whether c is an x in upper or lower case.
func isX(c byte) bool { return c == 'x' || c == 'X' }

// errNotation is returned for a number in a notation of Go other than decimal.
var errNotation = errors.New("not in decimal notation")

// cellKind is what the text of a cell looks like.
type cellKind int

const (
	numberCell   cellKind = iota
	missingCell           // a usual text for a missing value
	misspeltCell          // a number in a notation that parseNumber refuses, such as 1,000 or Infinity
	codeCell              // digits that are no number in any usual notation, such as 10.0.1.1 or 0x1F
	textCell              // anything else
)

// isName reports whether a cell of this kind is not meant as a number.
func (k cellKind) isName() bool { return k == codeCell || k == textCell }

// classifyCell returns the kind of a cell. A number too large for float64 is a numberCell; NaN and
// infinity are a missing value or a misspeltCell, and a whole number that float64 does not have a textCell.
func classifyCell(field string) cellKind {
	v, ok, err := parseNumber(field)
	switch {
	case ok && isInexactWhole(field, v):
		return textCell
	case ok, errors.Is(err, strconv.ErrRange):
		return numberCell
	case isMissingText(field):
		return missingCell
	case err == nil, isMisspelt(field):
		return misspeltCell
	case err == errNotation, digitsWithSigns.MatchString(field), prefixedNumber.MatchString(field):
		return codeCell
	}
	return textCell
}

// isMisspelt reports whether a text is meant as a number, and is written in a notation that parseNumber refuses.
func isMisspelt(field string) bool {
	hasOtherDigits := digitsWithSigns.MatchString(field) && strings.ContainsFunc(field, isNonASCIINumeric)
	return hasOtherDigits || fortranNumber.MatchString(field) || hasUnderscores.MatchString(field) || explainSeparators(field) != ""
}

// mostExact is the number below which float64 has every whole number.
const mostExact = 1 << 53

// isInexactWhole reports whether a text is a whole number that float64 does not have, where v is the nearest one. Such
// numbers are names, of accounts for instance: as numbers, different ones would be equal.
func isInexactWhole(text string, v float64) bool {
	if math.Abs(v) < mostExact {
		return false
	}
	digits := strings.TrimLeft(inASCII(text), "+-0")
	return strings.Trim(digits, "0123456789") == "" && strconv.FormatFloat(math.Abs(v), 'f', -1, 64) != digits
}

// Texts of digits that parseNumber refuses.
var (
	// digitsWithSigns matches digits with any separators, such as 1'234,5 and 10.0.1.1, also digits and a minus (U+2212)
	// that are not ASCII, and exponents after a D.
	digitsWithSigns = regexp.MustCompile(`^[-+\x{2212}]?[.,]?\p{Nd}[\p{Nd}.,'_\x{2019}\x{a0}\x{202f} ]*([dDeE][-+\x{2212}]?\p{Nd}+)?$`)
	// prefixedNumber matches 0x10, 0b11 and 0o7.
	prefixedNumber = regexp.MustCompile(`^[-+]?0[xXbBoO][0-9a-fA-F_.]*([pP][-+]?[0-9]+)?$`)
	// fortranNumber matches 1.5D+02. Without a point, as in 1D4, it may be a code.
	fortranNumber = regexp.MustCompile(`^[-+]?([0-9]+\.[0-9]*|\.[0-9]+)[dD][-+]?[0-9]+$`)
	// hasUnderscores matches 1_000.
	hasUnderscores = regexp.MustCompile(`^[-+]?[0-9]+(_[0-9]+)+(\.[0-9]*)?$`)
	// internetAddress matches four numbers, which are an internet address if all are below 256.
	internetAddress = regexp.MustCompile(`^[0-9]{1,3}(\.[0-9]{1,3}){3}$`)

	// Numbers with separators between thousands: 1,234.5 and 1.234,5 and 1'234.5. Other
	// separators are apostrophes and no-break spaces. A text such as 030 123 is a code.
	groupedByCommas = regexp.MustCompile(`^[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?$`)
	groupedByPoints = regexp.MustCompile(`^[-+]?[1-9][0-9]{0,2}(\.[0-9]{3})+(,[0-9]*)?$`)
	groupedByOthers = regexp.MustCompile(`^[-+]?[1-9][0-9]{0,2}(['\x{2019}\x{a0}\x{202f} ][0-9]{3})+([.,][0-9]*)?$`)
)

// isInternetAddress reports whether a text is an address such as 192.168.100.101, which looks like a number with points
// between its thousands.
func isInternetAddress(text string) bool {
	isTooLarge := func(part string) bool { n, _ := strconv.Atoi(part); return n > math.MaxUint8 }
	return internetAddress.MatchString(text) && !slices.ContainsFunc(strings.Split(text, "."), isTooLarge)
}

// isMissingText reports whether a cell has one of the usual texts for a missing value.
func isMissingText(field string) bool {
	switch strings.ToLower(field) {
	case "", "?", "-", "--", "–", "—", ".", "..", "na", "n/a", "#n/a", "<na>", "nan", "-nan", "+nan", "null", "none", "nil", "nat", "missing", `\n`, // PostgreSQL and MySQL write \N
		"0000-00-00", "0000-00-00 00:00:00", "0000-00-00t00:00:00", "0000-00-00t00:00:00z", "00/00/0000", "00.00.0000", // dates of databases
		"#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!", "#spill!", "#calc!", "#nv", "#wert!", "#bezug!", "#zahl!": // errors of workbooks, also of German ones
		return true
	}
	return strings.Contains(field, ".#") && windowsNaN.MatchString(field) // Contains is fast
}

// windowsNaN matches NaN and infinity as programs for Windows write them, such as -1.#IND and 1.#QNAN.
var windowsNaN = regexp.MustCompile(`^[-+]?1\.#(IND|INF|QNAN|SNAN)[0-9]*$`)

// formatNumber returns the shortest text that reads back as the same number, without an exponent
// where people would write none.
func formatNumber(v float64) string {
	if a := math.Abs(v); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// explainNonNumber returns why a field is not a finite number, and how to write it. err is the
// error, perhaps nil, that parseNumber returned for the field.
func explainNonNumber(field string, err error) string {
	quoted := quoteShort(field)
	switch {
	case isMissingText(field):
		return fmt.Sprintf("the value is missing (%s); fill it in, delete the row or drop the column", quoted)
	case err == nil:
		return quoted + " is not finite; a finite number is needed"
	case errors.Is(err, strconv.ErrRange):
		return quoted + " is too large for a 64-bit float (about 1.8e308)"
	case strings.Contains(field, "_") && digitsWithSigns.MatchString(field):
		return quoted + " has an underscore between its digits; leave it out"
	case err == errNotation, prefixedNumber.MatchString(field):
		return quoted + " is not in decimal notation; write it as 16 or 1.6e1"
	}
	if message := explainSeparators(field); message != "" {
		return message
	}
	switch {
	case digitsWithSigns.MatchString(field) && strings.ContainsFunc(field, isNonASCIINumeric):
		return quoted + " has a minus or digits other than those of ASCII; write it with - and 0 to 9"
	case digitsWithSigns.MatchString(field) && strings.ContainsAny(field, "dD"):
		return quoted + " has an exponent after a D; write an e in its place"
	}
	return quoted + " is not a number"
}

// mistakeReason returns why a text is not read as a number, without the text itself, so that texts with the same mistake
// have the same reason. message is the error with the text.
func mistakeReason(text, message string) string {
	if explainSeparators(text) != "" {
		return "separators"
	}
	return strings.ReplaceAll(message, quoteShort(text), "")
}

// isNonASCIINumeric reports whether r is a minus or a digit outside ASCII.
func isNonASCIINumeric(r rune) bool {
	return r == minusSign || r > unicode.MaxASCII && unicode.IsDigit(r)
}

// explainSeparators returns how to write a number with a decimal comma or with separators between
// its thousands, and "" for any other field. The comma of 1,234 may be either: the message says both.
func explainSeparators(field string) string {
	quoted := quoteShort(field)
	withPoint := strings.Replace(field, ",", ".", 1)
	_, isNumberWithPoint, _ := parseNumber(withPoint)
	hasGroupsByCommas := groupedByCommas.MatchString(field)
	hasGroups := hasGroupsByCommas || groupedByPoints.MatchString(field) || groupedByOthers.MatchString(field)
	switch {
	case isInternetAddress(field):
		return ""
	case hasGroupsByCommas && isNumberWithPoint: // one comma before three digits
		return fmt.Sprintf("%s has a comma; write %s if it separates thousands, %s if it is a decimal comma", quoted, strings.Replace(field, ",", "", 1), withPoint)
	case hasGroups:
		return fmt.Sprintf("%s has separators between thousands; write %s", quoted, removeSeparators(field))
	case isNumberWithPoint:
		return fmt.Sprintf("%s has a decimal comma; write it with a point, %s", quoted, withPoint)
	}
	return ""
}

// removeSeparators returns a number without the separators between its thousands. Its last point
// or comma is the decimal sign, and becomes a point, if that character occurs only once.
func removeSeparators(field string) string {
	whole, decimals := field, ""
	if i := strings.LastIndexAny(field, ".,"); i >= 0 && strings.Count(field, field[i:i+1]) == 1 {
		whole = field[:i]
		decimals = "." + field[i+1:]
	}
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("0123456789+-", r) {
			return r
		}
		return -1 // strings.Map drops it
	}, whole)
	return digits + decimals
}
