package read

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"sync"
)

// This file parses delimited text a block of lines at a time, in parallel. A block with a row that needs an explanation
// or that has quotes is given up: its rows are read one by one. So there is one meaning of a cell (column.knownValue),
// and every error comes from the same place.

const (
	blockSize     = 1 << 20 // bytes of a block: enough to keep every core busy, and small enough for a CPU's cache
	minPieceBytes = 1 << 16 // minimum bytes for a goroutine: with less, starting it costs more time than it saves
)

// blocks says how the blocks of a stream are parsed, and has their memory.
type blocks struct {
	plan          *plan     // nil before the first block
	pieces        []*piece  // memory for blocks of text
	decoded       []float64 // memory for blocks of Parquet
	pieceBytes    int       // minimum number of bytes for a goroutine
	rowByRowUntil int64     // byte offset in the input before which rows are read one by one
	rowByRow      bool      // rows are never parsed in blocks; only tests set it
}

// parseBlock parses the next block of rows into s.pending. It returns false if the next rows have to be read one by one:
// other formats than text and Parquet always, a block that was given up, and the end of the file. It returns an error if
// the file has too many texts.
func (s *Stream) parseBlock() (isParsed bool, err error) {
	hasBlocks := (s.text != nil || s.parquet != nil) && !s.rowByRow
	if !hasBlocks {
		return false, nil
	}
	if s.plan == nil {
		s.plan = s.newPlan()
	}
	if s.parquet != nil {
		return s.decodeBlock(), nil
	}
	return s.parseLines()
}

// parseLines parses the next lines of delimited text as parseBlock does.
func (s *Stream) parseLines() (areParsed bool, err error) {
	if s.text.nextRowOffset() < s.rowByRowUntil {
		return false, nil
	}
	text := s.text.readLines(s.size > 0)
	if len(text) == 0 {
		return false, nil
	}
	pieces := s.divide(text)
	hasQuotes := bytes.IndexByte(text, '"') >= 0
	if hasQuotes || !parseAll(pieces, s.plan) {
		s.rowByRowUntil = s.text.nextRowOffset() + int64(len(text))
		return false, nil
	}
	if err := s.addPieces(pieces); err != nil {
		return false, err
	}
	s.text.discard(len(text)) // only now: a block that is given up is read again, row by row
	return true, nil
}

// addPieces adds the rows of a block's pieces in their order, and counts their lines, comments and repeated headers in the
// file. A piece counts its own lines from 0. It returns an error if the file has too many texts.
func (s *Stream) addPieces(pieces []*piece) error {
	for _, p := range pieces {
		p.firstLine = s.text.skippedLines + s.text.linesRead + 1
		s.text.skippedLines += p.lineCount // the reader of single rows never sees them
		s.text.comments.add(p.firstLine+p.comments.first, p.comments.count)
		s.text.repeats.add(p.firstLine+p.repeats.first, p.repeats.count)
		if n := len(p.lines); n > 0 {
			s.text.line = p.firstLine + p.lines[n-1] // for an error of the input after the block
		}
		if err := s.addPiece(p); err != nil {
			return err
		}
	}
	return nil
}

// divide divides a block into pieces of whole lines, about equal in size. It uses the memory of earlier pieces again.
func (s *Stream) divide(text []byte) []*piece {
	n := max(1, min(runtime.GOMAXPROCS(0), len(text)/s.pieceBytes))
	for len(s.pieces) < n {
		s.pieces = append(s.pieces, &piece{})
	}
	for i, p := range s.pieces[:n] {
		end := len(text)
		if i < n-1 {
			end = len(text) / (n - i) // an equal part of the rest
			end += bytes.IndexByte(text[end:], '\n') + 1
		}
		p.reset(s.schema.keptNames)
		p.text = text[:end]
		text = text[end:]
	}
	return s.pieces[:n]
}

// parseAll parses all pieces in parallel. It returns false if one is given up.
func parseAll(pieces []*piece, plan *plan) bool {
	var parsing sync.WaitGroup
	isParsed := make([]bool, len(pieces))
	for i, p := range pieces {
		parsing.Go(func() { isParsed[i] = p.parse(plan) })
	}
	parsing.Wait()
	for i := range pieces {
		if !isParsed[i] {
			return false
		}
	}
	return true
}

