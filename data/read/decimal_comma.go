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
	decimalPointNumber = regexp.MustCompile(`^[-+]?[0-9]*\.[0-9]+$`)
	thousandsNumber    = regexp.MustCompile(`^[-+]?[0-9]{1,3}(,[0-9]{3})+$`)
)

// decimalCommas returns a number with a decimal comma from the first rows of the columns to
// read. It returns "" if no number has one, or if a number has a decimal point.
func (s *Stream) findDecimalComma(read []bool) (example string) {
	for n := range lookAheadRows {
		row := s.peekRow(n)
		if row == nil {
			break
		}
		for i, cell := range row[:min(len(row), len(read))] {
			cell = strings.TrimRight(strings.TrimSuffix(cell, "%"), " ")
			switch {
			case !read[i] || s.columns.declaredKinds[i] == data.Category:
			case strings.IndexByte(cell, '.') >= 0 && decimalPointNumber.MatchString(cell):
				return ""
			case example == "" && strings.IndexByte(cell, ',') >= 0 && decimalCommaNumber.MatchString(cell) && !thousandsNumber.MatchString(cell):
				example = cell
			}
		}
	}
	return example
}

// notation is how a file writes numbers.
type notation struct {
	decimalComma bool // with a decimal comma
}

// errPoint is the error of a number with a point in a file with decimal commas, where the
// point may be a decimal point or separate thousands.
var errAmbiguousPoint = errors.New("a point in a file with decimal commas")

// decimal returns a number as parseNumber reads it, and errPoint where a point is not known
// to be a decimal point.
func (n notation) withDecimalPoint(cell string) (string, error) {
	switch {
	case !n.decimalComma:
	case strings.IndexByte(cell, ',') >= 0 && decimalCommaNumber.MatchString(cell):
		return commaToPoint(cell), nil
	case strings.IndexByte(cell, '.') >= 0:
		if _, ok, _ := parseNumber(cell); ok {
			return cell, errAmbiguousPoint
		}
	}
	return cell, nil
}

// parse reads a finite number. It returns the errors of parseNumber, and errPoint.
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
	number, err := n.withDecimalPoint(strings.TrimRight(number, " \u00a0\u202f"))
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

// whatIsWrong explains why parse refused a cell with the error err.
func (n notation) explainNonNumber(cell string, err error) string {
	_, percentage := n.parsePercentage(cell)
	switch {
	case err == errAmbiguousPoint:
		says := fmt.Sprintf("%s has a point, and numbers of this file have decimal commas; write %s if it is a decimal point", quoteShort(cell), strings.Replace(cell, ".", ",", 1))
		if groupedByPoints.MatchString(cell) {
			says += fmt.Sprintf(", %s if it separates thousands", strings.Replace(cell, ".", "", 1))
		}
		return says
	case percentage:
		return quoteShort(cell) + " is a percentage, and not a plain number"
	}
	return explainNonNumber(cell, err)
}

// writingOf is writingOf for the numbers of a file.
func (n notation) classifyCell(cell string) cellKind {
	if _, _, err := n.parseNumber(cell); err == errAmbiguousPoint {
		return foreignCell
	}
	return classifyCell(cell)
}

// replaceComma writes a number with a decimal point in place of a comma.
func commaToPoint(number string) string {
	return strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
}
