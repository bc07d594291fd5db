package cmd

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"
)

// stream is standard output or standard error. Its reader may be as slow as it
// likes, until ctx ends: a command that is to end does not wait for who reads
// nothing any more.
type stream struct {
	ctx  context.Context
	file *os.File

	lock  sync.Mutex
	stuck bool // a write is still waiting; what follows it would come out of order
}

// farewell is how long after ctx has ended a write may take.
const farewell = time.Second

func (s *stream) Write(text []byte) (int, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stuck {
		return 0, s.ctx.Err()
	}
	late, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(s.ctx, func() { time.AfterFunc(farewell, cancel) })()
	text = slices.Clone(text) // the caller may use it again when this write still waits
	n, err := await(late, func() (int, error) { return s.file.Write(text) })
	if s.stuck = errors.Is(err, errInterrupted); s.stuck {
		err = s.ctx.Err()
	}
	return n, err
}
