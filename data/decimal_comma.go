package data

import (
	"regexp"
	"strings"
)

var (
	withComma = regexp.MustCompile(`^[-+]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]*),[0-9]+$`) // 0,5 and 1.234,5
	withPoint = regexp.MustCompile(`^[-+]?[0-9]*\.[0-9]+$`)
	thousands = regexp.MustCompile(`^[-+]?[0-9]{1,3}(,[0-9]{3})+$`)
)

// decimalCommas tells whether numbers are written with commas, by the rows that are
// looked at to tell a header: some have one that separates no thousands, and none has
// a point. It returns one of them.
func decimalCommas(below func(int) []string) (such string, ok bool) {
	for n := range lookAhead {
		row := below(n)
		if row == nil {
			break
		}
		for _, cell := range row {
			switch {
			case strings.IndexByte(cell, '.') >= 0 && withPoint.MatchString(cell):
				return "", false
			case such == "" && strings.IndexByte(cell, ',') >= 0 && withComma.MatchString(cell) && !thousands.MatchString(cell):
				such = cell
			}
		}
	}
	return such, such != ""
}

// pointed writes numbers with a point, in place.
func pointed(cells []string) {
	for i, cell := range cells {
		if strings.IndexByte(cell, ',') >= 0 && withComma.MatchString(cell) {
			cells[i] = withAPoint(cell)
		}
	}
}

func withAPoint(number string) string {
	return strings.Replace(strings.ReplaceAll(number, ".", ""), ",", ".", 1)
}
