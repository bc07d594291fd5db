package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// torch is a running PyTorch script that times cases on request.
type torch struct {
	version string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startTorch starts the script with the first Python that has torch: that of
// $PYTHON, python3, or Debian's.
func startTorch(script string) (*torch, error) {
	var last error
	for _, python := range []string{os.Getenv("PYTHON"), "python3", "/usr/bin/python3"} {
		if python == "" {
			continue
		}
		t, err := startPython(python, script)
		if err == nil {
			return t, nil
		}
		last = err
	}
	return nil, last
}

func startPython(python, script string) (*torch, error) {
	t := &torch{command: exec.Command(python, script)}
	t.command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	in, err := t.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.in, t.out = in, bufio.NewReader(out)
	if err := t.command.Start(); err != nil {
		return nil, err
	}
	if t.version, err = t.line(); err != nil {
		t.command.Wait()
		return nil, fmt.Errorf("%s has no torch (Debian: python3-torch)", python)
	}
	return t, nil
}

func (t *torch) line() (string, error) {
	line, err := t.out.ReadString('\n')
	return strings.TrimSpace(line), err
}

func (t *torch) time(b benchmark, repetitions int) (float64, error) {
	if _, err := fmt.Fprintln(t.in, b.Case, b.Features, b.Batch, repetitions); err != nil {
		return 0, err
	}
	line, err := t.line()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(line, 64)
}

func (t *torch) close() {
	t.in.Close()
	t.command.Wait()
}
