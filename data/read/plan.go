package read

import (
	"bytes"
	"slices"
	"unicode"

	"sml/data"
)

// minPieceBytes is the number of bytes of text below which another goroutine costs more than it
// saves.
const minPieceBytes = 1 << 16

// rowPlan says where the values of a row are stored. A parsed row is a slice of values: the groups
// of Table.Groups, one after the other. A place is an index into it.
type rowPlan struct {
	delimiter   byte        // 0 for a Parquet file
	places      []int       // place of each column of the file; −1 for an unused column
	copies      []indexPair // for each column with two places: the first and the second
	groupEnds   []int       // end of each group in a row of values
	weightPlace int         // place of the weight; −1 if there is none

	rawColumns  []*rawColumn // column of each place; nil if it must hold numbers
	readsText   []bool       // whether numbers at each place are read as text
	fileColumns []int        // column of the file, from 0, of each place

	// keptIndices is the index of each column of the file among the columns whose texts are kept,
	// and −1 for other columns. It is nil if no texts are kept.
	keptIndices []int
	keptCopies  []indexPair // for each column with two such indices: the first and the second
	keptCount   int         // number of columns whose texts are kept
}

// indexPair says that a value is copied from one index to another.
type indexPair struct{ from, to int }

// newRowPlan returns a plan for the first groups of columns of the stream.
func (s *Stream) newRowPlan(groups int) *rowPlan {
	p := &rowPlan{
		places:      slices.Repeat([]int{-1}, len(s.columns.names)),
		weightPlace: -1,
	}
	if s.textReader != nil {
		p.delimiter = byte(s.textReader.csv.Comma)
	}
	allGroups := s.columns.groups()
	for g, columns := range allGroups[:groups] {
		for k, column := range columns {
			if g == weightGroup {
				p.weightPlace = len(p.fileColumns)
			}
			p.addPlace(column, s.rawColumn(g, k))
		}
		p.groupEnds = append(p.groupEnds, len(p.fileColumns))
	}
	if len(s.columns.keptColumns) > 0 {
		p.setKept(s.columns.keptColumns)
	}
	return p
}

// rawColumn returns column k of a group if it may hold texts, and nil if it must hold numbers.
func (s *Stream) rawColumn(group, k int) *rawColumn {
	switch {
	case group == inputGroup && s.rawInputs != nil:
		return s.rawInputs[k]
	case group == targetGroup && s.classTargets != nil:
		return s.classTargets[k]
	case group == byGroup:
		return s.splitBy[k]
	}
	return nil
}

// addPlace appends a place for a column of the file to the row of values.
func (p *rowPlan) addPlace(column int, raw *rawColumn) {
	place := len(p.fileColumns)
	if first := p.places[column]; first >= 0 {
		p.copies = append(p.copies, indexPair{first, place})
	} else {
		p.places[column] = place
	}
	p.rawColumns = append(p.rawColumns, raw)
	p.readsText = append(p.readsText, raw != nil && !raw.holdsPlainNumbers())
	p.fileColumns = append(p.fileColumns, column)
}

// setKept sets the columns of the file whose texts are kept. A column may be listed twice.
func (p *rowPlan) setKept(columns []int) {
	p.keptCount = len(columns)
	p.keptIndices = slices.Repeat([]int{-1}, len(p.places))
	for k, column := range columns {
		if first := p.keptIndices[column]; first >= 0 {
			p.keptCopies = append(p.keptCopies, indexPair{first, k})
		} else {
			p.keptIndices[column] = k
		}
	}
}

// holdsPlainNumbers reports whether the value of a cell with a plain number is always this number.
func (c *rawColumn) holdsPlainNumbers() bool {
	if c.field == nil {
		return !c.keepsNumberTexts && !(c.declared == data.Date && c.layout != "")
	}
	isNumber := func(cell string) bool { _, ok, _ := parseNumber(cell); return ok }
	return c.field.Kind == data.Number && !c.field.Percent() && !slices.ContainsFunc(c.field.MissingTexts, isNumber)
}

// oddCell is a cell other than a plain number, in a column that may hold texts.
type oddCell struct {
	place int // index in a row of values
	text  []byte
}

