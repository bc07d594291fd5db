package read

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// blockSize is the number of bytes of text parsed at a time: large enough to give every core
// some work, and small enough for a CPU's cache.
//
// All cores parse the lines of a block side by side, unless it has quotes. They leave cells other
// than plain numbers as text: the cell alone if its column may hold texts, and the whole row
// otherwise. The stream completes these rows one by one, in the order of the file.
const blockSize = 1 << 20

// rowBuffer holds the parsed rows of a block until the stream hands them out.
type rowBuffer struct {
	plan          *rowPlan // nil if the rows cannot be parsed in blocks
	planDecided   bool     // whether plan is set, as the first call of parseBlock does
	rowByRowUntil int64    // byte offset in the input before which rows are read one by one

	pieceBytes int // minimum number of bytes of text for each goroutine

	pieces    []piece // all pieces; their memory is used again for the next block
	pending   []piece // pieces with remaining rows, at the end of pieces
	textBytes int     // bytes of the block of text
	firstRow  int     // number in the file, from 1, of the first row of a Parquet block
}

// parseBlock parses the next block of rows into the buffer, which must be empty. It reads the first
// groups of Table.Groups, whose number must be the same in every call. It does nothing if the next
// rows have to be read one by one.
func (s *Stream) parseBlock(groups int) {
	b := &s.buffer
	hasBlocks := s.textReader != nil || s.parquetReader != nil
	if !hasBlocks || s.Layout.DecimalComma { // scanNumber does not read decimal commas
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
	if b.plan == nil || len(s.peekedRows) > 0 { // peeked rows come before the rows of a block
		return
	}
	if s.textReader != nil {
		s.parseTextBlock()
	} else {
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

// divide divides text, which consists of whole lines, into pending pieces of about the same size: one
// for each goroutine, each of whole lines.
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

// hasParsedRows reports whether the buffer holds rows. It drops pieces whose rows are all handed out.
func (s *Stream) hasParsedRows() bool { return s.countNumericRows() > 0 || len(s.buffer.pending) > 0 }

// countNumericRows returns the number of numeric rows that come next, up to the next deferred row or
// the end of the piece. It is 0 if a deferred row comes next or the buffer is empty. It drops pieces
// whose rows are all handed out.
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

// dropPiece drops the first pending piece, whose rows must all be handed out. Its lines then count as
// read. After the last piece it discards the block's text from the reader's buffer.
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

// appendNumericRows hands out the next n rows, of which n must be at most countNumericRows. It
// appends their values to groupValues, one slice for each group, and their line numbers to lines if
// that is not nil. It also counts the rows and keeps their texts.
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

// countNumbers counts the numbers of numeric rows in each raw column. values has the rows one after
// the other.
func (p *rowPlan) countNumbers(values []float64) {
	width := len(p.fileColumns)
	for valueIndex, raw := range p.rawColumns {
		switch {
		case raw == nil: // numbers are not counted where only numbers are allowed
		case len(raw.distinctNumbers) > maxCategoryNumbers: // which numbers they are no longer matters
			raw.numberCount += len(values) / width
		default:
			for i := valueIndex; i < len(values); i += width {
				raw.countNumber(values[i])
			}
		}
	}
}

// takeDeferredRow removes the next row, which must be a deferred row, from the buffer and returns it. It
// sets the position of the reader for messages.
func (s *Stream) takeDeferredRow() *deferredRow {
	p := &s.buffer.pending[0]
	row := &p.deferredRows[p.deferredTaken]
	p.deferredTaken++
	s.reader.position().line = s.lineNumber(row.line)
	return row
}

// deferredFields returns the fields of a deferred row that is stored as text or as fields, and nil for
// a row that is stored as values.
func (s *Stream) deferredFields(row *deferredRow) []string {
	if row.text != nil {
		return s.textReader.splitLine(row.text)
	}
	return row.fields
}

// appendDeferredRow completes a deferred row that is stored as values, appends the values to
// groupValues, one slice for each group, and keeps the row's texts. It returns errUnlabelled for a
// row without a target, and another error for a row with a mistake; it counts either as left out.
func (s *Stream) appendDeferredRow(row *deferredRow, groupValues []*[]float64) error {
	p, plan := &s.buffer.pending[0], s.buffer.plan
	values := p.deferredValues[row.valuesStart : row.valuesStart+len(plan.fileColumns)]
	spans := p.deferredSpans[row.spansStart : row.spansStart+plan.keptCount]
	badIndex, err := s.setDeferredCells(values, p.deferredCells[row.cellsStart:row.cellsEnd])
	if err == errUnlabelled && s.rawInputs != nil {
		s.unlabelledCount++
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

// setDeferredCells completes the values of a deferred row: it sets the values of its deferred cells,
// which are sorted by value index, and counts the numbers in the other cells of raw columns. If a
// cell has a mistake, it returns an error and the cell's value index.
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
		// Only the column that rows are split by can be a raw column after the targets.
		isSplitValue := valueIndex >= plan.groupEnds[targetGroup]
		if err == nil && isSplitValue {
			_, err = s.columns.checkSplitValue(values[valueIndex : valueIndex+1])
		}
		if err != nil {
			return valueIndex, err
		}
		cells = cells[1:]
	}
	return -1, nil
}

// splitLine returns the fields of a line without quotes, without blanks around them, as next would.
func (r *textReader) splitLine(line []byte) []string {
	text := string(bytes.TrimSuffix(line, []byte{'\r'}))
	parts := strings.Split(text, string(r.csv.Comma))
	skipsEmpty := r.csv.Comma == ' ' || len(parts) == 1 // a run of blanks is one delimiter, and a blank line is no row
	fields := parts[:0]
	for _, part := range parts {
		field := strings.TrimSpace(part)
		if field != "" || !skipsEmpty {
			fields = append(fields, field)
		}
	}
	return fields
}

// readLines waits for text and returns its whole lines, which stay in the buffer until discard. If
// the input is a file, it waits until the buffer is full or the file ends. From a pipe, it returns
// the lines that have arrived, since the next ones may be long in coming. It returns no text if the
// input ends, or has an error, before the end of a line; reading row by row then returns the rest.
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

// lineNumber returns the number in the file, from 1, of line i, from 0, after the lines read so far.
func (r *textReader) lineNumber(i int) int { return r.skippedLines + r.linesRead + i + 1 }

// nextRowOffset returns the byte offset in the text at which the next row begins.
func (r *textReader) nextRowOffset() int64 { return r.skippedBytes + r.csv.InputOffset() }
