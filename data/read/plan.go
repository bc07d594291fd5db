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

// plan says where the values of a row go. A row of values has the groups of Table.Groups, one
// after the other; a place is an index into it.
type rowPlan struct {
	delimiter   byte
	places      []int    // place of each column of the file; −1 for an unused column
	copies      [][2]int // for each column with two places, the places to copy from and to
	groupEnds   []int    // end of each group in a row of values
	weightPlace int      // place of the weight; −1 if there is none

	rawColumns  []*rawColumn // column of each place; nil if it must hold numbers
	readsText   []bool       // whether numbers at each place are read as text
	fileColumns []int        // column of the file, from 0, of each place

	// kept is the index of each column of the file among the columns whose texts are kept, and
	// −1 for other columns. It is nil if no texts are kept.
	keptIndices []int
	keptCopies  [][2]int // for each column with two indices, the indices to copy from and to
	keptCount   int      // number of columns whose texts are kept
}

// newPlan returns a plan for the first groups of columns of a stream.
func (s *Stream) newRowPlan(groups int) *rowPlan {
	c := &s.columns
	p := &rowPlan{places: make([]int, len(c.names)), weightPlace: -1}
	if s.textReader != nil {
		p.delimiter = byte(s.textReader.csv.Comma)
	}
	for i := range p.places {
		p.places[i] = -1
	}
	for g, columns := range c.groups() {
		if g == groups {
			break
		}
		for k, i := range columns {
			at := len(p.rawColumns)
			if p.places[i] < 0 {
				p.places[i] = at
			} else {
				p.copies = append(p.copies, [2]int{p.places[i], at})
			}
			if g == weightGroup {
				p.weightPlace = at
			}
			var raw *rawColumn
			switch {
			case g == 0 && s.rawInputs != nil:
				raw = s.rawInputs[k]
			case g == targetGroup && s.classTargets != nil:
				raw = s.classTargets[k]
			case g == byGroup:
				raw = s.splitBy[k]
			}
			p.rawColumns, p.readsText, p.fileColumns = append(p.rawColumns, raw), append(p.readsText, raw != nil && !raw.holdsPlainNumbers()), append(p.fileColumns, i)
		}
		p.groupEnds = append(p.groupEnds, len(p.rawColumns))
	}
	if len(c.keptColumns) > 0 {
		p.keptCount, p.keptIndices = len(c.keptColumns), slices.Repeat([]int{-1}, len(c.names))
		for k, i := range c.keptColumns {
			if p.keptIndices[i] < 0 {
				p.keptIndices[i] = k
			} else {
				p.keptCopies = append(p.keptCopies, [2]int{p.keptIndices[i], k})
			}
		}
	}
	return p
}

// holdsPlainNumbers reports whether the value of a cell with a plain number is always this number.
func (c *rawColumn) holdsPlainNumbers() bool {
	if c.field == nil {
		return !c.keepsNumberTexts && !(c.declared == data.Date && c.layout != "")
	}
	isNumber := func(cell string) bool { _, ok, _ := parseNumber(cell); return ok }
	return c.field.Kind == data.Number && !c.field.Percent() && !slices.ContainsFunc(c.field.Absent, isNumber)
}

// oddCell is a cell other than a plain number, in a column that may hold texts.
type oddCell struct {
	place int // index in a row of values
	text  []byte
}

// span is the position of a cell in the text of a piece.
type span struct{ start, end int }

// trimSpan returns the span of the cell in text[from:to] without the blanks around it.
func trimSpan(text []byte, from, to int) span {
	to = from + len(bytes.TrimRightFunc(text[from:to], unicode.IsSpace))
	return span{to - len(bytes.TrimLeftFunc(text[from:to], unicode.IsSpace)), to}
}

