package read

import "slices"

// peekedRow is a row that was read ahead, or the error of reading it.
type peekedRow struct {
	row
	err error // nil if there is a row
}

// peekRow returns the cells of row n, from 0, of the remaining rows. It reads the rows up to it into s.peekedRows, where
// they stay. It returns nil if the row cannot be read, or if more than maxRow bytes would be read ahead, since these rows are
// held in memory.
func (s *Stream) peekRow(n int) []string {
	for len(s.peekedRows) <= n {
		last := len(s.peekedRows) - 1
		bytesRead, _ := s.reader.offset()
		if last >= 0 && (s.peekedRows[last].err != nil || bytesRead > maxRow) {
			return nil
		}
		r, err := s.reader.next()
		s.peekedRows = append(s.peekedRows, peekedRow{row{slices.Clone(r.cells), slices.Clone(r.stored), s.reader.position().line}, err})
	}
	if s.peekedRows[n].err != nil {
		return nil
	}
	return s.peekedRows[n].cells
}

// nextRow removes the next row that was read ahead and returns it. If there is none, it reads the next row. An error that
// ends the reading is not removed, so that every further call returns it.
func (s *Stream) nextRow() (row, error) {
	if len(s.peekedRows) == 0 {
		return s.reader.next()
	}
	next := s.peekedRows[0]
	s.reader.position().line = next.line
	if next.err == nil || IsRowError(next.err) {
		s.peekedRows = s.peekedRows[1:]
	}
	return next.row, next.err
}
