package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
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

// startTorch starts the script with the first Python that has torch, and a BLAS that it
// is used with: that of $PYTHON, python3, or Debian's.
func startTorch(script string) (*torch, error) {
	var wrong []string
	for _, python := range []string{os.Getenv("PYTHON"), "python3", "/usr/bin/python3"} {
		if python == "" {
			continue
		}
		t, err := startPython(python, script)
		if err == nil {
			return t, nil
		}
		wrong = append(wrong, err.Error())
	}
	return nil, errors.New(strings.Join(wrong, "; "))
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
	line, err := t.line()
	if err != nil {
		t.command.Wait()
		return nil, fmt.Errorf("%s has no torch (Debian: python3-torch)", python)
	}
	version, blas, _ := strings.Cut(line, "\t")
	if slow := referenceBLAS.FindString(blas); slow != "" {
		t.close()
		return nil, fmt.Errorf("%s multiplies by the reference BLAS, %s, many times slower than what PyTorch is used with: no comparison (Debian: libopenblas0-pthread)", python, slow)
	}
	t.version = fmt.Sprintf("%s by %s with %s", version, python, blas)
	return t, nil
}

// referenceBLAS is that of Netlib, as Debian and Ubuntu install it.
var referenceBLAS = regexp.MustCompile(`\S*/usr/lib/[^/ ]+/blas/libblas\.so\S*`)

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
