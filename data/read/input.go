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
type input struct {
	ctx   context.Context
	close context.CancelFunc
	full  chan chunk
	free  chan []byte

	now  chunk
	rest []byte // bytes of now still to be handed out
	eof  error  // error at the end of the input

	handed int64 // number of bytes handed out
	row    int64 // number of these bytes before the current row

	delimiter byte // 0 if not known yet
	most      int  // maximum number of delimiters in a line
	line      int  // number of delimiters in the current line so far

	converted atomic.Bool // the text was unzipped, or had another encoding
	binary    atomic.Bool // the input is Parquet or a zip archive
	inside    bool        // the input is a file in an archive
}

// chunk is a piece of text, and the error after it.
type chunk struct {
	text, buffer []byte
	err          error
}

// badText is the error of an input other than the text of a table.
type badText struct {
	line int // 0 for the file as a whole
	says string
}

func (e *badText) Error() string { return e.says }

const chunkSize = 1 << 17

// newInput returns an input that reads from r until it is closed or ctx ends. At this moment it
// abandons a running call of r.Read.
func newInput(ctx context.Context, r io.Reader) *input {
	const ahead = 8 // chunks: as much as a block
	in := &input{full: make(chan chunk, ahead), free: make(chan []byte, ahead)}
	in.ctx, in.close = context.WithCancel(ctx)
	for range ahead {
		in.free <- nil // allocated when it is needed
	}
	go in.pump(&decoded{bytes: bufio.NewReaderSize(r, chunkSize), in: in})
	return in
}

// pump reads chunks, and checks that each is text. The start of a character at the end of a chunk
// goes to the next chunk.
func (in *input) pump(r io.Reader) {
	var head, tail []byte
	line := 1
	for {
		var buffer []byte
		select {
		case buffer = <-in.free:
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
			whole := len(text) - incomplete(text)
			tail = append(tail, text[whole:]...)
			text = text[:whole]
		}
		if at := indexNonText(text); at >= 0 && !in.binary.Load() {
			err = whatFile(head, text, at, line+bytes.Count(text[:at], []byte{'\n'}))
			text = text[:at]
		}
		line += bytes.Count(text, []byte{'\n'})
		if len(text) == 0 && err == nil {
			in.free <- buffer
			continue
		}
		select {
		case in.full <- chunk{text, buffer, err}:
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
func incomplete(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) && !utf8.FullRune(end) {
			return n
		}
	}
	return 0
}

func (in *input) Read(p []byte) (int, error) {
	switch {
	case in.handed-in.row > maxRow:
		return 0, fmt.Errorf("more than %d MiB without the end of a row; rows are no longer than that: is a quote left open, or is this no table?", maxRow>>20)
	case in.delimiter != 0 && in.line > in.most:
		return 0, fmt.Errorf("a row of more than %d fields; a table has no more than %d columns", in.most, maxColumns)
	}
	for len(in.rest) == 0 {
		if in.eof != nil {
			return 0, in.eof
		}
		if err := in.ctx.Err(); err != nil {
			return 0, err
		}
		if in.now.buffer != nil {
			in.free <- in.now.buffer
		}
		select {
		case in.now = <-in.full:
		case <-in.ctx.Done():
			return 0, in.ctx.Err()
		}
		in.rest, in.eof = in.now.text, in.now.err
	}
	n := copy(p[:min(len(p), textBuffer)], in.rest) // no more, as what is read ahead counts as of the row
	in.rest = in.rest[n:]
	in.handed += int64(n)
	line := p[:n] // a field costs far more memory than its delimiter
	if last := bytes.LastIndexByte(line, '\n'); last >= 0 {
		line, in.line = line[last+1:], 0
	}
	in.line += bytes.Count(line, []byte{in.delimiter})
	return n, nil
}

// more reports whether there is unread text, or the end of the input has arrived.
func (in *input) more() bool { return len(in.rest) > 0 || in.eof != nil || len(in.full) > 0 }
