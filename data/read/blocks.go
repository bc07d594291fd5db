package read

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// blockSize is the number of bytes of text read at a time. All cores parse the lines of
// a block without quotes. They leave cells other than plain numbers as text: the cell alone if
// its column may hold texts, and the whole row otherwise.
const blockSize = 1 << 20

// blocks holds parsed rows until the stream hands them out.
type blocks struct {
	plan    *plan
	planned bool
	careful int64 // byte offset in the input; the stream reads rows before it row by row

	pieceBytes int // minimum bytes of text for each goroutine

	pieces []piece // all pieces, kept so that their memory is used again
	parsed []piece // pieces that still hold rows, a part of the slice pieces
	size   int     // bytes of the block of text
	first  int     // number of the block's first row in a Parquet file
}

// fill parses the next block of rows, of the given number of groups of columns. It does
// nothing if the stream has to read the next rows row by row.
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

// hasParsedRows reports whether the blocks hold rows.
func (s *Stream) hasParsedRows() bool { return s.plainRows() > 0 || len(s.blocks.parsed) > 0 }

// plainRows returns the number of parsed rows of plain numbers before the next odd row.
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

// nextPiece drops the first piece. All its rows must be handed out.
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

// lineNumber returns the line number, or the row number in a Parquet file, of line i of the first
// piece, i from 0.
func (s *Stream) lineNumber(i int) int {
	if s.text == nil {
		return s.blocks.first + i
	}
	return s.text.lineNumber(i)
}

// appendPlain appends the values of n rows to the lists of values, and the rows' lines to lines
// if it is not nil. The rows are the next ones, and n is at most plainRows.
func (s *Stream) appendPlain(n int, lines *[]int, lists ...*[]float64) {
	p, plan := &s.blocks.parsed[0], s.blocks.plan
	width := len(plan.raw)
	for k := p.taken; k < p.taken+n; k++ {
		plan.appendTo(p.values[k*width:(k+1)*width], lists)
		if lines != nil {
			*lines = append(*lines, s.lineNumber(p.rows[k]))
		}
	}
	s.keepSpans(p.text, p.spans[p.taken*plan.width:(p.taken+n)*plan.width])
	for at, raw := range plan.raw {
		switch {
		case raw == nil:
			continue
		case len(raw.distinct) > manyNumbers: // the column needs only the count of further numbers
			raw.numbers += n
			continue
		}
		for k := at + p.taken*width; k < (p.taken+n)*width; k += width {
			raw.countNumber(p.values[k])
		}
	}
	s.rows += n
	p.taken += n
	s.rec.at().line = s.lineNumber(p.rows[p.taken-1])
}

// takeOdd takes the next row, which has to be a parsed odd row. If the row is kept as text,
// takeOdd returns its fields. Otherwise it returns nil, and appends the row's values to the
// lists or returns an error.
func (s *Stream) takeOdd(lists []*[]float64) (fields []string, err error) {
	b := &s.blocks.parsed[0]
	odd := b.odd[b.takenOdd]
	b.takenOdd++
	s.rec.at().line = s.lineNumber(odd.line)
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
			raw.countNumber(row[at])
		default:
			row[at], err = raw.value(string(cells[0].text), s.rec.at().line)
			if err == nil && at >= p.ends[targetGroup] {
				_, err = s.choice.checkBy(row[at : at+1])
			}
			if err == errUnlabelled && s.raw != nil {
				s.unlabelled++
				s.passed++
				return nil, err
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

// split returns the fields of a line without quotes, as next would.
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

// block waits for text and returns its whole lines: all that the buffer holds of a file, and
// otherwise all lines so far. They stay in the buffer until skip discards them.
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

// skip discards n bytes of the text that block returned.
func (r *records) skip(n int) {
	r.text.Discard(n)
	r.skipped += int64(n)
}

// lineNumber returns the line number of the i-th line after the lines read so far, i from 0.
func (r *records) lineNumber(i int) int { return r.lines + r.read + i + 1 }

// begin returns the byte offset at which the next row begins.
func (r *records) begin() int64 { return r.skipped + r.csv.InputOffset() }
