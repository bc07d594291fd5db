package data

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// blockSize is how much text is read at once. Where it has no quotes, its lines are
// parsed by all cores: what is no plain number is left as text, a cell where its column
// may hold anything, and else its row, for what looks at single cells and rows.
const blockSize = 1 << 20

// minPieceBytes is the least text that is worth a core of its own.
const minPieceBytes = 1 << 16

// plan is where the values of a row go. Rows of values are those of the groups of
// Table.groups, one after the other.
type plan struct {
	delimiter byte
	places    []int    // in a row of values, of each column of the file; −1: it is not read
	copies    [][2]int // from one place to another, of columns that are read twice
	ends      []int    // of each group in a row of values
	weight    int      // its place; −1: there is none

	raw   []*rawColumn // of each place, nil where nothing but a number may stand
	texts []bool       // whether numbers in it stand for something else
	files []int        // the columns of the file

	kept  []int    // the first place among those whose texts are kept, of each column of the file; −1: it is not; nil: none is
	again [][2]int // from that place to another, of columns that are kept twice
	width int      // how many are kept
}

// newPlan is that of the first groups of a stream.
func (s *Stream) newPlan(groups int) *plan {
	c := &s.choice
	p := &plan{places: make([]int, len(c.names)), weight: -1}
	if s.text != nil {
		p.delimiter = byte(s.text.csv.Comma)
	}
	for i := range p.places {
		p.places[i] = -1
	}
	for g, columns := range c.read() {
		if g == groups {
			break
		}
		for k, i := range columns {
			at := len(p.raw)
			if p.places[i] < 0 {
				p.places[i] = at
			} else {
				p.copies = append(p.copies, [2]int{p.places[i], at})
			}
			if g == weightGroup {
				p.weight = at
			}
			var raw *rawColumn
			switch {
			case g == 0 && s.raw != nil:
				raw = s.raw[k]
			case g == byGroup:
				raw = s.by[k]
			}
			p.raw, p.texts, p.files = append(p.raw, raw), append(p.texts, raw != nil && !raw.plain()), append(p.files, i)
		}
		p.ends = append(p.ends, len(p.raw))
	}
	if len(c.kept) > 0 {
		p.width, p.kept = len(c.kept), slices.Repeat([]int{-1}, len(c.names))
		for k, i := range c.kept {
			if p.kept[i] < 0 {
				p.kept[i] = k
			} else {
				p.again = append(p.again, [2]int{p.kept[i], k})
			}
		}
	}
	return p
}

// plain tells whether what is written as a plain number is that number.
func (c *rawColumn) plain() bool {
	if c.field == nil {
		return !c.literal && !(c.asked == Date && c.layout != "")
	}
	isNumber := func(cell string) bool { _, ok, _ := parseNumber(cell); return ok }
	return c.field.Kind == Number && !c.field.Percent() && !slices.ContainsFunc(c.field.Absent, isNumber)
}

// oddCell is one, of a column of any kind, that is no plain number.
type oddCell struct {
	place int // in a row of values
	text  []byte
}

// span is where a cell stands in the text of a piece.
type span struct{ from, to int }

// trimmed is that of the cell in text[from:to], without blanks around it.
func trimmed(text []byte, from, to int) span {
	to = from + len(bytes.TrimRightFunc(text[from:to], unicode.IsSpace))
	return span{to - len(bytes.TrimLeftFunc(text[from:to], unicode.IsSpace)), to}
}

