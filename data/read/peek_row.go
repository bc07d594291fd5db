package read

import "slices"

// peekedRow is a row that was read before it is needed, or the error that followed the last row.
type peekedRow struct {
	fields []string
	line   int
	err    error
}

// peekRow returns unused row n, counted from 0, without using it. It returns nil if there is no
// such row, or if more than maxRow bytes would be read ahead, since these rows stay in memory.
func (s *Stream) peekRow(n int) []string {
	for len(s.peekedRows) <= n {
		last := len(s.peekedRows) - 1
		if read, _ := s.reader.offset(); last >= 0 && (s.peekedRows[last].err != nil || read > maxRow) {
			return nil
		}
		fields, err := s.reader.next()
		s.peekedRows = append(s.peekedRows, peekedRow{slices.Clone(fields), s.reader.position().line, err})
	}
	if s.peekedRows[n].err != nil {
		return nil
	}
	return s.peekedRows[n].fields
}
