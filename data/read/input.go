package read

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"unicode/utf8"
)

// maxRow is the maximum number of bytes of a row. It keeps a file with an open quote, or without
// line ends, from filling the memory.
const maxRow = 16 << 20

// input reads the text of a file, unzipped and checked to be text, or the bytes of another
// format. A goroutine reads ahead, so that the caller can abandon a read that never returns, as
// from a pipe that nobody writes to, when ctx ends.
type sourceReader struct {
	ctx         context.Context
	close       context.CancelFunc
	fullChunks  chan chunk
	freeBuffers chan []byte

	current  chunk
	unread   []byte // bytes of now still to be handed out
	endError error  // error at the end of the input

	bytesRead int64 // number of bytes handed out
	rowStart  int64 // number of these bytes before the current row

	delimiter      byte // 0 if not known yet
	maxDelimiters  int  // maximum number of delimiters in a line
	lineDelimiters int  // number of delimiters in the current line so far

	converted atomic.Bool // the text was unzipped, or had another encoding
	binary    atomic.Bool // the input is Parquet or a zip archive
	inArchive bool        // the input is a file in an archive
}

// chunk is a piece of text, and the error after it.
type chunk struct {
	text, buffer []byte
	err          error
}

// badText is the error of an input other than the text of a table.
type formatError struct {
	line    int // 0 for the file as a whole
	message string
}

func (e *formatError) Error() string { return e.message }

const chunkSize = 1 << 17

// newInput returns an input that reads from r until it is closed or ctx ends. At this moment it
// abandons a running call of r.Read.
func newSourceReader(ctx context.Context, r io.Reader) *sourceReader {
	const ahead = 8 // chunks: as much as a block
	in := &sourceReader{fullChunks: make(chan chunk, ahead), freeBuffers: make(chan []byte, ahead)}
	in.ctx, in.close = context.WithCancel(ctx)
	for range ahead {
		in.freeBuffers <- nil // allocated when it is needed
	}
	go in.readAhead(&decodingReader{raw: bufio.NewReaderSize(r, chunkSize), source: in})
	return in
}

// pump reads chunks, and checks that each is text. The start of a character at the end of a chunk
// goes to the next chunk.
func (in *sourceReader) readAhead(r io.Reader) {
	var head, tail []byte
	line := 1
	for {
		var buffer []byte
		select {
		case buffer = <-in.freeBuffers:
		case <-in.ctx.Done():
			return
		}
		if buffer == nil {
			buffer = make([]byte, chunkSize)
		}
		n := copy(buffer, tail)
		more, err := r.Read(buffer[n:])
		text := buffer[:n+more]
		if len(head) < headSize {
			head = append(head, text[n:n+min(more, headSize-len(head))]...)
		}
		tail = tail[:0]
		if err == nil {
			whole := len(text) - incompleteBytes(text)
			tail = append(tail, text[whole:]...)
			text = text[:whole]
		}
		if at := indexNonText(text); at >= 0 && !in.binary.Load() {
			err = unreadableFormatError(head, text, at, line+bytes.Count(text[:at], []byte{'\n'}))
			text = text[:at]
		}
		line += bytes.Count(text, []byte{'\n'})
		if len(text) == 0 && err == nil {
			in.freeBuffers <- buffer
			continue
		}
		select {
		case in.fullChunks <- chunk{text, buffer, err}:
		case <-in.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// indexNonText returns the index of the first byte that UTF-8 text cannot have, or −1.
func indexNonText(text []byte) int {
	at := bytes.IndexByte(text, 0)
	if at >= 0 {
		text = text[:at]
	}
	if utf8.Valid(text) {
		return at
	}
	for i, r := range string(text) {
		if r == utf8.RuneError && !bytes.HasPrefix(text[i:], []byte("\uFFFD")) {
			return i
		}
	}
	return at
}

// incomplete returns how many bytes at the end of text are the beginning of a
// character.
func incompleteBytes(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) && !utf8.FullRune(end) {
			return n
		}
	}
	return 0
}

func (in *sourceReader) Read(p []byte) (int, error) {
	switch {
	case in.bytesRead-in.rowStart > maxRow:
		return 0, fmt.Errorf("more than %d MiB without the end of a row; rows are no longer than that: is a quote left open, or is this no table?", maxRow>>20)
	case in.delimiter != 0 && in.lineDelimiters > in.maxDelimiters:
		return 0, fmt.Errorf("a row of more than %d fields; a table has no more than %d columns", in.maxDelimiters, maxColumns)
	}
	for len(in.unread) == 0 {
		if in.endError != nil {
			return 0, in.endError
		}
		if err := in.ctx.Err(); err != nil {
			return 0, err
		}
		if in.current.buffer != nil {
			in.freeBuffers <- in.current.buffer
		}
		select {
		case in.current = <-in.fullChunks:
		case <-in.ctx.Done():
			return 0, in.ctx.Err()
		}
		in.unread, in.endError = in.current.text, in.current.err
	}
	n := copy(p[:min(len(p), maxFirstRow)], in.unread) // no more, as what is read ahead counts as of the row
	in.unread = in.unread[n:]
	in.bytesRead += int64(n)
	line := p[:n] // a field costs far more memory than its delimiter
	if last := bytes.LastIndexByte(line, '\n'); last >= 0 {
		line, in.lineDelimiters = line[last+1:], 0
	}
	in.lineDelimiters += bytes.Count(line, []byte{in.delimiter})
	return n, nil
}

// more reports whether there is unread text, or the end of the input has arrived.
func (in *sourceReader) hasMore() bool {
	return len(in.unread) > 0 || in.endError != nil || len(in.fullChunks) > 0
}
