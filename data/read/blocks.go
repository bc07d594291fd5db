package read

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// blockSize is the number of bytes of text read at a time. All cores parse the lines of a block
// without quotes. They leave cells other than plain numbers as text: the cell alone if its column
// may hold texts, and the whole row otherwise.
const blockSize = 1 << 20

// rowBuffer holds the parsed rows of a block until the stream hands them out.
type rowBuffer struct {
	plan          *rowPlan // nil if the rows cannot be parsed in blocks
	planDecided   bool     // plan is final; it depends on the first call of parseBlock
	rowByRowUntil int64    // byte offset in the input before which rows are read one by one

	pieceBytes int // minimum bytes of text for each goroutine

	pieces    []piece // all pieces, whose memory is used again
	pending   []piece // last ones of pieces, which still hold rows
	textBytes int     // bytes of the block of text
	firstRow  int     // number of the block's first row in a Parquet file, from 1
}

// parseBlock parses the next block of rows, of the given number of groups of columns, into the
// buffer. It does nothing if the next rows have to be read one by one.
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

// parseTextBlock parses a block of lines. A block with quotes is read row by row instead, as a
// quoted field may have delimiters and line ends.
func (s *Stream) parseTextBlock() {
	b := &s.buffer
	if s.textReader.nextRowOffset() < b.rowByRowUntil {
		return
	}
	fromFile := s.size > 0
	text := s.textReader.readLines(fromFile)
	switch {
	case len(text) == 0:
		return
	case bytes.IndexByte(text, '"') >= 0:
		b.rowByRowUntil = s.textReader.nextRowOffset() + int64(len(text))
		return
	}
	b.textBytes = len(text)
	b.divide(text)
	var parsing sync.WaitGroup
	for i := range b.pending[1:] {
		parsing.Go(func() { b.pending[1+i].parse(b.plan) })
	}
	b.pending[0].parse(b.plan)
	parsing.Wait()
}

// divide divides whole lines into pending pieces of about the same size, one for each goroutine.
func (b *rowBuffer) divide(text []byte) {
	n := max(1, min(runtime.GOMAXPROCS(0), len(text)/b.pieceBytes))
	for len(b.pieces) < n {
		b.pieces = append(b.pieces, piece{})
	}
	b.pending = b.pieces[:n]
	for i := range b.pending {
		end := len(text)
		if i < n-1 {
			end = len(text) / (n - i)
			end += bytes.IndexByte(text[end:], '\n') + 1
		}
		b.pending[i].text, text = text[:end], text[end:]
	}
}

// hasParsedRows reports whether the buffer holds rows.
func (s *Stream) hasParsedRows() bool { return s.countPlainRows() > 0 || len(s.buffer.pending) > 0 }

// countPlainRows returns the number of parsed rows of plain numbers before the next odd row or the
// end of the piece. It drops pieces without rows.
func (s *Stream) countPlainRows() int {
	for b := &s.buffer; len(b.pending) > 0; s.dropPiece() {
		p := &b.pending[0]
		if p.oddTaken < len(p.oddRows) {
			return p.oddRows[p.oddTaken].plainBefore - p.plainTaken
		}
		if n := len(p.plainLines) - p.plainTaken; n > 0 {
			return n
		}
	}
	return 0
}

// dropPiece drops the first pending piece, whose rows must all be handed out. After the last piece
// it discards the block's text.
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

// lineNumber returns the number in the file of line i, from 0, of the first pending piece. In a
// Parquet file it returns the number of the row.
func (s *Stream) lineNumber(i int) int {
	if s.textReader == nil {
		return s.buffer.firstRow + i
	}
	return s.textReader.lineNumber(i)
}

// appendPlainRows hands out the next n rows, at most countPlainRows: it appends their values to
// lists, one for each group, and their line numbers to lines if that is not nil.
func (s *Stream) appendPlainRows(n int, lines *[]int, lists ...*[]float64) {
	p, plan := &s.buffer.pending[0], s.buffer.plan
	width := len(plan.fileColumns)
	start, end := p.plainTaken, p.plainTaken+n
	for k := start; k < end; k++ {
		plan.appendRow(p.values[k*width:(k+1)*width], lists)
		if lines != nil {
			*lines = append(*lines, s.lineNumber(p.plainLines[k]))
		}
	}
	s.keepSpans(p.text, p.spans[start*plan.keptCount:end*plan.keptCount])
	plan.countNumbers(p.values[start*width : end*width])
	s.rowCount += n
	p.plainTaken = end
	s.reader.position().line = s.lineNumber(p.plainLines[end-1])
}

