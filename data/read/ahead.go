package read

import "slices"

// ahead is a row, or the error behind the last one.
type ahead struct {
	fields []string
	line   int
	err    error
}

// below returns row n of those that are not used yet, nil behind the last, or
// behind as much text as a row may have: what is read ahead is held.
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
