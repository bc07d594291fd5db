//go:build unix

package safefile

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Opening a pipe that nobody writes to would wait for ever.
func TestReadRefusesPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := Read(path, 100)
		done <- err
	}()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a pipe was read")
		}
	case <-time.After(10 * time.Second):
		t.Error("still waiting for a pipe")
	}
}
