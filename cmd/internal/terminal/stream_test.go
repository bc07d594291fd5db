package terminal

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"sml/internal/expect"
)

// An interrupted command does not wait for a reader who no longer reads.
func TestStreamWithoutReader(t *testing.T) {
	r, w, err := os.Pipe()
	expect.NoError(t, err)
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	s := NewStream(ctx, w)
	if n, err := s.Write([]byte("read")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	ended := make(chan error)
	go func() {
		_, err := s.Write(make([]byte, 1<<20)) // more than a pipe holds
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Fatal("a pipe holds a MiB:", err)
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := s.Write([]byte("more")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A command that needs longer than graceTime to end still says what it leaves.
func TestStreamLongAfterInterruption(t *testing.T) {
	r, w, err := os.Pipe()
	expect.NoError(t, err)
	defer r.Close()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	s := NewStream(ctx, w)
	cancel()
	time.Sleep(graceTime + 50*time.Millisecond)
	for range 200 { // each write would fail by chance
		if n, err := s.Write([]byte("x")); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
}