// span is the position of a cell in the text of a piece.
type span struct{ start, end int }

// trimSpan returns the span of the cell text[start:end] without the blanks around it.
func trimSpan(text []byte, start, end int) span {
	end = start + len(bytes.TrimRightFunc(text[start:end], unicode.IsSpace))
	return span{end - len(bytes.TrimLeftFunc(text[start:end], unicode.IsSpace)), end}
}

// parseRow parses the line that begins at text[i] into values, appends its odd cells to cells and
// stores the spans of the texts to keep in kept. It returns the cells and the index at which the
// next line begins. ok is false if the line is blank, or is not a row of numbers and odd cells;
// the caller then handles the line as text. The text must end with a line feed.
func (p *rowPlan) parseRow(values []float64, cells []oddCell, kept []span, text []byte, i int) (_ []oddCell, next int, ok bool) {
	blanks := p.delimiter == ' ' // a run of blanks is one delimiter
	before := len(cells)
	column := 0
	for {
		for text[i] == ' ' {
			i++
		}
		if blanks && column > 0 && isLineEnd(text, i) { // blanks after the last column
			break
		}
		if column == len(p.places) {
			return cells[:before], i, false
		}
		start, place, isNumber := i, p.places[column], false
		if place >= 0 && !p.readsText[place] {
			values[place], i, isNumber = scanNumber(text, i)
			for isNumber && !blanks && text[i] == ' ' {
				i++
			}
			isNumber = isNumber && (text[i] == p.delimiter || isLineEnd(text, i))
		}
		if !isNumber {
			i = p.cellEnd(text, start)
			if place >= 0 {
				cell := oddCell{place, bytes.TrimSpace(text[start:i])}
				if !p.allows(cell) {
					return cells[:before], i, false
				}
				cells = append(cells, cell)
			}
		}
		if p.keptIndices != nil && p.keptIndices[column] >= 0 {
			kept[p.keptIndices[column]] = trimSpan(text, start, i)
		}
		column++
		if text[i] != p.delimiter {
			break
		}
		i++
	}
	if !isLineEnd(text, i) || column != len(p.places) {
		return cells[:before], i, false
	}
	cells = p.completeRow(values, cells, before)
	hasValidWeight := p.weightPlace < 0 || values[p.weightPlace] >= 0
	return cells, skipLineEnd(text, i), hasValidWeight
}

// cellEnd returns the index after the cell that begins at text[i]. In a file delimited by blanks,
// a cell also ends at any other white space and at bytes above ASCII, which may be white space:
// the row is then not valid for parseRow.
func (p *rowPlan) cellEnd(text []byte, i int) int {
	blanks := p.delimiter == ' '
	for text[i] != p.delimiter && text[i] != '\n' && (!blanks || text[i] > ' ' && text[i] < 0x7f) {
		i++
	}
	return i
}

// allows reports whether the column of an odd cell may hold texts. An empty cell is not allowed
// where it may be a part of a blank line.
func (p *rowPlan) allows(cell oddCell) bool {
	mayBeBlankLine := len(cell.text) == 0 && (p.delimiter == ' ' || len(p.places) == 1)
	return p.rawColumns[cell.place] != nil && !mayBeBlankLine
}

// isLineEnd reports whether a line ends at text[i].
func isLineEnd(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && text[i+1] == '\n'
}

// skipLineEnd returns the index after the line end at text[i].
func skipLineEnd(text []byte, i int) int {
	if text[i] == '\r' {
		i++
	}
	return i + 1
}

// completeRow copies the values of columns with two places, and sorts the row's odd cells, which
// begin at index before, by their places. It returns the cells.
func (p *rowPlan) completeRow(values []float64, cells []oddCell, before int) []oddCell {
	for _, c := range p.copies {
		values[c.to] = values[c.from]
		for _, cell := range cells[before:] {
			if cell.place == c.from {
				cells = append(cells, oddCell{c.to, cell.text})
			}
		}
	}
	if len(cells)-before > 1 {
		slices.SortFunc(cells[before:], func(a, b oddCell) int { return a.place - b.place })
	}
	return cells
}

