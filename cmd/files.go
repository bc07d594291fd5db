package cmd

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"sml/internal/safefile"
)

// fileExists reports whether a file exists, or may exist because its folder cannot be read.
func fileExists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// A process that was killed may still hold its locks for killTime. Until then, a lock is tried again
// every lockInterval.
const (
	killTime     = time.Second
	lockInterval = killTime / 20
)

// lockSuffix ends the names of lock files.
const lockSuffix = ".sml-lock"

// lockOutput keeps other processes from writing to out, the file or directory of a flag, until release is called. lockPath
// is the path of the lock file. lockOutput returns an error if another process has the lock. On a file system without locks
// it prints a note, and nothing is locked.
func lockOutput(c *cli.Context, flag, out, lockPath string) (release func(), err error) {
	lock, err := acquireLock(c.Context, lockPath)
	var held *safefile.HeldError
	switch {
	case err == nil:
		return func() { lock.Release() }, nil // ignore the error: a lock file without a process locks nothing
	case errors.As(err, &held):
		return nil, fmt.Errorf("%s is being written by %s: wait until that has ended, or choose another --%s", out, held.Holder, flag)
	case errors.Is(err, errors.ErrUnsupported):
		note(c, "the file system of %s has no locks: make sure that nothing else writes there", out)
		return func() {}, nil
	}
	return nil, fmt.Errorf("--%s %s: nothing can be written there: %w", flag, out, err)
}

// acquireLock acquires a lock. While another process has it, it tries again for killTime, until ctx ends.
func acquireLock(ctx context.Context, path string) (*safefile.Lock, error) {
	end := time.Now().Add(killTime)
	for {
		lock, err := safefile.Acquire(path)
		var held *safefile.HeldError
		if !errors.As(err, &held) || time.Now().After(end) || ctx.Err() != nil {
			return lock, err
		}
		time.Sleep(lockInterval)
	}
}

// forceFlag returns the flag --force of commands that write one file, whose name is in the flag
// file.
func forceFlag(file string) *cli.BoolFlag {
	return &cli.BoolFlag{Name: "force", Usage: "replace the file in --" + file}
}

// outputFile is a file that a command writes.
type outputFile struct {
	path string // "" for standard output
	name string // flag or argument that errors name
}

// flagFile returns the file in a flag, or standard output if the flag is not set.
func flagFile(c *cli.Context, flag string) outputFile {
	return outputFile{path: c.String(flag), name: "--" + flag}
}

// check returns an error if the file cannot be written, or exists and --force is not set.
func (f outputFile) check(c *cli.Context) error {
	if f.path == "" {
		return nil
	}
	err := safefile.CheckCreatable(f.path)
	exists := errors.Is(err, fs.ErrExist)
	if exists && !c.Bool("force") {
		return fmt.Errorf("%s exists: choose another %s, or --force to replace it", f.path, f.name)
	}
	if exists || err == nil {
		err = safefile.CheckWritable(f.path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	return nil
}

// write writes a result to the file, which may be a device or a named pipe.
func (f outputFile) write(c *cli.Context, write func(io.Writer) error) error {
	if f.path == "" {
		return write(c.App.Writer)
	}
	if strings.HasSuffix(f.path, compressedSuffix) {
		write = compressed(write)
	}
	writeFile := safefile.Create // fails if the file exists
	if c.Bool("force") {
		writeFile = safefile.Write
	}
	info, err := os.Stat(f.path)
	if err == nil && !info.Mode().IsRegular() {
		// Opening a named pipe waits for its reader, who may never come: end with the user's interruption.
		_, err := await(c.Context, func() (struct{}, error) { return struct{}{}, writeFile(f.path, write) })
		return err
	}
	err = writeFile(f.path, write)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s was created in the meantime: choose another %s, or --force to replace it", f.path, f.name)
	}
	return err
}

// compressedSuffix ends the names of files that are compressed.
const compressedSuffix = ".gz"

// compressed returns a function that writes what write writes, compressed by gzip.
func compressed(write func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := write(z); err != nil {
			return err
		}
		return z.Close()
	}
}
