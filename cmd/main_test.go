//go:build unix

package cmd

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sml/internal/expect"
)

// A second signal ends at once what the first one cannot: here an objective that
// never returns. One that follows on the first is no second one.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	c := exec.Command("sml-endless", "train", "--data", "friedman", "--method", "endless", "--out", filepath.Join(t.TempDir(), "m"))
	out := expect.Must(c.StdoutPipe())
	expect.NoError(t, c.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("it does not come to its objective: %q, %v", line, err)
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
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGTERM, syscall.SIGHUP} {
		c.Process.Signal(s)
	}
	if !runs(2 * repeatTime) {
		t.Fatal("ended by signals that are one")
	}
	c.Process.Signal(syscall.SIGHUP)
	if !runs(repeatTime) {
		t.Error("ended by a second SIGHUP")
	}
	c.Process.Signal(os.Interrupt)
	if runs(time.Minute) {
		c.Process.Kill()
		t.Fatal("a second signal did not end it")
	}
	if code := c.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
}