// row parses the line that begins at text[i] into values, appends its odd cells to cells and
// stores the spans of the texts to keep in kept. It returns the index at which the next line
// begins. ok is false if the line is blank, or is not a valid row of numbers and odd cells.
func (p *rowPlan) parseRow(values []float64, cells []oddCell, kept []span, text []byte, i int) (_ []oddCell, next int, ok bool) {
	blanks, before := p.delimiter == ' ', len(cells)
	for column := 0; ; column++ {
		for text[i] == ' ' {
			i++
		}
		if blanks && column > 0 && isLineEnd(text, i) { // behind the last column
			column--
		} else if column == len(p.places) {
			return cells[:before], i, false
		} else if start, place, number := i, p.places[column], false; true {
			if place >= 0 && !p.readsText[place] {
				values[place], i, number = scanNumber(text, i)
				for number && !blanks && text[i] == ' ' {
					i++
				}
				number = number && (text[i] == p.delimiter || isLineEnd(text, i))
			}
			if !number {
				for i = start; text[i] != p.delimiter && text[i] != '\n' && (!blanks || text[i] > ' ' && text[i] < 0x7f); {
					i++
				}
			}
			if place >= 0 && !number {
				cell := bytes.TrimSpace(text[start:i])
				if p.rawColumns[place] == nil || len(cell) == 0 && (blanks || len(p.places) == 1) {
					return cells[:before], i, false
				}
				cells = append(cells, oddCell{place, cell})
			}
			if p.keptIndices != nil && p.keptIndices[column] >= 0 {
				kept[p.keptIndices[column]] = trimSpan(text, start, i)
			}
			if text[i] == p.delimiter {
				i++
				continue
			}
		}
		if !isLineEnd(text, i) || column+1 != len(p.places) {
			return cells[:before], i, false
		}
		cells = p.completeRow(values, cells, before)
		return cells, skipLineEnd(text, i), p.weightPlace < 0 || values[p.weightPlace] >= 0
	}
}

func isLineEnd(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && text[i+1] == '\n'
}

func skipLineEnd(text []byte, i int) int {
	if text[i] == '\r' {
		i++
	}
	return i + 1
}

// complete copies the values of columns with several places, and sorts the row's odd cells,
// which begin at index before, by their places.
func (p *rowPlan) completeRow(values []float64, cells []oddCell, before int) []oddCell {
	for _, c := range p.copies {
		values[c[1]] = values[c[0]]
		for _, cell := range cells[before:] {
			if cell.place == c[0] {
				cells = append(cells, oddCell{c[1], cell.text})
			}
		}
	}
	if len(cells)-before > 1 {
		slices.SortFunc(cells[before:], func(a, b oddCell) int { return a.place - b.place })
	}
	return cells
}

// blank reports whether a line is blank and thus not a row.
func (p *rowPlan) isBlankLine(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 && (p.delimiter == ' ' || bytes.IndexByte(line, p.delimiter) < 0)
}

// piece is a part of a block, of whole lines, that one goroutine parses.
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

// oddRow is a row with other cells than plain numbers. It is kept as its values and odd cells,
// as the text of its line, or as its fields.
type oddRow struct {
	plainBefore int // number of rows of plain numbers before it
	line        int
	text        []byte   // the line; nil if the row is kept otherwise
	fields      []string // the cells as text; nil if the row is kept otherwise

	valuesStart          int // start of the row in piece.mixed
	cellsStart, cellsEnd int // start and end of its odd cells in piece.cells
	spansStart           int // start of its spans in piece.oddSpans
}

// clear removes all rows and keeps the memory.
func (b *piece) clear() {
	b.values, b.plainLines, b.oddRows, b.lineCount, b.plainTaken, b.oddTaken = b.values[:0], b.plainLines[:0], b.oddRows[:0], 0, 0, 0
	b.oddValues, b.oddCells, b.spans, b.oddSpans = b.oddValues[:0], b.oddCells[:0], b.spans[:0], b.oddSpans[:0]
}

func (b *piece) parse(p *rowPlan) {
	b.clear()
	values, kept := make([]float64, len(p.rawColumns)), make([]span, p.keptCount)
	for i := 0; i < len(b.text); b.lineCount++ {
		before := len(b.oddCells)
		cells, next, ok := p.parseRow(values, b.oddCells, kept, b.text, i)
		for _, places := range p.keptCopies {
			kept[places[1]] = kept[places[0]]
		}
		switch end := len(cells); {
		case ok && end == before:
			b.values, b.plainLines, b.spans = append(b.values, values...), append(b.plainLines, b.lineCount), append(b.spans, kept...)
		case ok:
			b.oddCells = cells
			b.oddRows = append(b.oddRows, oddRow{plainBefore: len(b.plainLines), line: b.lineCount, valuesStart: len(b.oddValues), cellsStart: before, cellsEnd: end, spansStart: len(b.oddSpans)})
			b.oddValues, b.oddSpans = append(b.oddValues, values...), append(b.oddSpans, kept...)
		default:
			end := i + bytes.IndexByte(b.text[i:], '\n')
			if line := b.text[i:end]; !p.isBlankLine(line) {
				b.oddRows = append(b.oddRows, oddRow{plainBefore: len(b.plainLines), line: b.lineCount, text: line})
			}
			next = end + 1
		}
		i = next
	}
}

// appendTo appends a row of values to lists of values.
func (p *rowPlan) appendRow(row []float64, lists []*[]float64) {
	from := 0
	for g, end := range p.groupEnds {
		if end > from {
			*lists[g] = append(*lists[g], row[from:end]...)
			from = end
		}
	}
}