// isBlankLine reports whether a line is blank and thus not a row.
func (p *rowPlan) isBlankLine(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 && (p.delimiter == ' ' || bytes.IndexByte(line, p.delimiter) < 0)
}

// piece is a part of a block, of whole lines, that one goroutine parses. Most rows have only plain
// numbers; they are stored apart from the other rows, the odd ones.
type piece struct {
	text       []byte
	values     []float64 // values of the rows of plain numbers
	plainLines []int     // line of each row of plain numbers, from 0
	oddRows    []oddRow  // all other rows, without blank lines
	lineCount  int

	oddValues []float64 // values of the odd rows with values
	oddCells  []oddCell // odd cells of these rows

	spans    []span // texts to keep of the rows of plain numbers
	oddSpans []span // texts to keep of the odd rows with values

	plainTaken int // number of rows of plain numbers handed out
	oddTaken   int // number of odd rows handed out
}

// oddRow is a row with other cells than plain numbers. It is stored as its values and odd cells,
// as the text of its line, or as its fields.
type oddRow struct {
	plainBefore int // number of rows of plain numbers before it
	line        int
	text        []byte   // the line; nil if the row is stored otherwise
	fields      []string // the cells as text; nil if the row is stored otherwise

	valuesStart int // start of the row in piece.oddValues
	cellsStart  int // start of its odd cells in piece.oddCells
	cellsEnd    int // end of its odd cells in piece.oddCells
	spansStart  int // start of its spans in piece.oddSpans
}

// clear removes all rows and keeps the memory.
func (b *piece) clear() {
	*b = piece{
		text:       b.text,
		values:     b.values[:0],
		plainLines: b.plainLines[:0],
		oddRows:    b.oddRows[:0],
		oddValues:  b.oddValues[:0],
		oddCells:   b.oddCells[:0],
		spans:      b.spans[:0],
		oddSpans:   b.oddSpans[:0],
	}
}

// parse parses all lines of the piece's text.
func (b *piece) parse(p *rowPlan) {
	b.clear()
	values := make([]float64, len(p.rawColumns))
	kept := make([]span, p.keptCount)
	for i := 0; i < len(b.text); b.lineCount++ {
		before := len(b.oddCells)
		cells, next, ok := p.parseRow(values, b.oddCells, kept, b.text, i)
		if !ok {
			i = b.addTextRow(p, i)
			continue
		}
		for _, c := range p.keptCopies {
			kept[c.to] = kept[c.from]
		}
		b.oddCells = cells
		if len(cells) == before {
			b.values = append(b.values, values...)
			b.plainLines = append(b.plainLines, b.lineCount)
			b.spans = append(b.spans, kept...)
		} else {
			b.addOddRow(values, kept, before)
		}
		i = next
	}
}

// addOddRow appends the row of the current line. Its odd cells are the last ones of b.oddCells,
// from cellsStart on.
func (b *piece) addOddRow(values []float64, kept []span, cellsStart int) {
	b.oddRows = append(b.oddRows, oddRow{
		plainBefore: len(b.plainLines),
		line:        b.lineCount,
		valuesStart: len(b.oddValues),
		cellsStart:  cellsStart,
		cellsEnd:    len(b.oddCells),
		spansStart:  len(b.oddSpans),
	})
	b.oddValues = append(b.oddValues, values...)
	b.oddSpans = append(b.oddSpans, kept...)
}

// addTextRow appends the line that begins at index i of the text as a row of text, unless the line
// is blank. It returns the index of the next line.
func (b *piece) addTextRow(p *rowPlan, i int) (next int) {
	end := i + bytes.IndexByte(b.text[i:], '\n')
	if line := b.text[i:end]; !p.isBlankLine(line) {
		b.oddRows = append(b.oddRows, oddRow{plainBefore: len(b.plainLines), line: b.lineCount, text: line})
	}
	return end + 1
}

// appendRow appends a row of values to lists, one for each group.
func (p *rowPlan) appendRow(row []float64, lists []*[]float64) {
	start := 0
	for g, end := range p.groupEnds {
		if end > start {
			*lists[g] = append(*lists[g], row[start:end]...)
			start = end
		}
	}
}
