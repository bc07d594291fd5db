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
	"unicode/utf8"

	"sml/data"
)

// This file recognises cells other than plain numbers, and says how to write them.

// cellKind is the kind of a cell, judged by its text alone.
type cellKind int

const (
	numberCell   cellKind = iota
	missingCell           // a usual text for a missing value
	misspeltCell          // a number in a notation that parseNumber refuses, such as 1,000 or Infinity
	codeCell              // digits that are no number in a usual notation, such as 10.0.1.1 or 0x1F
	textCell              // any other text
)

// isName reports whether a cell of this kind is not meant as a number.
func (k cellKind) isName() bool { return k == codeCell || k == textCell }

// spelling is a way to write a cell that parseNumber refuses.
type spelling struct {
	kind    cellKind
	matches func(text string, err error) bool // err is the error, perhaps nil, of parseNumber
	explain func(text string) string          // why the cell is not read as a number, and how to write it
}

// spellings are tried in this order. The last one matches every cell.
var spellings = []spelling{
	{missingCell, ignoreError(isMissingText), explainMissing},
	{misspeltCell, func(_ string, err error) bool { return err == nil }, says("is not finite; a finite number is needed")},
	{numberCell, func(_ string, err error) bool { return errors.Is(err, strconv.ErrRange) }, says("is too large for a 64-bit float (about 1.8e308)")},
	{textCell, ignoreError(beginsAsText), says("is not a number")}, // nearly all texts; the other conditions take long
	{misspeltCell, ignoreError(hasUnderscores), says("has an underscore between its digits; leave it out")},
	{codeCell, ignoreError(isCodeWithUnderscore), says("has an underscore between its digits; leave it out")},
	{codeCell, isOtherNotation, says("is not in decimal notation; write it as 16 or 1.6e1")},
	{misspeltCell, ignoreError(hasSeparators), explainSeparators},
	{misspeltCell, ignoreError(hasNonASCIIDigits), says("has a minus or digits other than those of ASCII; write it with - and 0 to 9")},
	{misspeltCell, ignoreError(fortranNumber.MatchString), says("has an exponent after a D; write an e in its place")},
	{codeCell, ignoreError(isCodeWithExponent), says("has an exponent after a D; write an e in its place")},
	{codeCell, ignoreError(digitsWithSigns.MatchString), says("is not a number")},
	{textCell, ignoreError(isAnyText), says("is not a number")},
}

// ignoreError returns a condition of a spelling that depends on the text alone.
func ignoreError(matches func(text string) bool) func(text string, err error) bool {
	return func(text string, _ error) bool { return matches(text) }
}

// says returns an explanation of a text, which it names first.
func says(message string) func(text string) string {
	return func(text string) string { return quoteShort(text) + " " + message }
}

// spellingOf returns the spelling of a cell that parseNumber refuses with the error err.
func spellingOf(cell string, err error) spelling {
	i := slices.IndexFunc(spellings, func(s spelling) bool { return s.matches(cell, err) })
	return spellings[i]
}

// classifyCell returns the kind of a cell. A number too large for float64 is a numberCell, and a whole number that float64
// does not have a textCell.
func classifyCell(cell string) cellKind {
	v, isNumber, err := parseNumber(cell)
	switch {
	case !isNumber:
		return spellingOf(cell, err).kind
	case isInexactWhole(cell, v):
		return textCell
	}
	return numberCell
}

// explainNonNumber returns why a cell is not a finite number, and how to write it. err is the error, perhaps nil, that
// parseNumber returned for the cell.
func explainNonNumber(cell string, err error) string { return spellingOf(cell, err).explain(cell) }

// isAnyText reports true for every text.
func isAnyText(string) bool { return true }

// beginsAsText reports whether the first character of a text, after signs and points, is no digit.
func beginsAsText(text string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "+-\u2212\uff0b\uff0d.,\uff0e\uff0c")) // also full-width characters
	return !unicode.IsDigit(first)
}

// explainMissing returns the message for a missing value where a number is needed.
func explainMissing(text string) string {
	return fmt.Sprintf("the value is missing (%s); fill it in, delete the row or drop the column", quoteShort(text))
}

// hasUnderscores reports whether a text is a number with underscores between its digits.
func hasUnderscores(text string) bool {
	return underscoredNumber.MatchString(text) || isCodeWithUnderscore(text) && hasNonASCIIDigits(text)
}

// isCodeWithUnderscore reports whether a text is digits with underscores and perhaps other separators.
func isCodeWithUnderscore(text string) bool {
	return strings.Contains(text, "_") && digitsWithSigns.MatchString(text)
}

