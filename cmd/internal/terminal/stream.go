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
	file *os.File
	ctx  context.Context

	lock  sync.Mutex
	stuck bool // whether a write still waits; text written after it would come out of order
}

// graceTime is how long a write may take after the context's end. Each write has this time, because a command may need
// longer to end and then says what it leaves.
const graceTime = time.Second

// NewStream returns a stream that writes to file and gives up soon after ctx has ended.
func NewStream(ctx context.Context, file *os.File) *Stream { return &Stream{file: file, ctx: ctx} }

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
	case <-s.ctx.Done():
	}
	select {
	case <-done:
		return n, err
	case <-time.After(graceTime):
		s.stuck = true
		return 0, s.ctx.Err()
	}
}