// row parses the line that begins at text[i] into values, and appends its odd cells to
// cells. It returns where the next line begins; ok is false for one that has anything
// else in it, or is blank. Where the texts stand that are kept is put into kept.
func (p *plan) row(values []float64, cells []oddCell, kept []span, text []byte, i int) (_ []oddCell, next int, ok bool) {
	blanks, before := p.delimiter == ' ', len(cells)
	for column := 0; ; column++ {
		for text[i] == ' ' {
			i++
		}
		if blanks && column > 0 && endsLine(text, i) { // behind the last column
			column--
		} else if column == len(p.places) {
			return cells[:before], i, false
		} else if start, place, number := i, p.places[column], false; true {
			if place >= 0 && !p.texts[place] {
				values[place], i, number = scanNumber(text, i)
				for number && !blanks && text[i] == ' ' {
					i++
				}
				number = number && (text[i] == p.delimiter || endsLine(text, i))
			}
			if !number {
				for i = start; text[i] != p.delimiter && text[i] != '\n' && (!blanks || text[i] > ' ' && text[i] < 0x7f); {
					i++
				}
			}
			if place >= 0 && !number {
				cell := bytes.TrimSpace(text[start:i])
				if p.raw[place] == nil || len(cell) == 0 && (blanks || len(p.places) == 1) {
					return cells[:before], i, false
				}
				cells = append(cells, oddCell{place, cell})
			}
			if p.kept != nil && p.kept[column] >= 0 {
				kept[p.kept[column]] = trimmed(text, start, i)
			}
			if text[i] == p.delimiter {
				i++
				continue
			}
		}
		if !endsLine(text, i) || column+1 != len(p.places) {
			return cells[:before], i, false
		}
		cells = p.complete(values, cells, before)
		return cells, lineEnd(text, i), p.weight < 0 || values[p.weight] >= 0
	}
}

func endsLine(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && text[i+1] == '\n'
}

func lineEnd(text []byte, i int) int {
	if text[i] == '\r' {
		i++
	}
	return i + 1
}

