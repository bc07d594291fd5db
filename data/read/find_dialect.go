package read

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
)

// delimiters are the delimiters that are recognised, in order of preference: a comma may be a decimal comma, and texts have
// commas and blanks.
const delimiters = ";\t|, "

// maxTitleRows is the number of rows above the header, titles and comments, up to which the header is found.
const maxTitleRows = 20

// findDialect returns the dialect of the text, and adds a remark if the first row suggests another one. It drops a
// first line that declares the delimiter, such as sep=;
//
// If the options name the inputs, it waits for the first row that has their names or number, so that the rows of a slow
// program are read as they come. Otherwise it looks at the first rows of the file.
func (r *textReader) findDialect(o Options) dialect {
	declared := r.readSeparatorLine()
	sample := o.peekSample(r.buffered)
	candidates := []rune(delimiters)
	usual := firstRowDelimiter(sample)
	if declared != 0 {
		candidates = []rune{declared}
		usual = declared
	}
	found := widestAgreement(sample, candidates)
	if o.Inputs != nil {
		found = o.matchingDialect(sample, preferring(usual, candidates))
	}
	if found.columns == 0 {
		return dialect{delimiter: usual}
	}
	if found.delimiter != usual {
		r.addRemark("columns are separated by %s", found.delimiterName())
	}
	return found
}

// readSeparatorLine reads a first line that declares the delimiter, and returns the delimiter. It returns 0 if there is no
// such line.
func (r *textReader) readSeparatorLine() rune {
	head, _ := r.buffered.Peek(min(r.buffered.Buffered(), maxFirstRow))
	match := separatorLine.FindSubmatch(head)
	if match == nil {
		return 0
	}
	r.discard(len(match[0]))
	r.skippedLines++
	return rune(match[1][0])
}

// peekSample waits for the rows by which the dialect is found, but for no more than maxFirstRow bytes, and leaves them in
// the buffer. The last row may be cut off.
func (o Options) peekSample(r *bufio.Reader) []byte {
	isEnough := func(head []byte) bool { return o.matchingRowEnd(head) > 0 }
	head, _ := peekUntil(r, maxFirstRow, isEnough)
	if end := o.matchingRowEnd(head); end > 0 {
		return head[:end]
	}
	return head
}

// matchingRowEnd returns the index after the first row that cannot stand above the rows with the inputs that the options
// name. It returns 0 if the text has no such row, or if the options name no inputs.
func (o Options) matchingRowEnd(text []byte) int {
	if o.Inputs == nil {
		return 0
	}
	end := 0
	for range maxTitleRows {
		length := firstRowEnd(text[end:]) + 1
		if length == 0 {
			return 0
		}
		row := text[end : end+length]
		end += length
		if !o.canStandAbove(row) {
			return end
		}
	}
	return end
}

// canStandAbove reports whether a row may be a comment or a title above the rows with the inputs that the options name: it
// has neither their names nor their values, and fewer fields, or words with blanks between them.
func (o Options) canStandAbove(row []byte) bool {
	isBlank := len(bytes.TrimSpace(row)) == 0
	if isBlank || row[0] == '#' {
		return true
	}
	usual := firstRowDelimiter(row)
	candidates := preferring(usual, []rune(delimiters))
	matches := func(isMatch func(row []string) bool) bool { return dialectWith(isMatch, row, candidates).columns > 0 }
	if matches(o.hasInputNames) || matches(o.hasInputValues) {
		return false
	}
	cells := sampleRows(row, usual)
	return len(cells) > 0 && (usual == ' ' || countFilled(cells[0]) < len(o.Inputs))
}

// matchingDialect returns the dialect in which one of the first rows has the names of the inputs or, if no row has them,
// their values or just as many fields. It returns no columns if there is no such dialect.
func (o Options) matchingDialect(sample []byte, candidates []rune) dialect {
	for _, isMatch := range []func(row []string) bool{o.hasInputNames, o.hasInputValues, o.hasInputWidth} {
		if found := dialectWith(isMatch, sample, candidates); found.columns > 0 {
			return found
		}
	}
	return dialect{}
}

