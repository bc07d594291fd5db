package data

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// blockSize is how much text is read at once. Where it has no quotes, its lines are
// parsed by all cores; a row that is not all plain numbers is left as text, for the
// reader of single rows.
const blockSize = 1 << 20

// pieceSize is the least that is worth a core of its own.
var pieceSize = 1 << 16 // less in tests

// plan is where the values of a row of plain numbers go. Rows of values are those of
// the groups of Table.groups, one after the other.
type plan struct {
	delimiter byte
	places    []int    // in a row of values, of each column of the file; −1: it is not read
	copies    [][2]int // from one place to another, of columns that are read twice
	ends      []int    // of each group in a row of values
	weight    int      // its place; −1: there is none
}

// newPlan is that of the first groups of a stream; nil where numbers stand for
// something else.
func (s *Stream) newPlan(groups int) *plan {
	c := &s.choice
	p := &plan{delimiter: byte(s.rec.csv.Comma), places: make([]int, len(c.names)), weight: -1}
	for i := range p.places {
		p.places[i] = -1
	}
	at := 0
	for g, columns := range c.read() {
		if g == groups {
			break
		}
		for _, i := range columns {
			if p.places[i] < 0 {
				p.places[i] = at
			} else {
				p.copies = append(p.copies, [2]int{p.places[i], at})
			}
			if g == weightGroup {
				p.weight = at
			}
			at++
		}
		p.ends = append(p.ends, at)
	}
	for _, raw := range slices.Concat(s.raw, s.by) {
		if !raw.plain() {
			return nil
		}
	}
	return p
}

// plain tells whether what is written as a plain number is that number.
func (c *rawColumn) plain() bool {
	if c.field == nil {
		return c.asked != Category && !(c.asked == Date && c.layout != "")
	}
	isNumber := func(cell string) bool { _, ok, _ := parseNumber(cell); return ok }
	return c.field.Kind == Number && !slices.ContainsFunc(c.field.Absent, isNumber)
}

// row parses the line that begins at text[i] into values, and returns where the next
// one begins; ok is false for one that is not all plain numbers, or is blank.
func (p *plan) row(values []float64, text []byte, i int) (next int, ok bool) {
	blanks := p.delimiter == ' '
	for column := 0; ; column++ {
		for text[i] == ' ' {
			i++
		}
		if blanks && column > 0 && endsLine(text, i) { // behind the last column
			return p.lineEnd(text, i), column == len(p.places) && p.complete(values)
		}
		if column == len(p.places) {
			return i, false
		}
		if place := p.places[column]; place >= 0 {
			v, end, ok := scanNumber(text, i)
			if !ok {
				return i, false
			}
			values[place], i = v, end
			if !blanks {
				for text[i] == ' ' {
					i++
				}
			}
		} else if blanks {
			for text[i] > ' ' && text[i] < 0x7f {
				i++
			}
		} else {
			for text[i] != p.delimiter && text[i] != '\n' {
				i++
			}
		}
		switch {
		case text[i] == p.delimiter:
			i++
		case endsLine(text, i):
			return p.lineEnd(text, i), column+1 == len(p.places) && p.complete(values)
		default:
			return i, false
		}
	}
}

func endsLine(text []byte, i int) bool {
	return text[i] == '\n' || text[i] == '\r' && text[i+1] == '\n'
}

func (p *plan) lineEnd(text []byte, i int) int {
	if text[i] == '\r' {
		i++
	}
	return i + 1
}

// complete makes a row of values of what its columns hold, and tells whether the
// weight is one.
func (p *plan) complete(values []float64) bool {
	for _, c := range p.copies {
		values[c[1]] = values[c[0]]
	}
	return p.weight < 0 || values[p.weight] >= 0
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

	taken, takenOdd int // rows
}

// oddRow is one that the reader of single rows has to look at.
type oddRow struct {
	before int // rows of plain numbers
	line   int
	text   []byte
}

func (b *piece) parse(p *plan) {
	b.values, b.rows, b.odd, b.lines, b.taken, b.takenOdd = b.values[:0], b.rows[:0], b.odd[:0], 0, 0, 0
	values := make([]float64, p.ends[len(p.ends)-1])
	for i := 0; i < len(b.text); b.lines++ {
		next, ok := p.row(values, b.text, i)
		if ok {
			b.values, b.rows = append(b.values, values...), append(b.rows, b.lines)
			i = next
			continue
		}
		end := i + bytes.IndexByte(b.text[i:], '\n')
		if line := b.text[i:end]; !p.blank(line) {
			b.odd = append(b.odd, oddRow{len(b.rows), b.lines, line})
		}
		i = end + 1
	}
}

// blocks are rows that are parsed and not handed out yet.
type blocks struct {
	plan    *plan
	planned bool
	careful int64 // before this place in the input rows are read one by one

	pieces []piece // kept for their memory
	parsed []piece // of pieces, those that hold rows
	size   int     // of the text that they are of
}

// fill parses a block of rows, if those that come next can be parsed so.
func (s *Stream) fill(groups int) {
	b := &s.blocks
	if !b.planned {
		b.plan, b.planned = s.newPlan(groups), true
	}
	if b.plan == nil || len(s.ahead) > 0 || s.rec.offset() < b.careful {
		return
	}
	text := s.rec.block(s.size > 0)
	switch {
	case len(text) == 0:
		return
	case bytes.IndexByte(text, '"') >= 0:
		b.careful = s.rec.offset() + int64(len(text))
		return
	}
	n := max(1, min(runtime.GOMAXPROCS(0), len(text)/pieceSize))
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
	s.rec.lines += b.parsed[0].lines
	if b.parsed = b.parsed[1:]; len(b.parsed) == 0 {
		s.rec.skip(b.size)
	}
}

// appendPlain appends n of plainRows to lists of values, and their lines to lines
// unless that is nil.
func (s *Stream) appendPlain(n int, lines *[]int, lists ...*[]float64) {
	p, plan := &s.blocks.parsed[0], s.blocks.plan
	width := plan.ends[len(plan.ends)-1]
	for k := p.taken; k < p.taken+n; k++ {
		row, from := p.values[k*width:(k+1)*width], 0
		for g, end := range plan.ends {
			if end > from {
				*lists[g] = append(*lists[g], row[from:end]...)
				from = end
			}
		}
		if lines != nil {
			*lines = append(*lines, s.rec.lineBelow(p.rows[k]))
		}
	}
	for _, raw := range s.raw {
		raw.numbers += n
	}
	for _, raw := range s.by {
		raw.numbers += n
	}
	s.rows += n
	p.taken += n
	s.rec.line = s.rec.lineBelow(p.rows[p.taken-1])
}

// takeOdd returns the fields of the row that comes next, where plainRows says 0 and
// there are parsed rows.
func (s *Stream) takeOdd() []string {
	p := &s.blocks.parsed[0]
	odd := p.odd[p.takenOdd]
	p.takenOdd++
	s.rec.line = s.rec.lineBelow(odd.line)
	return s.rec.split(odd.text)
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
	r.in.row = r.offset()
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

// offset is where the row begins that is read next.
func (r *records) offset() int64 { return r.skipped + r.csv.InputOffset() }
