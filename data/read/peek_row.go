package read

import "slices"

// peekedRow is a row that was read ahead, or the error of reading it.
type peekedRow struct {
	fields []string
	stored []bool // storedNumbers of the row
	line   int
	err    error // nil if fields is a row
}

// peekRow returns row n, from 0, of the remaining rows. It reads the rows up to
// it into s.peekedRows, where they stay. It returns nil if the row cannot be read, or if more than
// maxRow bytes would be read ahead, since these rows are held in memory.
func (s *Stream) peekRow(n int) []string {
	for len(s.peekedRows) <= n {
		last := len(s.peekedRows) - 1
		bytesRead, _ := s.reader.offset()
		if last >= 0 && (s.peekedRows[last].err != nil || bytesRead > maxRow) {
			return nil
		}
		fields, err := s.reader.next()
		s.peekedRows = append(s.peekedRows, peekedRow{slices.Clone(fields), slices.Clone(s.reader.storedNumbers()), s.reader.position().line, err})
	}
	if s.peekedRows[n].err != nil {
		return nil
	}
	return s.peekedRows[n].fields
}
