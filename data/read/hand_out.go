package read

import "slices"

// hasRows reports whether parsed rows are pending. It drops pieces without such rows.
func (s *Stream) hasRows() bool {
	for len(s.pending) > 0 && s.pending[0].taken == len(s.pending[0].lines) {
		s.pending = slices.Delete(s.pending, 0, 1)
	}
	return len(s.pending) > 0
}

// countRows returns the number of rows of the first pending piece.
func (s *Stream) countRows() int {
	if !s.hasRows() {
		return 0
	}
	return len(s.pending[0].lines) - s.pending[0].taken
}

// take hands out the next n rows, at most countRows. It appends their values to groups, one slice for each of the first
// groups of Table.Groups, and their line numbers to lines unless lines is nil.
func (s *Stream) take(n int, lines *[]int, groups ...*[]float64) {
	p := s.pending[0]
	width := len(s.columns)
	for row := p.taken; row < p.taken+n; row++ {
		values := p.values[row*width : (row+1)*width]
		for g, to := range groups {
			size := len(s.schema.groups[g])
			*to = append(*to, values[:size]...)
			values = values[size:]
		}
		if lines != nil {
			*lines = append(*lines, p.firstLine+p.lines[row])
		}
	}
	if s.keptTexts != nil {
		s.keptTexts.AddRows(&p.kept, p.taken, p.taken+n)
	}
	p.taken += n
	s.rowCount += n
	s.lastLine = p.firstLine + p.lines[p.taken-1]
}

// noteNumbers stores the numbers in the file of the next n rows, at most countRows, unless all rows so far are numbered
// without gaps. The rows of a sheet have visible numbers, also the blank ones; blank lines of text are no rows.
func (s *Stream) noteNumbers(n int) {
	p := s.pending[0]
	next := p.numbers[p.taken : p.taken+n]
	if s.numbers == nil && p.firstNumber+next[n-1] == s.rowCount+n {
		return
	}
	for len(s.numbers) < s.rowCount {
		s.numbers = append(s.numbers, len(s.numbers)+1)
	}
	for _, i := range next {
		s.numbers = append(s.numbers, p.firstNumber+i)
	}
}
