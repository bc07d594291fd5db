package read

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"unicode/utf8"
)

// maxRow is the maximum number of bytes of a row. It keeps a file with an open quote, or without
// line ends, from filling the memory.
const maxRow = 16 << 20

// chunkSize is the number of bytes read from a file at a time.
const chunkSize = 1 << 17

// chunksAhead is the number of chunks that are read before they are needed.
const chunksAhead = blockSize / chunkSize

// sourceReader reads the text of a file, unzipped and checked to be UTF-8, or the bytes of another
// format. A goroutine reads ahead, so that the caller can abandon a read that never returns, as from
// a pipe that nobody writes to, when ctx ends.
type sourceReader struct {
	ctx    context.Context
	close  context.CancelFunc
	chunks chan chunk // from the goroutine

	unread   []byte // bytes of the current chunk that Read has not returned
	endError error  // error at the end of the input; nil before it

	bytesRead int64 // number of bytes that Read has returned
	rowStart  int64 // number of bytes before the current row; the reader of rows sets it

	// A field takes far more memory than its delimiter, so that Read limits the delimiters of a line
	// before a line is split into fields.
	delimiter      byte // 0 if not known yet
	maxDelimiters  int  // in a line
	lineDelimiters int  // number of delimiters in the current line so far

	converted atomic.Bool // the text was unzipped, or had another encoding
	binary    atomic.Bool // the input is Parquet or a zip archive
	inArchive bool        // the input is a file in an archive
}

// chunk is a piece of text, and the error after it.
type chunk struct {
	text []byte
	err  error
}

// formatError is the error for an input other than the text of a table.
type formatError struct {
	line    int // 0 if the error concerns the file as a whole
	message string
}

func (e *formatError) Error() string { return e.message }

// newSourceReader returns a reader of r. It starts the goroutine, which ends with ctx or with a
// call of close; either abandons a running call of r.Read.
func newSourceReader(ctx context.Context, r io.Reader) *sourceReader {
	s := &sourceReader{chunks: make(chan chunk, chunksAhead)}
	s.ctx, s.close = context.WithCancel(ctx)
	go s.readAhead(&decodingReader{raw: bufio.NewReaderSize(r, chunkSize), source: s})
	return s
}

// readAhead reads chunks of r and sends them to the caller of Read, up to the first error or the end of s.ctx. A chunk of
// text ends with a whole character. If the file should be text and is not, the last chunk has the text before the first
// bad byte, and an error.
func (s *sourceReader) readAhead(r io.Reader) {
	checker := textChecker{line: 1}
	// Buffers are used in turn. Besides the chunk that is being read, chunksAhead chunks wait, and Read uses one: the
	// buffer after them is free again.
	var buffers [chunksAhead + 2][]byte
	turn := 0
	var partialCharacter []byte // first bytes of the next chunk
	for {
		if buffers[turn] == nil {
			buffers[turn] = make([]byte, chunkSize)
		}
		buffer := buffers[turn]
		start := copy(buffer, partialCharacter)
		n, err := r.Read(buffer[start:])
		text := buffer[:start+n]
		checker.addHead(text[start:])
		partialCharacter = nil
		if err == nil { // after an error there is no next chunk
			whole := len(text) - incompleteBytes(text)
			text, partialCharacter = text[:whole], text[whole:]
		}
		if !s.binary.Load() { // known after the first read
			valid, formatErr := checker.check(text)
			text, err = valid, cmp.Or(formatErr, err)
		}
		if len(text) == 0 && err == nil {
			continue
		}
		select {
		case s.chunks <- chunk{text, err}:
		case <-s.ctx.Done():
			return
		}
		if err != nil {
			return
		}
		turn = (turn + 1) % len(buffers)
	}
}

// textChecker checks the successive chunks of a file.
type textChecker struct {
	head []byte // start of the file, up to headSize bytes
	line int    // number of the line at which the next chunk begins
}

// addHead appends the next bytes of the file to the head until the head is full.
func (c *textChecker) addHead(content []byte) {
	missing := headSize - len(c.head)
	c.head = append(c.head, content[:min(len(content), missing)]...)
}

// check returns the part of the next chunk before the first byte that UTF-8 text cannot have. If there
// is such a byte, it also returns an error that names the format of the file. It counts the lines.
func (c *textChecker) check(text []byte) (valid []byte, err error) {
	valid = text
	bad := indexNonText(text)
	if bad >= 0 {
		valid = text[:bad]
		badLine := c.line + bytes.Count(valid, []byte{'\n'})
		err = unreadableFormatError(c.head, text, bad, badLine)
	}
	c.line += bytes.Count(valid, []byte{'\n'})
	return valid, err
}

// indexNonText returns the index of the first byte that UTF-8 text cannot have, or −1: a NUL byte, or a
// byte that begins no character.
func indexNonText(text []byte) int {
	nul := bytes.IndexByte(text, 0)
	if nul >= 0 {
		text = text[:nul]
	}
	if utf8.Valid(text) { // this is fast
		return nul
	}
	for i, r := range string(text) {
		isReplacementCharacter := bytes.HasPrefix(text[i:], []byte("\uFFFD")) // in the file itself
		if r == utf8.RuneError && !isReplacementCharacter {
			return i
		}
	}
	return nul
}

// incompleteBytes returns the number of bytes at the end of text that begin a character of several
// bytes without completing it.
func incompleteBytes(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		end := text[len(text)-n:]
		if utf8.RuneStart(end[0]) && !utf8.FullRune(end) {
			return n
		}
	}
	return 0
}

// Read copies the next bytes to p, and waits for them. It returns an error if the current row has more
// than maxRow bytes, if a line has more than s.maxDelimiters, or if s.ctx ends.
func (s *sourceReader) Read(p []byte) (int, error) {
	switch {
	case s.bytesRead-s.rowStart > maxRow:
		return 0, fmt.Errorf("more than %d MiB without the end of a row; rows are no longer than that: is a quote left open, or is this not a table?", maxRow>>20)
	case s.delimiter != 0 && s.lineDelimiters > s.maxDelimiters:
		return 0, fmt.Errorf("a row of more than %d fields; a table has at most %d columns", s.maxDelimiters, maxColumns)
	}
	for len(s.unread) == 0 {
		if s.endError != nil {
			return 0, s.endError
		}
		if err := s.nextChunk(); err != nil {
			return 0, err
		}
	}
	n := copy(p[:min(len(p), maxFirstRow)], s.unread) // few at once: all bytes that are read count to the current row
	s.unread = s.unread[n:]
	s.bytesRead += int64(n)
	s.countDelimiters(p[:n])
	return n, nil
}

// nextChunk waits for the next chunk. It returns an error if s.ctx ends.
func (s *sourceReader) nextChunk() error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	select {
	case next := <-s.chunks:
		s.unread = next.text
		s.endError = next.err
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// countDelimiters adds the delimiters of the last line of text to s.lineDelimiters, which it sets to 0
// first if the line begins in text. Lines that end in text are too short to be a danger.
func (s *sourceReader) countDelimiters(text []byte) {
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		text = text[end+1:]
		s.lineDelimiters = 0
	}
	s.lineDelimiters += bytes.Count(text, []byte{s.delimiter})
}

// hasMore reports whether Read would return without waiting: there is unread text, or the end of the
// input has arrived.
func (s *sourceReader) hasMore() bool {
	return len(s.unread) > 0 || s.endError != nil || len(s.chunks) > 0
}
