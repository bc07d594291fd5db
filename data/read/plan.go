package read

import (
	"bytes"
	"slices"
	"unicode"

	"sml/data"
)

// minPieceBytes is the minimum number of bytes of text for each goroutine that parses: with less,
// starting the goroutine costs more time than it saves.
const minPieceBytes = 1 << 16

// rowPlan says how a row of text is parsed into a slice of values, and which of its texts are kept.
// The values are those of the groups of Table.Groups, one group after the other; a value index is
// an index into this slice.
type rowPlan struct {
	delimiter    byte        // 0 for a Parquet file
	valueIndices []int       // value index of each column of the file; −1 for an unused column
	copies       []indexPair // for each column used twice: its first and its second value index
	groupEnds    []int       // value index at which each group ends
	weightIndex  int         // value index of the weight; −1 if there is none

	// Columns by value index. The slices have the length of a row of values.
	rawColumns  []*rawColumn // the column; nil if it must hold numbers
	readsText   []bool       // whether numbers of the column must be read as text
	fileColumns []int        // index of the column in the file

	// keptIndices is the index of each column of the file among the columns whose texts are kept,
	// and −1 for other columns. It is nil if no texts are kept.
	keptIndices []int
	keptCopies  []indexPair // for each column kept twice: its first and its second such index
	keptCount   int         // number of columns whose texts are kept
}

// indexPair is a pair of indices of one slice: the value at first is copied to the index second.
type indexPair struct{ first, second int }

