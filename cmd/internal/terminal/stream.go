package terminal

import (
	"context"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// Stream is the standard output or standard error of a command. Writes may wait for a slow reader
// until the command's context ends, and soon after that fail, so that an interrupted command
// ends.
type Stream struct {
	file   *os.File
	ctx    context.Context
	gaveUp chan struct{} // closed when writes are given up

	lock  sync.Mutex
	stuck bool // whether a write still waits; text written after it would come out of order
}

// graceTime is how long after the context's end a write may take.
const graceTime = time.Second

// NewStream returns a stream that writes to file and gives up soon after ctx has ended.
func NewStream(ctx context.Context, file *os.File) *Stream {
	s := &Stream{file: file, ctx: ctx, gaveUp: make(chan struct{})}
	context.AfterFunc(ctx, func() {
		time.AfterFunc(graceTime, func() { close(s.gaveUp) })
	})
	return s
}

// Unwrap returns the file that s writes to.
func (s *Stream) Unwrap() io.Writer { return s.file }

// Write writes text. It returns the context's error if nobody has read the text soon after
// the context has ended.
func (s *Stream) Write(text []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stuck {
		return 0, s.ctx.Err()
	}
	text = slices.Clone(text) // the caller may reuse it while this write still waits
	var n int
	var err error
	done := make(chan struct{})
	go func() {
		n, err = s.file.Write(text)
		close(done)
	}()
	select {
	case <-done:
		return n, err
	case <-s.gaveUp:
		s.stuck = true
		return 0, s.ctx.Err()
	}
}