// parse parses all lines of the piece. It returns false if a line must be read row by row.
func (p *piece) parse(plan *plan) bool {
	p.row = append(p.row[:0], make([]float64, len(plan.columns))...)
	if plan.needsCells {
		p.cells = append(p.cells[:0], make([]span, len(plan.valueIndex))...)
	}
	p.newTexts = make([]dictionary, len(plan.columns))
	for i := 0; i < len(p.text); p.lineCount++ {
		if length := p.lengthWithoutRow(plan, i); length > 0 {
			i += length
			continue
		}
		p.newTextColumns = p.newTextColumns[:0]
		next, err := p.parseRow(plan, i)
		switch {
		case err == errUnlabelled:
			p.leaveOutRow()
			next = i + bytes.IndexByte(p.text[i:], '\n') + 1
		case err != nil:
			return false
		default:
			p.addRow(p.row, p.lineCount)
			p.keepCells(plan)
		}
		i = next
	}
	return true
}

// leaveOutRow counts the current row as one without a target, and forgets its texts.
func (p *piece) leaveOutRow() {
	for _, k := range p.newTextColumns {
		p.newTexts[k].removeLast()
	}
	p.unlabelled++
}

// keepCells keeps the texts of the current row.
func (p *piece) keepCells(plan *plan) {
	for _, i := range plan.keptColumns {
		p.kept.Add(p.cellText(i))
	}
}

// cellText returns the text of the current row's cell in column i of the file. p.cells must be set.
func (p *piece) cellText(i int) []byte {
	return bytes.TrimSpace(p.text[p.cells[i].start:p.cells[i].end])
}

// lengthWithoutRow returns the number of bytes of the line that begins at p.text[i] if it is blank, a comment or the header, and
// 0 if it is a row. It counts comments and repeated headers.
func (p *piece) lengthWithoutRow(plan *plan, i int) int {
	first := p.text[i]
	isPlainRow := first > ' ' && first != '#' && plan.delimiter != '|' && (plan.header == nil || first != plan.header[0][0])
	if isPlainRow {
		return 0
	}
	line := p.text[i : i+bytes.IndexByte(p.text[i:], '\n')+1]
	switch {
	case plan.isBlankLine(line):
		return len(line)
	case plan.dialect.isComment(line):
		p.comments.add(p.lineCount, 1)
		return len(line)
	case plan.header != nil && plan.dialect.hasCells(line, plan.header):
		p.repeats.add(p.lineCount, 1)
		return len(line)
	}
	return 0
}

// parseRow parses the line that begins at p.text[i] into p.row, and returns the index of the next line. It returns
// errUnlabelled if the row lacks too many targets, and another error if the row must be read by the reader of rows. The text
// must end with a line feed, so that no loop over its bytes needs a bound.
func (p *piece) parseRow(plan *plan, i int) (next int, err error) {
	text, splitsAtBlanks := p.text, plan.delimiter == ' '
	missingTargets := 0
	column := 0
	for ; ; i++ {
		for text[i] == ' ' {
			i++
		}
		isAfterLast := splitsAtBlanks && column > 0 && isLineEnd(text, i) // blanks may follow the last column
		if isAfterLast {
			break
		}
		if column == len(plan.valueIndex) {
			return i, errUnparsedRow
		}
		start := i
		i, err = p.parseCell(plan, column, start)
		if err == errUnlabelled {
			missingTargets++
		} else if err != nil {
			return i, err
		}
		if plan.needsCells {
			p.cells[column] = span{start, i}
		}
		column++
		if text[i] != plan.delimiter {
			break
		}
	}
	if !isLineEnd(text, i) || column != len(plan.valueIndex) {
		return i, errUnparsedRow
	}
	if missingTargets > plan.maxMissingTargets {
		return i, errUnlabelled
	}
	return skipLineEnd(text, i), p.setSecondUses(plan)
}

// parseCell parses the cell of a column of the file that begins at p.text[i] into p.row, and returns the index after it.
// It returns the errors of parseRow.
func (p *piece) parseCell(plan *plan, column, i int) (end int, err error) {
	k := plan.valueIndex[column]
	if k >= 0 && !plan.readsText[k] { // not in a function of its own, whose calls would take a tenth of the time of a table
		v, end, isNumber := scanNumber(p.text, i)
		for isNumber && plan.delimiter != ' ' && p.text[end] == ' ' {
			end++
		}
		cellEnds := p.text[end] == plan.delimiter || isLineEnd(p.text, end)            // otherwise the cell goes on, as in 3 kg
		mayBeName := math.Abs(v) >= mostExact && plan.columns[k].rule == mayBeAnything // isInexactWhole tells
		if isNumber && cellEnds && !mayBeName {
			p.row[k] = v
			if v < 0 && plan.columns[k].group == weightGroup {
				err = errUnparsedRow
			}
			return end, err
		}
	}
	end = plan.cellEnd(p.text, i)
	if k >= 0 {
		p.row[k], err = p.cellValue(plan, k, bytes.TrimSpace(p.text[i:end]))
	}
	return end, err
}