// isOtherNotation reports whether a text is a number in another notation than the decimal one.
func isOtherNotation(text string, err error) bool {
	return err == errNotation || prefixedNumber.MatchString(text)
}

// hasSeparators reports whether a text is a number with a decimal comma, or with separators between thousands.
func hasSeparators(text string) bool { return explainSeparators(text) != "" }

// hasNonASCIIDigits reports whether a text is digits, some of which, or the minus, are not ASCII.
func hasNonASCIIDigits(text string) bool {
	return digitsWithSigns.MatchString(text) && strings.ContainsFunc(text, isNonASCIINumeric)
}

// isCodeWithExponent reports whether a text is digits with an exponent after a D, such as 1D4.
func isCodeWithExponent(text string) bool {
	return digitsWithSigns.MatchString(text) && strings.ContainsAny(text, "dD")
}

// mistakeReason returns why a text is not read as a number, without the text itself, so that texts with the same mistake
// have the same reason. message is the error with the text.
func mistakeReason(text, message string) string {
	if explainSeparators(text) != "" {
		return "separators"
	}
	return strings.ReplaceAll(message, quoteShort(text), "")
}

// Texts of digits that parseNumber refuses.
var (
	// digitsWithSigns matches digits, ASCII or not, with any separators and a sign, such as 1'234,5 and 10.0.1.1. An
	// exponent may follow, also after a D.
	digitsWithSigns = regexp.MustCompile(`^[-+\x{2212}]?[.,]?\p{Nd}[\p{Nd}.,'_\x{2019}\x{a0}\x{202f} ]*([dDeE][-+\x{2212}]?\p{Nd}+)?$`)
	// prefixedNumber matches 0x10, 0b11 and 0o7.
	prefixedNumber = regexp.MustCompile(`^[-+]?0[xXbBoO][0-9a-fA-F_.]*([pP][-+]?[0-9]+)?$`)
	// fortranNumber matches 1.5D+02. Without a point, as in 1D4, it may be a code.
	fortranNumber = regexp.MustCompile(`^[-+]?([0-9]+\.[0-9]*|\.[0-9]+)[dD][-+]?[0-9]+$`)
	// underscoredNumber matches 1_000. With other groups of digits, as in 2024_17, it is a code.
	underscoredNumber = regexp.MustCompile(`^[-+]?[0-9]{1,3}(_[0-9]{3})+(\.[0-9]*)?$`)
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

// missingTexts is the set of data.MissingTexts.
var missingTexts = func() map[string]bool {
	set := make(map[string]bool)
	for _, text := range data.MissingTexts {
		set[text] = true
	}
	return set
}()

// isMissingText reports whether a cell has one of the usual texts for a missing value.
func isMissingText(field string) bool {
	return missingTexts[strings.ToLower(field)] || strings.Contains(field, ".#") && windowsNaN.MatchString(field) // Contains is fast
}

// windowsNaN matches NaN and infinity as programs for Windows write them, such as -1.#IND and 1.#QNAN.
var windowsNaN = regexp.MustCompile(`^[-+]?1\.#(IND|INF|QNAN|SNAN)[0-9]*$`)

// isNonASCIINumeric reports whether r is a minus or a digit outside ASCII.
func isNonASCIINumeric(r rune) bool {
	return r == minusSign || r > unicode.MaxASCII && unicode.IsDigit(r)
}

// explainSeparators returns how to write a number with a decimal comma or with separators between
// its thousands, and "" for any other field. The comma of 1,234 may be either: the message says both.
func explainSeparators(field string) string {
	withPoint := strings.Replace(field, ",", ".", 1)
	_, isNumberWithPoint, _ := parseNumber(withPoint)
	hasGroupsByCommas := groupedByCommas.MatchString(field)
	hasGroups := hasGroupsByCommas || groupedByPoints.MatchString(field) || groupedByOthers.MatchString(field)
	if isInternetAddress(field) || !hasGroups && !isNumberWithPoint {
		return ""
	}
	quoted := quoteShort(field)
	switch {
	case hasGroupsByCommas && isNumberWithPoint: // one comma before three digits
		return fmt.Sprintf("%s has a comma; write %s if it separates thousands, %s if it is a decimal comma", quoted, strings.Replace(field, ",", "", 1), withPoint)
	case hasGroups:
		return fmt.Sprintf("%s has separators between thousands; write %s", quoted, removeSeparators(field))
	}
	return fmt.Sprintf("%s has a decimal comma; write it with a point, %s", quoted, withPoint)
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