// preferring returns the candidates with the usual one first, unless that is the blank, which other delimiters have beside
// them.
func preferring(usual rune, candidates []rune) []rune {
	if usual == ' ' {
		return candidates
	}
	return append([]rune{usual}, candidates...)
}

// dialectWith returns the first dialect in which one of the first rows matches. It returns no columns if there is none.
func dialectWith(isMatch func(row []string) bool, sample []byte, candidates []rune) dialect {
	for _, delimiter := range candidates {
		rows := sampleRows(sample, delimiter)
		i := slices.IndexFunc(rows[:min(len(rows), maxTitleRows)], isMatch)
		if i >= 0 {
			return dialect{delimiter, len(rows[i])}
		}
	}
	return dialect{}
}

// hasInputWidth reports whether a row has as many fields as a file without a header needs for the inputs that the options
// name. A row of one field proves nothing.
func (o Options) hasInputWidth(row []string) bool {
	isWhole := o.Layout != nil && len(row) == o.Layout.Columns
	return len(row) > 1 && (isWhole || o.NoTarget && len(row) == len(o.Inputs))
}

// hasInputValues reports whether a row has as many fields as hasInputWidth wants, and no texts in columns of numbers.
func (o Options) hasInputValues(row []string) bool {
	return o.hasInputWidth(row) && !o.hasUnexpectedText(row, o.matchByPosition(row))
}

// hasInputNames reports whether a row has the names of all inputs that the options name.
func (o Options) hasInputNames(row []string) bool {
	return len(newNameIndex(o.headerNames(row)).missing(o.Inputs)) == 0
}

// widestAgreement returns the dialect in which the largest fraction of the rows has the same number of fields, two or
// more. It returns no columns if that is half of the rows or less in all dialects.
func widestAgreement(sample []byte, candidates []rune) (best dialect) {
	bestFraction := 0.5
	for _, delimiter := range candidates {
		rows := sampleRows(sample, delimiter)
		count := make(map[int]int) // rows by their number of fields
		for _, row := range rows {
			count[len(row)]++
		}
		for columns, n := range count {
			fraction := float64(n) / float64(len(rows))
			if columns > 1 && fraction > bestFraction {
				bestFraction = fraction
				best = dialect{delimiter, columns}
			}
		}
	}
	return best
}

// firstRowDelimiter returns the delimiter that the first row suggests: the first of semicolon, tab, comma and blank that
// occurs outside of quotes, and a comma if none does.
func firstRowDelimiter(text []byte) rune {
	text = bytes.TrimLeft(text, whitespace)
	if end := firstRowEnd(text); end >= 0 {
		text = text[:end]
	}
	var unquoted []byte
	for i, part := range bytes.Split(text, []byte{'"'}) {
		if i%2 == 0 { // every second part is between quotes
			unquoted = append(unquoted, part...)
		}
	}
	for _, delimiter := range strings.ReplaceAll(delimiters, "|", "") { // names may have bars
		if bytes.ContainsRune(unquoted, delimiter) {
			return delimiter
		}
	}
	return ','
}

// sampleRows returns the first rows of a text, divided by a delimiter, without comments and rows with a mistake.
func sampleRows(text []byte, delimiter rune) (rows [][]string) {
	r := &textReader{
		source:   &sourceReader{},
		buffered: bufio.NewReaderSize(bytes.NewReader(text), maxFirstRow),
	}
	r.setDialect(dialect{delimiter, anyColumns})
	for len(rows) < lookAheadRows {
		row, err := r.next()
		switch {
		case err == nil:
			rows = append(rows, slices.Clone(row.cells))
		case !IsRowError(err):
			return rows
		}
	}
	return rows
}

// countFilled returns the number of cells that are not empty.
func countFilled(row []string) int {
	filled := 0
	for _, cell := range row {
		if cell != "" {
			filled++
		}
	}
	return filled
}
