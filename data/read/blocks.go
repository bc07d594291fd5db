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
type rowBuffer struct {
	plan          *rowPlan
	planDecided   bool
	rowByRowUntil int64 // byte offset in the input; the stream reads rows before it row by row

	pieceBytes int // minimum bytes of text for each goroutine

	pieces    []piece // all pieces, kept so that their memory is used again
	pending   []piece // pieces that still hold rows, a part of the slice pieces
	textBytes int     // bytes of the block of text
	firstRow  int     // number of the block's first row in a Parquet file
}

// fill parses the next block of rows, of the given number of groups of columns. It does
// nothing if the stream has to read the next rows row by row.
func (s *Stream) parseBlock(groups int) {
	b := &s.buffer
	if s.textReader == nil && s.parquetReader == nil || s.Layout.DecimalComma {
		return
	}
	if !b.planDecided {
		b.planDecided = true
		if s.textReader != nil {
			b.plan = s.newRowPlan(groups)
		} else {
			b.plan = s.newParquetPlan(groups)
		}
	}
	switch {
	case b.plan == nil || len(s.aheadRows) > 0:
	case s.textReader != nil:
		s.parseTextBlock()
	default:
		s.decodeParquetBlock()
	}
}

// fillFromText parses a block of lines.
func (s *Stream) parseTextBlock() {
	b := &s.buffer
	if s.textReader.nextRowOffset() < b.rowByRowUntil {
		return
	}
	text := s.textReader.readLines(s.size > 0)
	switch {
	case len(text) == 0:
		return
	case bytes.IndexByte(text, '"') >= 0:
		b.rowByRowUntil = s.textReader.nextRowOffset() + int64(len(text))
		return
	}
	n := max(1, min(runtime.GOMAXPROCS(0), len(text)/b.pieceBytes))
	for len(b.pieces) < n {
		b.pieces = append(b.pieces, piece{})
	}
	b.pending, b.textBytes = b.pieces[:n], len(text)
	for i := range b.pending {
		end := len(text)
		if i < n-1 {
			end = len(text) / (n - i)
			end += bytes.IndexByte(text[end:], '\n') + 1
		}
		b.pending[i].text, text = text[:end], text[end:]
	}
	var all sync.WaitGroup
	for i := range b.pending[1:] {
		all.Go(func() { b.pending[1+i].parse(b.plan) })
	}
	b.pending[0].parse(b.plan)
	all.Wait()
}

// hasParsedRows reports whether the blocks hold rows.
func (s *Stream) hasParsedRows() bool { return s.countPlainRows() > 0 || len(s.buffer.pending) > 0 }

// plainRows returns the number of parsed rows of plain numbers before the next odd row.
func (s *Stream) countPlainRows() int {
	for b := &s.buffer; len(b.pending) > 0; s.dropPiece() {
		p := &b.pending[0]
		until := len(p.plainLines)
		if p.oddTaken < len(p.oddRows) {
			until = p.oddRows[p.oddTaken].plainBefore
		}
		if until > p.plainTaken || p.oddTaken < len(p.oddRows) {
			return until - p.plainTaken
		}
	}
	return 0
}

// nextPiece drops the first piece. All its rows must be handed out.
func (s *Stream) dropPiece() {
	b := &s.buffer
	lines := b.pending[0].lineCount
	b.pending = b.pending[1:]
	if s.textReader == nil {
		return
	}
	s.textReader.skippedLines += lines
	if len(b.pending) == 0 {
		s.textReader.discard(b.textBytes)
	}
}

// lineNumber returns the line number, or the row number in a Parquet file, of line i of the first
// piece, i from 0.
func (s *Stream) lineNumber(i int) int {
	if s.textReader == nil {
		return s.buffer.firstRow + i
	}
	return s.textReader.lineNumber(i)
}

