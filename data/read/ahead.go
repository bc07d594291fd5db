package read

import "slices"

// ahead is a row that was read before it is needed, or the error that followed the last row.
type ahead struct {
	fields []string
	line   int
	err    error
}

// below returns unused row n, counted from 0, without using it. It returns nil if there is no
// such row, or if more than maxRow bytes would be read ahead, since these rows stay in memory.
func (s *Stream) below(n int) []string {
	for len(s.ahead) <= n {
		last := len(s.ahead) - 1
		if read, _ := s.rec.offset(); last >= 0 && (s.ahead[last].err != nil || read > maxRow) {
			return nil
		}
		fields, err := s.rec.next()
		s.ahead = append(s.ahead, ahead{slices.Clone(fields), s.rec.at().line, err})
	}
	if s.ahead[n].err != nil {
		return nil
	}
	return s.ahead[n].fields
}