// errUnparsedRow is the error for a row that must be read by the reader of rows.
var errUnparsedRow = errors.New("an odd row")

// cellValue returns the value of a cell that is not a plain number, or NaN and errUnlabelled for a missing target.
func (p *piece) cellValue(plan *plan, k int, text []byte) (float64, error) {
	c := plan.columns[k]
	mayBeBlankLine := len(text) == 0 && (plan.delimiter == ' ' || len(plan.valueIndex) == 1)
	if mayBeBlankLine {
		return 0, errUnparsedRow
	}
	if code, ok := p.findText(c, k, text); ok {
		return encodeText(code), nil
	}
	if c.group == targetGroup && plan.skipsUnlabelled && c.isMissingCell(string(text)) {
		return math.NaN(), errUnlabelled
	}
	v, err := c.knownValue(cell{text: string(text)})
	lacksSplitValue := c.group == splitGroup && math.IsNaN(v)
	switch {
	case err == errNewText:
		p.newTextColumns = append(p.newTextColumns, k)
		return encodeText(p.newTexts[k].add(string(text), p.lineCount) | newTextFlag), nil
	case err == errUnlabelled && !plan.skipsUnlabelled, lacksSplitValue:
		return v, errUnparsedRow
	}
	return v, err
}

// findText returns the code of a text that column c, which has the index k in a row of values, or this piece has had before.
func (p *piece) findText(c *column, k int, text []byte) (code int, ok bool) {
	if c.rule != mayBeAnything && c.rule != mustBeLabel {
		return 0, false
	}
	if code, ok := c.codes[string(text)]; ok { // does not allocate
		return code, true
	}
	code, ok = p.newTexts[k].codes[string(text)]
	return code | newTextFlag, ok
}

// setSecondUses sets the values of the current row whose column of the file is used twice.
func (p *piece) setSecondUses(plan *plan) (err error) {
	for _, k := range plan.secondUses {
		p.row[k], err = p.cellValue(plan, k, p.cellText(plan.columns[k].index))
		if err != nil {
			return err
		}
	}
	return nil
}

// isBlankLine reports whether a line is blank and thus not a row. A line with a delimiter, such as a tab, is a row of
// missing values.
func (p *plan) isBlankLine(line []byte) bool {
	hasDelimiter := p.delimiter != ' ' && bytes.IndexByte(line, p.delimiter) >= 0
	return !hasDelimiter && len(bytes.TrimSpace(line)) == 0
}

// cellEnd returns the index after the cell that begins at text[i]: the next delimiter or line feed. In a file delimited
// by blanks, a cell also ends at any other white space and at bytes above ASCII, which may be white space.
func (p *plan) cellEnd(text []byte, i int) int {
	for text[i] != p.delimiter && text[i] != '\n' {
		isVisibleASCII := text[i] > ' ' && text[i] < 0x7f // 0x7f is a control character
		if p.delimiter == ' ' && !isVisibleASCII {
			break
		}
		i++
	}
	return i
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

// readLines waits for text and returns its whole lines, which stay in the buffer until discard. From a file it reads
// until the buffer is full or the file ends. From a pipe it returns the lines that have arrived. It returns no text if
// the input ends or fails in the middle of a line: reading row by row then returns the rest.
func (r *textReader) readLines(isFile bool) []byte {
	r.source.rowStart = r.nextRowOffset()
	hasArrived := func(text []byte) bool {
		return !isFile && bytes.IndexByte(text, '\n') >= 0 && !r.source.hasMore()
	}
	text, _ := peekUntil(r.buffered, r.buffered.Size(), hasArrived)
	return text[:bytes.LastIndexByte(text, '\n')+1]
}

// discard drops the first n bytes of the text that readLines returned from the buffer.
func (r *textReader) discard(n int) {
	r.buffered.Discard(n)
	r.skippedBytes += int64(n)
}

// nextRowOffset returns the byte offset in the text at which the next row begins.
func (r *textReader) nextRowOffset() int64 { return r.skippedBytes + r.csv.InputOffset() }
