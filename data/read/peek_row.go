package read

import "slices"

// aheadRow is a row that was read before it is needed, or the error that followed the last row.
type aheadRow struct {
	fields []string
	line   int
	err    error
}

// peekRow returns unused row n, counted from 0, without using it. It returns nil if there is no
// such row, or if more than maxRow bytes would be read ahead, since these rows stay in memory.
func (s *Stream) peekRow(n int) []string {
	for len(s.ahead) <= n {
		last := len(s.ahead) - 1
		if read, _ := s.rec.offset(); last >= 0 && (s.ahead[last].err != nil || read > maxRow) {
			return nil
		}
		fields, err := s.rec.next()
		s.ahead = append(s.ahead, aheadRow{slices.Clone(fields), s.rec.at().line, err})
	}
	if s.ahead[n].err != nil {
		return nil
	}
	return s.ahead[n].fields
}