// complete makes a row of values of what its columns hold, and puts the odd cells from
// before on into the order of places.
func (p *plan) complete(values []float64, cells []oddCell, before int) []oddCell {
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

// blank tells whether a line is no row.
func (p *plan) blank(line []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 && (p.delimiter == ' ' || bytes.IndexByte(line, p.delimiter) < 0)
}

// piece is whole lines of a block, parsed.
type piece struct {
	text   []byte
	values []float64 // of its rows of plain numbers
	rows   []int     // lines of these, from 0
	odd    []oddRow  // the others, but for blank lines
	lines  int

	mixed []float64 // values of odd rows that have some
	cells []oddCell // the other cells of these

	spans    []span // of the texts that are kept, of the rows of plain numbers
	oddSpans []span // likewise, of the odd rows that have values

	taken, takenOdd int // rows
}

// oddRow is one that is not all plain numbers.
type oddRow struct {
	before int // rows of plain numbers
	line   int
	text   []byte   // its line, if it has no values
	fields []string // its cells, if it has neither a line nor values

	values, cells, end int // where they begin, and where its cells end
	spans              int // where those begin
}

// clear removes all rows and keeps the memory.
func (b *piece) clear() {
	b.values, b.rows, b.odd, b.lines, b.taken, b.takenOdd = b.values[:0], b.rows[:0], b.odd[:0], 0, 0, 0
	b.mixed, b.cells, b.spans, b.oddSpans = b.mixed[:0], b.cells[:0], b.spans[:0], b.oddSpans[:0]
}

func (b *piece) parse(p *plan) {
	b.clear()
	values, kept := make([]float64, len(p.raw)), make([]span, p.width)
	for i := 0; i < len(b.text); b.lines++ {
		before := len(b.cells)
		cells, next, ok := p.row(values, b.cells, kept, b.text, i)
		for _, places := range p.again {
			kept[places[1]] = kept[places[0]]
		}
		switch end := len(cells); {
		case ok && end == before:
			b.values, b.rows, b.spans = append(b.values, values...), append(b.rows, b.lines), append(b.spans, kept...)
		case ok:
			b.cells = cells
			b.odd = append(b.odd, oddRow{before: len(b.rows), line: b.lines, values: len(b.mixed), cells: before, end: end, spans: len(b.oddSpans)})
			b.mixed, b.oddSpans = append(b.mixed, values...), append(b.oddSpans, kept...)
		default:
			end := i + bytes.IndexByte(b.text[i:], '\n')
			if line := b.text[i:end]; !p.blank(line) {
				b.odd = append(b.odd, oddRow{before: len(b.rows), line: b.lines, text: line})
			}
			next = end + 1
		}
		i = next
	}
}

// blocks are rows that are parsed and not handed out yet.
type blocks struct {
	plan    *plan
	planned bool
	careful int64 // before this place in the input rows are read one by one

	pieceBytes int // least text for each goroutine

	pieces []piece // kept for their memory
	parsed []piece // of pieces, those that hold rows
	size   int     // of the text that they are of
	first  int     // number of their first row in a Parquet file
}

// fill parses a block of rows, if those that come next can be parsed so.
func (s *Stream) fill(groups int) {
	b := &s.blocks
	if s.text == nil && s.columns == nil || s.Layout.DecimalComma {
		return
	}
	if !b.planned {
		b.planned = true
		if s.text != nil {
			b.plan = s.newPlan(groups)
		} else {
			b.plan = s.plannedColumns(groups)
		}
	}
	switch {
	case b.plan == nil || len(s.ahead) > 0:
	case s.text != nil:
		s.fillFromText()
	default:
		s.fillFromColumns()
	}
}

// fillFromText parses a block of lines.
func (s *Stream) fillFromText() {
	b := &s.blocks
	if s.text.begin() < b.careful {
		return
	}
	text := s.text.block(s.size > 0)
	switch {
	case len(text) == 0:
		return
	case bytes.IndexByte(text, '"') >= 0:
		b.careful = s.text.begin() + int64(len(text))
		return
	}
	n := max(1, min(runtime.GOMAXPROCS(0), len(text)/b.pieceBytes))
	for len(b.pieces) < n {
		b.pieces = append(b.pieces, piece{})
	}
	b.parsed, b.size = b.pieces[:n], len(text)
	for i := range b.parsed {
		end := len(text)
		if i < n-1 {
			end = len(text) / (n - i)
			end += bytes.IndexByte(text[end:], '\n') + 1
		}
		b.parsed[i].text, text = text[:end], text[end:]
	}
	var all sync.WaitGroup
	for i := range b.parsed[1:] {
		all.Go(func() { b.parsed[1+i].parse(b.plan) })
	}
	b.parsed[0].parse(b.plan)
	all.Wait()
}

// parsed tells whether there are rows that are parsed and not handed out.
func (s *Stream) parsed() bool { return s.plainRows() > 0 || len(s.blocks.parsed) > 0 }

// plainRows is how many rows of plain numbers come next.
func (s *Stream) plainRows() int {
	for b := &s.blocks; len(b.parsed) > 0; s.nextPiece() {
		p := &b.parsed[0]
		until := len(p.rows)
		if p.takenOdd < len(p.odd) {
			until = p.odd[p.takenOdd].before
		}
		if until > p.taken || p.takenOdd < len(p.odd) {
			return until - p.taken
		}
	}
	return 0
}

// nextPiece is called when all rows of a piece are handed out.
func (s *Stream) nextPiece() {
	b := &s.blocks
	lines := b.parsed[0].lines
	b.parsed = b.parsed[1:]
	if s.text == nil {
		return
	}
	s.text.lines += lines
	if len(b.parsed) == 0 {
		s.text.skip(b.size)
	}
}

// lineBelow returns the line, or the row of a Parquet file, of line i of the first piece, from 0.
func (s *Stream) lineBelow(i int) int {
	if s.text == nil {
		return s.blocks.first + i
	}
	return s.text.lineBelow(i)
}

// appendPlain appends n of plainRows to lists of values, and their lines to lines
// unless that is nil.
func (s *Stream) appendPlain(n int, lines *[]int, lists ...*[]float64) {
	p, plan := &s.blocks.parsed[0], s.blocks.plan
	width := len(plan.raw)
	for k := p.taken; k < p.taken+n; k++ {
		plan.appendTo(p.values[k*width:(k+1)*width], lists)
		if lines != nil {
			*lines = append(*lines, s.lineBelow(p.rows[k]))
		}
	}
	s.keepSpans(p.text, p.spans[p.taken*plan.width:(p.taken+n)*plan.width])
	for at, raw := range plan.raw {
		switch {
		case raw == nil:
			continue
		case len(raw.distinct) > manyNumbers: // nothing more is to be known of them
			raw.numbers += n
			continue
		}
		for k := at + p.taken*width; k < (p.taken+n)*width; k += width {
			raw.saw(p.values[k])
		}
	}
	s.rows += n
	p.taken += n
	s.rec.at().line = s.lineBelow(p.rows[p.taken-1])
}

// takeOdd passes over the row that comes next, where plainRows says 0 and there are
// parsed rows. It returns its fields; nil: it has values, which are appended to lists, or
// the error.
func (s *Stream) takeOdd(lists []*[]float64) (fields []string, err error) {
	b := &s.blocks.parsed[0]
	odd := b.odd[b.takenOdd]
	b.takenOdd++
	s.rec.at().line = s.lineBelow(odd.line)
	switch {
	case odd.fields != nil:
		return odd.fields, nil
	case odd.text != nil:
		return s.text.split(odd.text), nil
	}
	p := s.blocks.plan
	row, cells := b.mixed[odd.values:odd.values+len(p.raw)], b.cells[odd.cells:odd.end]
	for at, raw := range p.raw {
		switch {
		case raw == nil:
		case len(cells) == 0 || cells[0].place != at:
			raw.saw(row[at])
		default:
			row[at], err = raw.value(string(cells[0].text), s.rec.at().line)
			if err == nil && at >= p.ends[0] {
				_, err = s.choice.checkBy(row[at : at+1])
			}
			if err != nil {
				if s.keepsPassed {
					s.keepSpans(b.text, b.oddSpans[odd.spans:odd.spans+p.width])
				}
				return nil, s.bad(p.files[at], err)
			}
			cells = cells[1:]
		}
	}
	p.appendTo(row, lists)
	s.keepSpans(b.text, b.oddSpans[odd.spans:odd.spans+p.width])
	s.rows++
	return nil, nil
}

// appendTo appends a row of values to lists of values.
func (p *plan) appendTo(row []float64, lists []*[]float64) {
	from := 0
	for g, end := range p.ends {
		if end > from {
			*lists[g] = append(*lists[g], row[from:end]...)
			from = end
		}
	}
}

// split returns what next would of a line without quotes.
func (r *records) split(line []byte) []string {
	fields := strings.Split(string(bytes.TrimSuffix(line, []byte{'\r'})), string(r.csv.Comma))
	kept := fields[:0]
	for _, f := range fields {
		if f = strings.TrimSpace(f); f != "" || r.csv.Comma != ' ' && len(fields) > 1 {
			kept = append(kept, f)
		}
	}
	return kept
}

// block waits for text and returns the whole lines of it, as many as can be had
// without waiting for more, or, of a file, as the buffer holds. It takes none of them:
// see skip.
func (r *records) block(file bool) []byte {
	r.in.row = r.begin()
	for n := 1; ; n = r.text.Buffered() + 1 {
		_, err := r.text.Peek(min(n, r.text.Size()))
		text, _ := r.text.Peek(r.text.Buffered())
		end := bytes.LastIndexByte(text, '\n') + 1
		if err != nil || len(text) == r.text.Size() || end > 0 && !file && !r.in.more() {
			return text[:end]
		}
	}
}

// skip passes over text that block has returned.
func (r *records) skip(n int) {
	r.text.Discard(n)
	r.skipped += int64(n)
}

// lineBelow is the number of line i, from 0, of those that are taken next.
func (r *records) lineBelow(i int) int { return r.lines + r.read + i + 1 }

// begin is where the row begins that is read next.
func (r *records) begin() int64 { return r.skipped + r.csv.InputOffset() }
