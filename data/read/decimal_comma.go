package read

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sml/data"
)

var (
	withComma = regexp.MustCompile(`^[-+]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]*),[0-9]+$`) // 0,5 and 1.234,5
	withPoint = regexp.MustCompile(`^[-+]?[0-9]*\.[0-9]+$`)
	thousands = regexp.MustCompile(`^[-+]?[0-9]{1,3}(,[0-9]{3})+$`)
)

// decimalCommas returns a number with a decimal comma from the first rows of the columns to
// read. It returns "" if no number has one, or if a number has a decimal point.
func (s *Stream) decimalCommas(read []bool) (example string) {
	for n := range lookAhead {
		row := s.peekRow(n)
		if row == nil {
			break
		}
		for i, cell := range row[:min(len(row), len(read))] {
			cell = strings.TrimRight(strings.TrimSuffix(cell, "%"), " ")
			switch {
			case !read[i] || s.choice.asked[i] == data.Category:
			case strings.IndexByte(cell, '.') >= 0 && withPoint.MatchString(cell):
				return ""
			case example == "" && strings.IndexByte(cell, ',') >= 0 && withComma.MatchString(cell) && !thousands.MatchString(cell):
				example = cell
			}
		}
	}
	return example
}

// notation is how a file writes numbers.
type notation struct {
	comma bool // with a decimal comma
}

// errPoint is the error of a number with a point in a file with decimal commas, where the
// point may be a decimal point or separate thousands.
var errPoint = errors.New("a point in a file with decimal commas")

// decimal returns a number as parseNumber reads it, and errPoint where a point is not known
// to be a decimal point.
func (n notation) decimal(cell string) (string, error) {
	switch {
	case !n.comma:
	case strings.IndexByte(cell, ',') >= 0 && withComma.MatchString(cell):
		return replaceComma(cell), nil
	case strings.IndexByte(cell, '.') >= 0:
		if _, ok, _ := parseNumber(cell); ok {
			return cell, errPoint
		}
	}
	return cell, nil
}

// parse reads a finite number. It returns the errors of parseNumber, and errPoint.
func (n notation) parse(cell string) (v float64, ok bool, err error) {
	number, err := n.decimal(cell)
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
	number, err := n.decimal(strings.TrimRight(number, " \u00a0\u202f"))
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
func (n notation) whatIsWrong(cell string, err error) string {
	_, percentage := n.parsePercentage(cell)
	switch {
	case err == errPoint:
		says := fmt.Sprintf("%s has a point, and numbers of this file have decimal commas; write %s if it is a decimal point", excerpt(cell), strings.Replace(cell, ".", ",", 1))
		if byPoints.MatchString(cell) {
			says += fmt.Sprintf(", %s if it separates thousands", strings.Replace(cell, ".", "", 1))
		}
		return says
	case percentage:
		return excerpt(cell) + " is a percentage, and not a plain number"
	}
	return whatIsWrong(cell, err)
}

// writingOf is writingOf for the numbers of a file.
func (n notation) writingOf(cell string) writing {
	if _, _, err := n.parse(cell); err == errPoint {
		return foreign
	}
	return writingOf(cell)
}

// replaceComma writes a number with a decimal point in place of a comma.
func replaceComma(number string) string {
	return strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
}
