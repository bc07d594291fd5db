package read

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// blockSize is how much text is read at once. Where it has no quotes, its lines are
// parsed by all cores: what is no plain number is left as text, a cell where its column
// may hold anything, and else its row, for what looks at single cells and rows.
const blockSize = 1 << 20

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
