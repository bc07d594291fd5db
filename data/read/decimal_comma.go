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

// findDecimalComma returns a number with a decimal comma from the first rows of the used columns.
// It returns "" if no number has one, or if a number has a decimal point.
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
			cell = strings.TrimRight(strings.TrimSuffix(cell, "%"), " ")
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

// withDecimalPoint returns the cell, in which a decimal comma is replaced by a point. It returns
// errAmbiguousPoint for a number with a point in a file with decimal commas.
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

// parseNumber reads a finite number. If ok is false, err is an error of the function parseNumber
// or errAmbiguousPoint.
func (n notation) parseNumber(cell string) (v float64, ok bool, err error) {
	number, err := n.withDecimalPoint(cell)
	if err != nil {
		return 0, false, err
	}
	return parseNumber(number)
}

// parsePercentage reads a finite number with a percent sign, such as "50 %", which is 0.5.
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
	if !ok || strings.ContainsAny(number, "eE") {
		return v / 100, ok
	}
	v, ok, _ = parseNumber(number + "e-2") // rounded once: 44.9% is the number 0.449
	return v, ok
}

// explainNonNumber explains why parseNumber refused a cell with the error err.
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

// classifyCell returns the kind of a cell of the file. A number with an ambiguous point is foreign.
func (n notation) classifyCell(cell string) cellKind {
	if _, _, err := n.parseNumber(cell); err == errAmbiguousPoint {
		return foreignCell
	}
	return classifyCell(cell)
}

// commaToPoint writes a number with a decimal point in place of a comma, and without points
// between its thousands.
func commaToPoint(number string) string {
	return strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
}
