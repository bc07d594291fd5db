package read

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// This file reads rows a block at a time, which is faster than row by row. The block of a text file is about a megabyte
// of whole lines, which goroutines parse in pieces. In most rows every cell is a plain number: these are numeric rows.
// Other rows are deferred: the goroutine leaves the cell as text if its column may hold texts, or else the whole row, and
// the stream completes these rows one by one, in the order of the file.

// blockSize is the size of a block of text in bytes: large enough to keep every core busy, and small enough for a CPU's
// cache.
const blockSize = 1 << 20

// rowBuffer holds the parsed rows of a block until the stream hands them out.
type rowBuffer struct {
	plan          *rowPlan // nil if the rows cannot be parsed in blocks
	planDecided   bool     // whether decidePlan has set plan
	rowByRowUntil int64    // byte offset in the input before which rows are read one by one

	pieceBytes int // minimum number of bytes of text for each goroutine

	pieces    []piece // all pieces; their memory is used again for the next block
	pending   []piece // pieces with remaining rows, at the end of pieces
	textBytes int     // size of the block of text in bytes
	firstRow  int     // number in the file, from 1, of the first row of a Parquet block
}

// parseBlock parses the next block of rows into the buffer, which must be empty. The buffer stays empty if the next rows
// have to be read one by one. groups is the number of groups of Table.Groups to read, the same in every call.
func (s *Stream) parseBlock(groups int) {
	s.decidePlan(groups)
	hasPeeked := len(s.peekedRows) > 0 // these come before the rows of a block
	switch {
	case s.buffer.plan == nil || hasPeeked:
		return
	case s.textReader != nil:
		s.parseTextBlock()
	default:
		s.decodeParquetBlock()
	}
}

// decidePlan sets the buffer's plan in the first call. The plan is nil if the format has no blocks, or if numbers have a
// decimal comma, which scanNumber does not read.
func (s *Stream) decidePlan(groups int) {
	b := &s.buffer
	if b.planDecided {
		return
	}
	b.planDecided = true
	switch {
	case s.Layout.DecimalComma:
		b.plan = nil
	case s.textReader != nil:
		b.plan = s.newRowPlan(groups)
	case s.parquetReader != nil:
		b.plan = s.newParquetPlan(groups)
	}
}

