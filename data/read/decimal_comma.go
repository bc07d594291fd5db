package read

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sml/data"
)

var (
	decimalCommaNumber = regexp.MustCompile(`^[-+]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]*),[0-9]+$`) // 0,5 and 1.234,5
	decimalPointNumber = regexp.MustCompile(`^[-+]?[0-9]*\.[0-9]+$`)                          // 0.5
	thousandsNumber    = regexp.MustCompile(`^[-+]?[0-9]{1,3}(,[0-9]{3})+$`)                  // 1,234
)

// findDecimalComma returns a number with a decimal comma from the first rows of the used columns. It
// returns "" if no number has a decimal comma, or if a number has a decimal point. A number such as
// 1,234 proves nothing, as its comma may separate thousands.
func (s *Stream) findDecimalComma(used []bool) (example string) {
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if row == nil {
			break
		}
		for i, cell := range row[:min(len(row), len(used))] {
			if !used[i] || s.columns.declaredKinds[i] == data.Category {
				continue
			}
			cell = strings.TrimRight(strings.TrimSuffix(cell, "%"), " ") // a percentage is a number, too
			if isDecimalPointNumber(cell) {
				return ""
			}
			if example == "" && isDecimalCommaNumber(cell) && !thousandsNumber.MatchString(cell) {
				example = cell
			}
		}
	}
	return example
}

// isDecimalPointNumber reports whether a cell is a number with a decimal point.
func isDecimalPointNumber(cell string) bool {
	return strings.IndexByte(cell, '.') >= 0 && decimalPointNumber.MatchString(cell) // IndexByte is fast
}

// isDecimalCommaNumber reports whether a cell is a number with a decimal comma, or one with commas
// between thousands that looks the same.
func isDecimalCommaNumber(cell string) bool {
	return strings.IndexByte(cell, ',') >= 0 && decimalCommaNumber.MatchString(cell) // IndexByte is fast
}

// notation is how a file writes numbers.
type notation struct {
	decimalComma bool // numbers are written like 0,5
}

// errAmbiguousPoint is the error for a number with a point in a file with decimal commas, where
// the point may be a decimal point or separate thousands.
var errAmbiguousPoint = errors.New("a point in a file with decimal commas")

// withDecimalPoint returns a cell of the file as parseNumber expects it: with a point in place of a
// decimal comma, and without points between thousands. It returns errAmbiguousPoint for a number with
// a point in a file with decimal commas.
func (n notation) withDecimalPoint(cell string) (string, error) {
	if !n.decimalComma {
		return cell, nil
	}
	if isDecimalCommaNumber(cell) {
		return commaToPoint(cell), nil
	}
	if strings.IndexByte(cell, '.') >= 0 {
		if _, ok, _ := parseNumber(cell); ok {
			return cell, errAmbiguousPoint
		}
	}
	return cell, nil
}

// parseNumber parses a finite number of the file. If ok is false, err is errAmbiguousPoint or the error,
// perhaps nil, of the function parseNumber.
func (n notation) parseNumber(cell string) (v float64, ok bool, err error) {
	number, err := n.withDecimalPoint(cell)
	if err != nil {
		return 0, false, err
	}
	return parseNumber(number)
}

// parsePercentage parses a finite number with a percent sign: "50 %" is 0.5. ok is false for any other
// cell.
func (n notation) parsePercentage(cell string) (v float64, ok bool) {
	number, ok := strings.CutSuffix(cell, "%")
	if !ok {
		return 0, false
	}
	number, err := n.withDecimalPoint(strings.TrimRight(number, " \u00a0\u202f")) // also no-break spaces
	if err != nil {
		return 0, false
	}
	v, ok, _ = parseNumber(number)
	hasExponent := strings.ContainsAny(number, "eE")
	if !ok || hasExponent {
		return v / 100, ok
	}
	v, ok, _ = parseNumber(number + "e-2") // a quotient would be rounded twice, and 44.9% would not be 0.449
	return v, ok
}

// explainNonNumber returns why a cell of the file is not a number, and how to write it. err is the
// error of n.parseNumber.
func (n notation) explainNonNumber(cell string, err error) string {
	if err == errAmbiguousPoint {
		asComma := strings.Replace(cell, ".", ",", 1)
		message := fmt.Sprintf("%s has a point, and numbers of this file have decimal commas; write %s if it is a decimal point", quoteShort(cell), asComma)
		if groupedByPoints.MatchString(cell) {
			message += fmt.Sprintf(", %s if it separates thousands", strings.Replace(cell, ".", "", 1))
		}
		return message
	}
	if _, ok := n.parsePercentage(cell); ok {
		return quoteShort(cell) + " is a percentage, and not a plain number"
	}
	return explainNonNumber(cell, err)
}

// classifyCell returns the kind of a cell of the file, as the function classifyCell does, but a number
// with an ambiguous point is a foreignCell.
func (n notation) classifyCell(cell string) cellKind {
	if _, _, err := n.parseNumber(cell); err == errAmbiguousPoint {
		return foreignCell
	}
	return classifyCell(cell)
}

// commaToPoint returns a number such as 1.234,5 with a decimal point in place of the comma, and
// without points between its thousands.
func commaToPoint(number string) string {
	return strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
}
