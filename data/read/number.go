package read

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// parseNumber parses a finite number in decimal notation, perhaps in characters that inASCII replaces. ok is false for
// all other texts; err is then nil for NaN and infinity, errNotation for Go's other notations (0x1p4, 1_000), and the
// error of strconv.ParseFloat for anything else.
func parseNumber(field string) (v float64, ok bool, err error) {
	v, err = strconv.ParseFloat(field, 64)
	if err != nil && mayNeedASCII(field) {
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

// mayNeedASCII reports whether inASCII may change a text.
func mayNeedASCII(text string) bool { return strings.IndexByte(text, '\'') >= 0 || !isASCII(text) }

// clearlyGrouped matches a number with no-break spaces or apostrophes between its thousands, which can mean nothing else.
var clearlyGrouped = regexp.MustCompile(`^[-+\x{2212}]?[1-9][0-9]{0,2}([\x{a0}\x{202f}'\x{2019}][0-9]{3})+([.,][0-9]*)?$`)

// inASCII returns a number with a minus sign (U+2212), full-width characters, or no-break spaces or apostrophes between its
// thousands in ASCII, without these separators. It leaves other characters as they are.
func inASCII(number string) string {
	if !mayNeedASCII(number) {
		return number
	}
	if clearlyGrouped.MatchString(number) {
		number = strings.NewReplacer("\u00a0", "", "\u202f", "", "'", "", "\u2019", "").Replace(number)
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

// formatNumber returns the shortest text that reads back as the same number, without an exponent
// where people would write none.
func formatNumber(v float64) string {
	if a := math.Abs(v); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
