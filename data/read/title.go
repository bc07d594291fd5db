package read

import "slices"

// This file finds the header below titles, and makes it as wide as the rows.

// skipTitles drops the titles above the header, and adds a remark on them. If the first row may be a header itself, or if
// the options say whether there is a header, nothing is dropped.
func (s *Stream) skipTitles(o Options) {
	if o.Header == HeaderYes || o.Header == HeaderNo {
		return
	}
	titles := s.countTitles(o)
	if titles == 0 {
		return
	}
	var texts []string // of the titles
	for _, row := range s.peekedRows[:titles] {
		texts = append(texts, filledCells(row.cells)...)
	}
	s.titleRows = titles
	s.peekedRows = s.peekedRows[titles:]
	header := s.peekedRows[0]
	if sheet, isSheet := s.reader.(*sheetReader); isSheet {
		s.widenSheet(sheet, len(header.cells))
	}
	if texts != nil {
		position := s.reader.position()
		position.addRemark("the table begins in %s %d with the header %s; the text above it is skipped: %s",
			position.lineUnit(), header.line, listNames(filledCells(header.cells)), listNames(texts))
	}
}

// widenSheet gives all rows of a sheet the width of the header: a sheet has no empty cells at the end of a row.
func (s *Stream) widenSheet(sheet *sheetReader, width int) {
	sheet.firstRowWidth = width
	for i := range s.peekedRows {
		row := &s.peekedRows[i]
		for row.err == nil && len(row.cells) < width {
			row.cells = append(row.cells, "")
		}
	}
}

// countTitles returns the number of rows above the header, 0 if the first row is no title or there is no header. A header is
// the first row of texts alone, with more cells than every title, that is a header without any doubt.
func (s *Stream) countTitles(o Options) int {
	if o.Inputs != nil {
		return o.countTitlesAboveInputs(s.peekRow)
	}
	if !s.isNarrow(s.peekRow(0)) && o.looksLikeHeader(0, s.peekRow) {
		return 0
	}
	widest := countFilled(s.peekRow(0)) // cells of the widest title
	for n := 1; n <= maxTitleRows; n++ {
		row := s.peekRow(n)
		if row == nil {
			return 0
		}
		filled := countFilled(row)
		if filled <= widest {
			continue
		}
		if texts, _ := o.textsAndNumbers(row); len(texts) < filled { // a row of values
			return 0
		}
		if o.looksLikeHeader(n, s.peekRow) {
			return n
		}
		widest = filled
	}
	return 0
}

// isNarrow reports whether a row of delimited text has at least two cells less than most rows.
func (s *Stream) isNarrow(row []string) bool {
	return s.text != nil && len(row)+1 < s.text.dialect.columns
}

// looksLikeHeader reports whether row n is a header without any doubt, with a name that the options request or a name above
// a value. peek(n) returns the n-th row, or nil.
func (o Options) looksLikeHeader(n int, peek func(int) []string) bool {
	row := peek(n)
	below := o.skipUnits(row, func(k int) []string { return peek(n + k) })
	isHeader, note, err := o.detectHeader(row, below)
	if !isHeader || note != "" || err != nil {
		return false
	}
	hasValues := o.hasRequestedName(row)
	for i, name := range row {
		hasValues = hasValues || name != "" && firstValue(i, below) != ""
	}
	return hasValues
}

// countTitlesAboveInputs returns the number of rows above the row with the names of the inputs. The first row is no title
// if it has as many cells as inputs. peek(n) returns the n-th row, or nil.
func (o Options) countTitlesAboveInputs(peek func(int) []string) int {
	for n := 0; n <= maxTitleRows; n++ {
		row := peek(n)
		switch {
		case row == nil:
			return 0
		case o.hasInputNames(row):
			return n
		case countFilled(row) >= len(o.Inputs):
			return 0
		}
	}
	return 0
}

// fitFirstRow makes the first row as wide as the rows below, if they differ by one cell: rows of R begin with a name that
// the header lacks, and a delimiter may stand at the end of the rows or of the header only.
func (s *Stream) fitFirstRow(o Options) {
	first := s.peekedRows[0].cells
	sampled := lookAheadRows
	if o.Inputs != nil { // rows of a slow program come one by one
		withRowNames := slices.Insert(slices.Clone(first), 0, "")
		if !o.hasInputNames(first) && !o.hasInputNames(withRowNames) {
			return
		}
		sampled = 1
	}
	width, endEmpty, ok := s.widthBelow(sampled)
	if !ok {
		return
	}
	last := len(first) - 1
	lacksCell := width == len(first)+1
	switch {
	case lacksCell && endEmpty:
		first = append(first, "")
	case lacksCell && !slices.Contains(first, ""):
		first = slices.Insert(first, 0, "")
		s.reader.position().addRemark("the rows have a cell more than the header: the first is taken for the name of the row")
	case width == last && first[last] == "":
		first = first[:last]
	}
	s.peekedRows[0].cells = first
}

// widthBelow returns the number of cells of each of the given number of rows below the first one, and whether all of them end
// with an empty cell. ok is false if their widths differ, or if there is no row.
func (s *Stream) widthBelow(rows int) (width int, endEmpty, ok bool) {
	endEmpty = true
	for n := 1; n <= rows; n++ {
		row := s.peekRow(n)
		if row == nil {
			break
		}
		if width > 0 && len(row) != width {
			return 0, false, false
		}
		width = len(row)
		endEmpty = endEmpty && row[width-1] == ""
	}
	return width, endEmpty, width > 0
}