// newRowPlan returns a plan for the columns of the stream in the given number of groups: the first
// ones of Table.Groups.
func (s *Stream) newRowPlan(groups int) *rowPlan {
	p := &rowPlan{
		valueIndices: slices.Repeat([]int{-1}, len(s.columns.names)),
		weightIndex:  -1,
	}
	if s.textReader != nil {
		p.delimiter = byte(s.textReader.csv.Comma)
	}
	allGroups := s.columns.groups()
	for g, columns := range allGroups[:groups] {
		for k, column := range columns {
			if g == weightGroup {
				p.weightIndex = len(p.fileColumns)
			}
			p.addValue(column, s.rawColumn(g, k))
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
	raws := s.rawGroup(group)
	if raws == nil {
		return nil
	}
	return raws[k]
}

// rawGroup returns the columns of a group of Table.Groups if they may hold texts, and nil if they must
// hold numbers.
func (s *Stream) rawGroup(group int) []*rawColumn {
	switch group {
	case inputGroup:
		return s.rawInputs
	case targetGroup:
		return s.classTargets
	case splitGroup:
		return s.splitBy
	}
	return nil
}

// addValue appends a value of the given column of the file to the row of values. raw is the column
// if it may hold texts, and nil otherwise.
func (p *rowPlan) addValue(column int, raw *rawColumn) {
	valueIndex := len(p.fileColumns)
	readsText := raw != nil && !raw.holdsPlainNumbers()
	first := p.valueIndices[column]
	if first >= 0 { // the column is used twice: to split rows by, and as an input or an extra column
		p.copies = append(p.copies, indexPair{first, valueIndex})
		p.readsText[first] = p.readsText[first] || readsText
	} else {
		p.valueIndices[column] = valueIndex
	}
	p.rawColumns = append(p.rawColumns, raw)
	p.readsText = append(p.readsText, readsText)
	p.fileColumns = append(p.fileColumns, column)
}

// setKept sets the columns of the file whose texts are kept. A column may be listed twice.
func (p *rowPlan) setKept(columns []int) {
	p.keptCount = len(columns)
	p.keptIndices = slices.Repeat([]int{-1}, len(p.valueIndices))
	for k, column := range columns {
		first := p.keptIndices[column]
		if first >= 0 { // the column is listed twice
			p.keptCopies = append(p.keptCopies, indexPair{first, k})
		} else {
			p.keptIndices[column] = k
		}
	}
}

// holdsPlainNumbers reports whether the value of a cell with a plain number is always this number,
// so that goroutines can parse the cell. It is false if the number may be a category, a date, a
// fraction of a percentage or a text that means a missing value.
func (c *rawColumn) holdsPlainNumbers() bool {
	if c.field == nil {
		hasDateLayout := c.declared == data.Date && c.layout != "" // such as yyyymmdd, which looks like a number
		return !c.keepsNumberTexts && !hasDateLayout
	}
	for _, text := range c.field.MissingTexts {
		if _, isNumber, _ := parseNumber(text); isNumber { // such as -999
			return false
		}
	}
	return c.field.Kind == data.Number && !c.field.Percent()
}

// deferredCell is a cell other than a plain number, in a column that may hold texts. Its value is
// found when its row is handed out: a new text gets the next free code, which the goroutines that
// parse cannot know.
type deferredCell struct {
	valueIndex int
	text       []byte
}

// span is the position of a cell in the text of a piece: text[start:end].
type span struct{ start, end int }

// trimSpan returns the span of the cell text[start:end] without the blanks around it.
func trimSpan(text []byte, start, end int) span {
	end = start + len(bytes.TrimRightFunc(text[start:end], unicode.IsSpace))
	start = end - len(bytes.TrimLeftFunc(text[start:end], unicode.IsSpace))
	return span{start, end}
}

// parseRow parses the line that begins at text[i] into values. It appends the row's deferred cells
// to cells, and stores the spans of the texts to keep in keptSpans. It returns cells and the index at
// which the next line begins.
//
// ok is false if the line is blank, has the wrong number of cells, or has a cell that is neither a
// number nor allowed to be deferred. The caller then handles the line as text; values and keptSpans have
// no meaning. The text must end with a line feed, so that no loop over its bytes needs a bound.
func (p *rowPlan) parseRow(values []float64, cells []deferredCell, keptSpans []span, text []byte, i int) (_ []deferredCell, next int, ok bool) {
	splitsAtBlanks := p.delimiter == ' ' // a run of blanks is one delimiter
	cellsBefore := len(cells)
	column := 0
	for {
		for text[i] == ' ' {
			i++
		}
		if splitsAtBlanks && column > 0 && isLineEnd(text, i) { // blanks after the last column
			break
		}
		if column == len(p.valueIndices) { // the line has too many cells
			return cells[:cellsBefore], i, false
		}
		start, valueIndex := i, p.valueIndices[column]
		isNumber := false
		if valueIndex >= 0 && !p.readsText[valueIndex] {
			values[valueIndex], i, isNumber = scanNumber(text, i)
			for isNumber && !splitsAtBlanks && text[i] == ' ' {
				i++
			}
			isNumber = isNumber && (text[i] == p.delimiter || isLineEnd(text, i)) // otherwise the cell goes on, as in 3 kg
		}
		if !isNumber {
			i = p.cellEnd(text, start)
			cells, ok = p.deferCell(cells, valueIndex, text[start:i])
			if !ok {
				return cells[:cellsBefore], i, false
			}
		}
		if p.keptIndices != nil && p.keptIndices[column] >= 0 {
			keptSpans[p.keptIndices[column]] = trimSpan(text, start, i)
		}
		column++
		if text[i] != p.delimiter {
			break
		}
		i++
	}
	if !isLineEnd(text, i) || column != len(p.valueIndices) {
		return cells[:cellsBefore], i, false
	}
	cells = p.completeRow(values, cells, cellsBefore)
	hasValidWeight := p.weightIndex < 0 || values[p.weightIndex] >= 0 // a row of text with a bad weight gets a message later
	return cells, skipLineEnd(text, i), hasValidWeight
}

// cellEnd returns the index after the cell that begins at text[i]: the next delimiter or line feed.
// In a file delimited by blanks, a cell also ends at any other white space and at bytes above ASCII,
// which may be white space: parseRow then leaves the row to be handled as text.
func (p *rowPlan) cellEnd(text []byte, i int) int {
	splitsAtBlanks := p.delimiter == ' '
	for text[i] != p.delimiter && text[i] != '\n' {
		isVisibleASCII := text[i] > ' ' && text[i] < 0x7f // 0x7f is a control character
		if splitsAtBlanks && !isVisibleASCII {
			break
		}
		i++
	}
	return i
}

// deferCell appends a cell that is not a plain number to the deferred cells. It appends nothing for an
// unused column, whose value index is −1. ok is false if the cell must not be deferred: if its column
// must hold numbers, or if it is empty and could be a part of a blank line, which is no row.
func (p *rowPlan) deferCell(cells []deferredCell, valueIndex int, text []byte) (_ []deferredCell, ok bool) {
	if valueIndex < 0 {
		return cells, true
	}
	text = bytes.TrimSpace(text)
	mayBeBlankLine := len(text) == 0 && (p.delimiter == ' ' || len(p.valueIndices) == 1)
	if p.rawColumns[valueIndex] == nil || mayBeBlankLine {
		return cells, false
	}
	return append(cells, deferredCell{valueIndex, text}), true
}

// isLineEnd reports whether a line ends at text[i], with a line feed or with CRLF.
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

// completeRow copies the values and the deferred cells of columns used twice to their
// second value index. It sorts the row's deferred cells, which are cells[start:], by value index, as
// setDeferredCells needs them, and returns the cells.
func (p *rowPlan) completeRow(values []float64, cells []deferredCell, start int) []deferredCell {
	for _, pair := range p.copies {
		values[pair.second] = values[pair.first]
		for _, cell := range cells[start:] {
			if cell.valueIndex == pair.first {
				cells = append(cells, deferredCell{pair.second, cell.text})
			}
		}
	}
	if len(cells)-start > 1 {
		slices.SortFunc(cells[start:], func(a, b deferredCell) int { return a.valueIndex - b.valueIndex })
	}
	return cells
}

// isBlankLine reports whether a line is blank and thus not a row. A line with a delimiter, such as a
// tab, is a row of missing values.
func (p *rowPlan) isBlankLine(line []byte) bool {
	hasDelimiter := p.delimiter != ' ' && bytes.IndexByte(line, p.delimiter) >= 0
	return !hasDelimiter && len(bytes.TrimSpace(line)) == 0
}

// piece is a part of a block, of whole lines, that one goroutine parses. Most rows are numeric: all
// their used cells are plain numbers. The other rows are deferred: they are completed when they are
// handed out.
type piece struct {
	text      []byte
	lineCount int

	values       []float64 // values of the numeric rows
	numericLines []int     // line of each numeric row, from 0
	spans        []span    // texts to keep of the numeric rows

	deferredRows   []deferredRow  // all other rows, without blank lines
	deferredValues []float64      // values of the deferred rows with values
	deferredCells  []deferredCell // deferred cells of these rows
	deferredSpans  []span         // texts to keep of these rows

	numericTaken  int // number of numeric rows handed out
	deferredTaken int // number of deferred rows handed out
}

// deferredRow is a row with other cells than plain numbers. It is stored in one of three ways: as
// the text of its line, as its fields, or, if text and fields are nil, as values and deferred cells.
type deferredRow struct {
	numericBefore int // number of numeric rows before it
	line          int // line in the piece, from 0
	text          []byte
	fields        []string

	valuesStart int // start of the row in piece.deferredValues
	cellsStart  int // start of its deferred cells in piece.deferredCells
	cellsEnd    int // end of its deferred cells in piece.deferredCells
	spansStart  int // start of its spans in piece.deferredSpans
}

// clear removes all rows, and keeps the memory for the next block.
func (p *piece) clear() {
	*p = piece{
		text:           p.text,
		values:         p.values[:0],
		numericLines:   p.numericLines[:0],
		spans:          p.spans[:0],
		deferredRows:   p.deferredRows[:0],
		deferredValues: p.deferredValues[:0],
		deferredCells:  p.deferredCells[:0],
		deferredSpans:  p.deferredSpans[:0],
	}
}

// parse parses all lines of the piece's text. It replaces the rows of the piece.
func (p *piece) parse(plan *rowPlan) {
	p.clear()
	values := make([]float64, len(plan.rawColumns)) // of one row
	keptSpans := make([]span, plan.keptCount)       // of one row
	for i := 0; i < len(p.text); p.lineCount++ {
		cellsBefore := len(p.deferredCells)
		cells, next, ok := plan.parseRow(values, p.deferredCells, keptSpans, p.text, i)
		if !ok {
			i = p.addTextRow(plan, i)
			continue
		}
		for _, pair := range plan.keptCopies {
			keptSpans[pair.second] = keptSpans[pair.first]
		}
		p.deferredCells = cells
		if len(cells) == cellsBefore {
			p.values = append(p.values, values...)
			p.numericLines = append(p.numericLines, p.lineCount)
			p.spans = append(p.spans, keptSpans...)
		} else {
			p.addDeferredRow(values, keptSpans, cellsBefore)
		}
		i = next
	}
}

// addDeferredRow appends the row of the current line, p.lineCount. Its deferred cells are already
// appended: they are p.deferredCells from cellsStart on.
func (p *piece) addDeferredRow(values []float64, keptSpans []span, cellsStart int) {
	p.deferredRows = append(p.deferredRows, deferredRow{
		numericBefore: len(p.numericLines),
		line:          p.lineCount,
		valuesStart:   len(p.deferredValues),
		cellsStart:    cellsStart,
		cellsEnd:      len(p.deferredCells),
		spansStart:    len(p.deferredSpans),
	})
	p.deferredValues = append(p.deferredValues, values...)
	p.deferredSpans = append(p.deferredSpans, keptSpans...)
}

// addTextRow appends the line that begins at index i of the text as a deferred row of text, unless
// the line is blank. It returns the index of the next line.
func (p *piece) addTextRow(plan *rowPlan, i int) (next int) {
	end := i + bytes.IndexByte(p.text[i:], '\n')
	line := p.text[i:end]
	if !plan.isBlankLine(line) {
		p.deferredRows = append(p.deferredRows, deferredRow{
			numericBefore: len(p.numericLines),
			line:          p.lineCount,
			text:          line,
		})
	}
	return end + 1
}

// appendRow appends a row of values to groupValues, which has the values of each group of all rows.
func (p *rowPlan) appendRow(row []float64, groupValues []*[]float64) {
	start := 0
	for g, end := range p.groupEnds {
		if end > start {
			*groupValues[g] = append(*groupValues[g], row[start:end]...)
			start = end
		}
	}
}
