//go:build linux

package cmd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sml/internal/expect"
)

// A disk that is full at the end of a training costs nothing but the room for
// its model: what fails is said, and the training goes on from its checkpoint.
func TestLongFullDisk(t *testing.T) {
	if os.Getenv("SML_LONG") == "" {
		t.Skip("takes minutes: make test-long runs it")
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("a small disk cannot be made here: ", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	train := func(args ...string) (int, string) {
		var errOut bytes.Buffer
		c := exec.Command("sml", append([]string{"train"}, args...)...)
		c.Dir, c.Stderr = disk, &errOut
		err := c.Run()
		return exitCode(err), errOut.String()
	}
	arguments := []string{"--data", "friedman", "--epochs", "3000", "--hidden", "8", "--out"}
	whole := filepath.Join(t.TempDir(), "whole")
	if code, said := train(append(arguments, whole)...); code != 0 {
		t.Fatal(said)
	}
	full := filepath.Join(disk, "full")
	fill := func() {
		f, err := os.Create(full)
		expect.NoError(t, err)
		defer f.Close()
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
	}
	fill()
	if code, said := train(append(arguments, "m")...); code != exitFailed || !strings.Contains(said, "no space left") {
		t.Errorf("a disk that is full at the start: exit code %d: %s", code, said)
	}
	os.Remove(full)
	filled := make(chan struct{})
	go func() {
		defer close(filled)
		for range 1000 {
			if _, err := os.Stat(checkpointDir(filepath.Join(disk, "m"))); err == nil {
				fill()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	code, said := train(append(arguments, "m")...)
	<-filled
	for _, want := range []string{
		"sml: the checkpoint could not be written, the training goes on: ", "sml: the model cannot be written: ", "no space left",
		`then go on with "sml train --resume --out m"`,
	} {
		if code != exitFailed || !strings.Contains(said, want) {
			t.Errorf("exit code %d, and it does not say %q: %s", code, want, said)
		}
	}
	if code, said := train("--resume", "--out", "m"); code != exitFailed {
		t.Errorf("still full: exit code %d: %s", code, said)
	}
	os.Remove(full)
	if code, said := train("--resume", "--out", "m"); code != 0 {
		t.Fatalf("with room: exit code %d: %s", code, said)
	}
	sameModelFiles(t, modelFiles(t, whole), filepath.Join(disk, "m"))
	entries, err := os.ReadDir(disk)
	if err != nil || len(entries) != 1 {
		t.Errorf("left on the disk: %v, %v", entries, err)
	}
}