// countNumbers counts the numbers in the raw columns of rows of plain numbers.
func (p *rowPlan) countNumbers(rows []float64) {
	width := len(p.fileColumns)
	for place, raw := range p.rawColumns {
		switch {
		case raw == nil:
		case len(raw.distinctNumbers) > maxCategoryNumbers: // only their count still matters
			raw.numberCount += len(rows) / width
		default:
			for i := place; i < len(rows); i += width {
				raw.countNumber(rows[i])
			}
		}
	}
}

// takeOddRow hands out the next row, which must be an odd row of the buffer. If the row is stored
// as text, takeOddRow returns its fields. Otherwise it returns nil, and appends the row's values to
// lists or returns an error.
func (s *Stream) takeOddRow(lists []*[]float64) (fields []string, err error) {
	p := &s.buffer.pending[0]
	odd := p.oddRows[p.oddTaken]
	p.oddTaken++
	s.reader.position().line = s.lineNumber(odd.line)
	switch {
	case odd.fields != nil:
		return odd.fields, nil
	case odd.text != nil:
		return s.textReader.splitLine(odd.text), nil
	}
	plan := s.buffer.plan
	row := p.oddValues[odd.valuesStart : odd.valuesStart+len(plan.fileColumns)]
	spans := p.oddSpans[odd.spansStart : odd.spansStart+plan.keptCount]
	badPlace, err := s.setOddCells(row, p.oddCells[odd.cellsStart:odd.cellsEnd])
	if err == errUnlabelled && s.rawInputs != nil {
		s.unlabelledCount++
		s.passedCount++
		return nil, err
	}
	if err != nil {
		if s.keepsPassedTexts {
			s.keepSpans(p.text, spans)
		}
		return nil, s.rowError(plan.fileColumns[badPlace], err)
	}
	plan.appendRow(row, lists)
	s.keepSpans(p.text, spans)
	s.rowCount++
	return nil, nil
}

// setOddCells completes the values of an odd row by its odd cells, which are sorted by their
// places. If a cell has a mistake, it returns an error and the cell's place.
func (s *Stream) setOddCells(row []float64, cells []oddCell) (badPlace int, err error) {
	plan := s.buffer.plan
	line := s.reader.position().line
	for place, raw := range plan.rawColumns {
		if raw == nil {
			continue
		}
		if len(cells) == 0 || cells[0].place != place {
			raw.countNumber(row[place])
			continue
		}
		row[place], err = raw.value(string(cells[0].text), line)
		if err == nil && place >= plan.groupEnds[targetGroup] { // of the inputs and targets; a raw column after them is what rows are split by
			_, err = s.columns.checkSplitValue(row[place : place+1])
		}
		if err != nil {
			return place, err
		}
		cells = cells[1:]
	}
	return -1, nil
}

// splitLine returns the fields of a line without quotes, as next would.
func (r *textReader) splitLine(line []byte) []string {
	fields := strings.Split(string(bytes.TrimSuffix(line, []byte{'\r'})), string(r.csv.Comma))
	skipsEmpty := r.csv.Comma == ' ' || len(fields) == 1 // a run of blanks is one delimiter, and a blank line is no row
	kept := fields[:0]
	for _, f := range fields {
		f = strings.TrimSpace(f)
		if f != "" || !skipsEmpty {
			kept = append(kept, f)
		}
	}
	return kept
}

// readLines waits for text and returns its whole lines, which stay in the buffer until discard.
// Of a file it waits until the buffer is full; of other inputs it returns the lines that have
// arrived.
func (r *textReader) readLines(fromFile bool) []byte {
	r.source.rowStart = r.nextRowOffset()
	for n := 1; ; n = r.buffered.Buffered() + 1 {
		_, err := r.buffered.Peek(min(n, r.buffered.Size()))
		text, _ := r.buffered.Peek(r.buffered.Buffered())
		end := bytes.LastIndexByte(text, '\n') + 1
		isFull := len(text) == r.buffered.Size()
		hasLines := end > 0 && !fromFile && !r.source.hasMore()
		if err != nil || isFull || hasLines {
			return text[:end]
		}
	}
}

// discard discards n bytes of the text that readLines returned.
func (r *textReader) discard(n int) {
	r.buffered.Discard(n)
	r.skippedBytes += int64(n)
}

// lineNumber returns the number of the i-th line, from 0, after the lines read so far.
func (r *textReader) lineNumber(i int) int { return r.skippedLines + r.linesRead + i + 1 }

// nextRowOffset returns the byte offset at which the next row begins.
func (r *textReader) nextRowOffset() int64 { return r.skippedBytes + r.csv.InputOffset() }
