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
	for len(s.aheadRows) <= n {
		last := len(s.aheadRows) - 1
		if read, _ := s.reader.offset(); last >= 0 && (s.aheadRows[last].err != nil || read > maxRow) {
			return nil
		}
		fields, err := s.reader.next()
		s.aheadRows = append(s.aheadRows, aheadRow{slices.Clone(fields), s.reader.position().line, err})
	}
	if s.aheadRows[n].err != nil {
		return nil
	}
	return s.aheadRows[n].fields
}