// appendPlain appends the values of n rows to the lists of values, and the rows' lines to lines
// if it is not nil. The rows are the next ones, and n is at most plainRows.
func (s *Stream) appendPlainRows(n int, lines *[]int, lists ...*[]float64) {
	p, plan := &s.buffer.pending[0], s.buffer.plan
	width := len(plan.rawColumns)
	for k := p.plainTaken; k < p.plainTaken+n; k++ {
		plan.appendRow(p.values[k*width:(k+1)*width], lists)
		if lines != nil {
			*lines = append(*lines, s.lineNumber(p.plainLines[k]))
		}
	}
	s.keepSpans(p.text, p.spans[p.plainTaken*plan.keptCount:(p.plainTaken+n)*plan.keptCount])
	for at, raw := range plan.rawColumns {
		switch {
		case raw == nil:
			continue
		case len(raw.distinctNumbers) > maxCategoryNumbers: // the column needs only the count of further numbers
			raw.numberCount += n
			continue
		}
		for k := at + p.plainTaken*width; k < (p.plainTaken+n)*width; k += width {
			raw.countNumber(p.values[k])
		}
	}
	s.rowCount += n
	p.plainTaken += n
	s.reader.position().line = s.lineNumber(p.plainLines[p.plainTaken-1])
}

// takeOdd takes the next row, which has to be a parsed odd row. If the row is kept as text,
// takeOdd returns its fields. Otherwise it returns nil, and appends the row's values to the
// lists or returns an error.
func (s *Stream) takeOddRow(lists []*[]float64) (fields []string, err error) {
	b := &s.buffer.pending[0]
	odd := b.oddRows[b.oddTaken]
	b.oddTaken++
	s.reader.position().line = s.lineNumber(odd.line)
	switch {
	case odd.fields != nil:
		return odd.fields, nil
	case odd.text != nil:
		return s.textReader.splitLine(odd.text), nil
	}
	p := s.buffer.plan
	row, cells := b.oddValues[odd.valuesStart:odd.valuesStart+len(p.rawColumns)], b.oddCells[odd.cellsStart:odd.cellsEnd]
	for at, raw := range p.rawColumns {
		switch {
		case raw == nil:
		case len(cells) == 0 || cells[0].place != at:
			raw.countNumber(row[at])
		default:
			row[at], err = raw.value(string(cells[0].text), s.reader.position().line)
			if err == nil && at >= p.groupEnds[targetGroup] {
				_, err = s.columns.checkSplitValue(row[at : at+1])
			}
			if err == errUnlabelled && s.rawInputs != nil {
				s.unlabelledCount++
				s.passedCount++
				return nil, err
			}
			if err != nil {
				if s.keepsPassedTexts {
					s.keepSpans(b.text, b.oddSpans[odd.spansStart:odd.spansStart+p.keptCount])
				}
				return nil, s.rowError(p.fileColumns[at], err)
			}
			cells = cells[1:]
		}
	}
	p.appendRow(row, lists)
	s.keepSpans(b.text, b.oddSpans[odd.spansStart:odd.spansStart+p.keptCount])
	s.rowCount++
	return nil, nil
}

// split returns the fields of a line without quotes, as next would.
func (r *textReader) splitLine(line []byte) []string {
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
func (r *textReader) readLines(file bool) []byte {
	r.source.rowStart = r.nextRowOffset()
	for n := 1; ; n = r.buffered.Buffered() + 1 {
		_, err := r.buffered.Peek(min(n, r.buffered.Size()))
		text, _ := r.buffered.Peek(r.buffered.Buffered())
		end := bytes.LastIndexByte(text, '\n') + 1
		if err != nil || len(text) == r.buffered.Size() || end > 0 && !file && !r.source.hasMore() {
			return text[:end]
		}
	}
}

// skip discards n bytes of the text that block returned.
func (r *textReader) discard(n int) {
	r.buffered.Discard(n)
	r.skippedBytes += int64(n)
}

// lineNumber returns the line number of the i-th line after the lines read so far, i from 0.
func (r *textReader) lineNumber(i int) int { return r.skippedLines + r.linesRead + i + 1 }

// begin returns the byte offset at which the next row begins.
func (r *textReader) nextRowOffset() int64 { return r.skippedBytes + r.csv.InputOffset() }
