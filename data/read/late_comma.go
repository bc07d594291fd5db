package read

import (
	"context"
	"io"
	"slices"
)

// mayHaveLateCommas reports whether a file, which was refused, has numbers with commas, and a row after the first ones may
// prove that these are decimal commas.
func (s *Stream) mayHaveLateCommas(o Options) bool {
	return s.size > 0 && o.findsKinds() && o.Decimal+o.Thousands == "" && !s.Layout.DecimalComma && s.hasCommaNumbers()
}

// findLateDecimalComma returns a number of a file that proves decimal commas, wherever it stands. It returns "" if there is
// none, or if a number has a decimal point.
func findLateDecimalComma(ctx context.Context, path string, o Options) (example string, err error) {
	s, err := OpenFile(ctx, path, o)
	if err != nil {
		return "", err
	}
	defer s.Close()
	var signs decimalSigns
	for signs.point == "" {
		cells, err := s.nextRow()
		switch {
		case err == nil || IsRowError(err):
			signs.addCells(cells, s.stored, s.columns)
		case err == io.EOF:
			return signs.comma, nil
		default:
			return "", err
		}
	}
	return "", nil
}

// hasCommaNumbers reports whether a number with a comma was refused, or kept as a text.
func (s *Stream) hasCommaNumbers() bool {
	hasCommas := func(c *column) bool { return slices.ContainsFunc(c.texts, isDecimalCommaNumber) }
	return s.commaMistake || slices.ContainsFunc(s.columns, hasCommas)
}
