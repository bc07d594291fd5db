//go:build unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A second signal ends at once what the first one cannot: here a program that
// waits for a pipe to be opened. One that follows on the first is no second one.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	c := exec.Command("sml", "data", "describe", pipe)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	runs := func(after time.Duration) bool {
		select {
		case <-ended:
			return false
		case <-time.After(after):
			return true
		}
	}
	runs(time.Second)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGTERM, syscall.SIGHUP} {
		c.Process.Signal(s)
		if !runs(insistence / 4) {
			t.Skip("the first signal was enough") // where opening a pipe does not wait
		}
	}
	runs(2 * insistence)
	c.Process.Signal(syscall.SIGHUP)
	if !runs(insistence) {
		t.Error("ended by a second SIGHUP")
	}
	c.Process.Signal(os.Interrupt)
	if runs(5 * time.Second) {
		c.Process.Kill()
		t.Fatal("a second signal did not end it")
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}