// parseTextBlock parses a block of lines. It leaves the buffer empty if the block has quotes: a quoted field may have
// delimiters and line ends, so that these rows are read one by one.
func (s *Stream) parseTextBlock() {
	b := &s.buffer
	if s.textReader.nextRowOffset() < b.rowByRowUntil {
		return
	}
	isFile := s.size > 0
	text := s.textReader.readLines(isFile)
	if len(text) == 0 {
		return
	}
	if bytes.IndexByte(text, '"') >= 0 {
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

// divide divides a block of whole lines into pending pieces of whole lines, about equal in size: one for each goroutine.
func (b *rowBuffer) divide(text []byte) {
	goroutines := max(1, min(runtime.GOMAXPROCS(0), len(text)/b.pieceBytes))
	for len(b.pieces) < goroutines {
		b.pieces = append(b.pieces, piece{})
	}
	b.pending = b.pieces[:goroutines]
	for i := range b.pending {
		end := len(text)
		if i < goroutines-1 {
			end = len(text) / (goroutines - i) // an equal part of the rest
			end += bytes.IndexByte(text[end:], '\n') + 1
		}
		b.pending[i].text = text[:end]
		text = text[end:]
	}
}

// hasParsedRows reports whether the buffer has rows that are not handed out. It drops pieces without such rows.
func (s *Stream) hasParsedRows() bool { return s.countNumericRows() > 0 || len(s.buffer.pending) > 0 }

// countNumericRows returns the number of numeric rows up to the next deferred row or the end of the piece. It returns 0
// if the next row is deferred or the buffer is empty. It drops pieces whose rows are all handed out.
func (s *Stream) countNumericRows() int {
	b := &s.buffer
	for len(b.pending) > 0 {
		p := &b.pending[0]
		if p.deferredTaken < len(p.deferredRows) {
			return p.deferredRows[p.deferredTaken].numericBefore - p.numericTaken
		}
		if n := len(p.numericLines) - p.numericTaken; n > 0 {
			return n
		}
		s.dropPiece()
	}
	return 0
}

// dropPiece drops the first pending piece, whose rows must all be handed out, and counts its lines as read. After the
// last piece it discards the block's text from the reader's buffer.
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

// lineNumber returns the number in the file of line i of the first pending piece, i counted from 0. In a Parquet file,
// which has no lines, it returns the number of the row.
func (s *Stream) lineNumber(i int) int {
	if s.textReader == nil {
		return s.buffer.firstRow + i
	}
	return s.textReader.lineNumber(i)
}

// appendNumericRows hands out the next n numeric rows; n is at most countNumericRows. It appends their values to
// groupValues, which has a slice for each group, and their line numbers to lines unless lines is nil. It counts the rows
// and keeps their texts.
func (s *Stream) appendNumericRows(n int, lines *[]int, groupValues ...*[]float64) {
	p, plan := &s.buffer.pending[0], s.buffer.plan
	width := len(plan.fileColumns)
	start, end := p.numericTaken, p.numericTaken+n
	for row := start; row < end; row++ {
		plan.appendRow(p.values[row*width:(row+1)*width], groupValues)
		if lines != nil {
			*lines = append(*lines, s.lineNumber(p.numericLines[row]))
		}
	}
	s.keepSpans(p.text, p.spans[start*plan.keptCount:end*plan.keptCount])
	plan.countNumbers(p.values[start*width : end*width])
	s.rowCount += n
	p.numericTaken = end
	s.reader.position().line = s.lineNumber(p.numericLines[end-1])
}

// countNumbers counts how often each number occurs in each raw column of numeric rows, whose values are row after row.
func (p *rowPlan) countNumbers(values []float64) {
	width := len(p.fileColumns)
	for valueIndex, raw := range p.rawColumns {
		switch {
		case raw == nil: // the column may only have numbers: nothing depends on their counts
		case len(raw.distinctNumbers) > maxCategoryNumbers: // too many to be categories: only their total matters
			raw.numberCount += len(values) / width
		default:
			for i := valueIndex; i < len(values); i += width {
				raw.countNumber(values[i])
			}
		}
	}
}

// takeDeferredRow removes the next row from the buffer and returns it; the row must be deferred. It sets the reader's
// position to the row, for messages.
func (s *Stream) takeDeferredRow() *deferredRow {
	p := &s.buffer.pending[0]
	row := &p.deferredRows[p.deferredTaken]
	p.deferredTaken++
	s.reader.position().line = s.lineNumber(row.line)
	return row
}

// deferredFields returns the fields of a deferred row, or nil if the row is stored as values.
func (s *Stream) deferredFields(row *deferredRow) []string {
	if row.text != nil {
		return s.textReader.splitLine(row.text)
	}
	return row.fields
}

// appendDeferredRow completes a deferred row that is stored as values, appends the values to groupValues, which has a
// slice for each group, and keeps the row's texts. It returns errUnlabelled if the row has no target, and another error
// if a cell has a mistake. It counts such rows as left out.
func (s *Stream) appendDeferredRow(row *deferredRow, groupValues []*[]float64) error {
	p, plan := &s.buffer.pending[0], s.buffer.plan
	values := p.deferredValues[row.valuesStart : row.valuesStart+len(plan.fileColumns)]
	spans := p.deferredSpans[row.spansStart : row.spansStart+plan.keptCount]
	badIndex, err := s.setDeferredCells(values, p.deferredCells[row.cellsStart:row.cellsEnd])
	if err == errUnlabelled && s.rawInputs != nil {
		s.passedCount++
		return err
	}
	if err != nil {
		if s.keepsPassedTexts {
			s.keepSpans(p.text, spans)
		}
		return s.rowError(plan.fileColumns[badIndex], err)
	}
	plan.appendRow(values, groupValues)
	s.keepSpans(p.text, spans)
	s.rowCount++
	return nil
}

// setDeferredCells sets the values of the cells of a deferred row that were left as text, sorted by value index, and counts
// the numbers in the other cells of raw columns. If a cell has a mistake, it returns an error and the cell's value index.
func (s *Stream) setDeferredCells(values []float64, cells []deferredCell) (badIndex int, err error) {
	plan := s.buffer.plan
	line := s.reader.position().line
	for valueIndex, raw := range plan.rawColumns {
		if raw == nil {
			continue
		}
		isDeferred := len(cells) > 0 && cells[0].valueIndex == valueIndex
		if !isDeferred {
			raw.countNumber(values[valueIndex])
			continue
		}
		values[valueIndex], err = raw.value(string(cells[0].text), line)
		isSplitValue := valueIndex >= plan.groupEnds[targetGroup] // the split column is the only raw column after the targets
		if err == nil && isSplitValue {
			_, err = s.checkSplitValue(values[:plan.groupEnds[inputGroup]], values[valueIndex:valueIndex+1])
		}
		if err != nil {
			return valueIndex, err
		}
		cells = cells[1:]
	}
	return -1, nil
}

// splitLine returns the fields of a line without quotes, as next returns them: without blanks around them.
func (r *textReader) splitLine(line []byte) []string {
	text := string(bytes.TrimSuffix(line, []byte{'\r'}))
	parts := strings.Split(text, string(r.csv.Comma))
	isBlankDelimited := r.csv.Comma == ' ' // a run of blanks is one delimiter
	skipsEmpty := isBlankDelimited || len(parts) == 1
	fields := parts[:0]
	for _, part := range parts {
		field := strings.TrimSpace(part)
		if field != "" || !skipsEmpty {
			fields = append(fields, field)
		}
	}
	return fields
}

// readLines waits for text and returns its whole lines, which stay in the buffer until discard. From a file it reads until
// the buffer is full or the file ends. From a pipe it returns the lines that have arrived, since the next lines may take
// long. It returns no text if the input ends or fails in the middle of a line: reading row by row then returns the rest.
func (r *textReader) readLines(isFile bool) []byte {
	r.source.rowStart = r.nextRowOffset()
	for wantedBytes := 1; ; wantedBytes = r.buffered.Buffered() + 1 { // each time one byte more than before
		_, err := r.buffered.Peek(min(wantedBytes, r.buffered.Size()))
		text, _ := r.buffered.Peek(r.buffered.Buffered())
		end := bytes.LastIndexByte(text, '\n') + 1
		isFull := len(text) == r.buffered.Size()
		hasArrivedLines := end > 0 && !isFile && !r.source.hasMore()
		if err != nil || isFull || hasArrivedLines {
			return text[:end]
		}
	}
}

// discard drops the first n bytes of the text that readLines returned from the buffer.
func (r *textReader) discard(n int) {
	r.buffered.Discard(n)
	r.skippedBytes += int64(n)
}

// lineNumber returns the number in the file, from 1, of line i after the lines read so far, i counted from 0.
func (r *textReader) lineNumber(i int) int { return r.skippedLines + r.linesRead + i + 1 }

// nextRowOffset returns the byte offset in the text at which the next row begins.
func (r *textReader) nextRowOffset() int64 { return r.skippedBytes + r.csv.InputOffset() }
