package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// pytorch is a running PyTorch script that times cases on request.
type pytorch struct {
	version string
	threads int
	python  string
	blas    struct {
		at    uint64 // where sgemm_ is in its memory
		about string
	}
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startPyTorch starts the script with the first Python that has torch: that of $PYTHON,
// python3, or Debian's.
func startPyTorch(script string, threads int) (*pytorch, error) {
	var wrong []error
	for _, python := range []string{os.Getenv("PYTHON"), "python3", "/usr/bin/python3"} {
		if python == "" {
			continue
		}
		t, err := startPython(python, script, threads)
		if err == nil {
			return t, nil
		}
		wrong = append(wrong, err)
	}
	return nil, errors.Join(wrong...)
}

func startPython(python, script string, threads int) (*pytorch, error) {
	t := &pytorch{python: python, threads: threads, command: exec.Command(python, script, strconv.Itoa(threads))}
	t.command.Env = os.Environ()
	for _, library := range []string{"OMP", "MKL", "OPENBLAS", "BLIS"} {
		t.command.Env = append(t.command.Env, fmt.Sprintf("%s_NUM_THREADS=%d", library, threads))
	}
	if os.Getenv("OMP_WAIT_POLICY") == "" { // threads that spin for work keep those of the BLAS from theirs
		t.command.Env = append(t.command.Env, "OMP_WAIT_POLICY=passive")
	}
	var err error
	if t.in, err = t.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	var said strings.Builder
	t.command.Stderr = &said
	if err := t.command.Start(); err != nil {
		return nil, err
	}
	line, err := t.line()
	if err != nil {
		t.command.Wait()
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		return nil, fmt.Errorf("%s %s: %s (Debian's torch: python3-torch, with libopenblas0-pthread)", python, script, lines[len(lines)-1])
	}
	fields := append(strings.Split(line, "\t"), "", "", "")
	t.version, t.blas.about = fields[0], fields[2]
	t.blas.at, err = strconv.ParseUint(fields[1], 10, 64)
	return t, err
}

// BLAS names what it multiplies by, from the maps of its process; the error is blasOf's.
func (t *pytorch) BLAS() (string, error) {
	maps, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(t.command.Process.Pid), "maps"))
	if err != nil && t.blas.at != 0 {
		return "", err
	}
	blas, err := blasOf(string(maps), t.blas.at, t.blas.about)
	if err != nil {
		return "", fmt.Errorf("PyTorch of %s: %w", t.python, err)
	}
	return blas, nil
}

// timer times a case there. A BLAS's threads spin for a while after their work, on the
// cores of who is next: that is waited for.
func (t *pytorch) timer(b benchmark, engine string) timer {
	name, perNetwork := b.Case, 1.0
	if engine != torch {
		name, perNetwork = b.method()+"-"+engine, networks
	}
	return func(repetitions int) (float64, error) {
		line, err := t.ask(fmt.Sprintln(name, b.Width, b.Inputs, b.Rows, b.batches(), repetitions))
		if err != nil {
			return 0, err
		}
		if t.threads > 1 {
			time.Sleep(40 * time.Millisecond)
		}
		us, err := strconv.ParseFloat(line, 64)
		return us / perNetwork, err
	}
}

// steps is what SML's steps make of the networks of a file.
func (t *pytorch) steps(file string) (found stepped, err error) {
	line, err := t.ask("agree " + file + "\n")
	if err != nil {
		return found, err
	}
	return found, json.Unmarshal([]byte(line), &found)
}

func (t *pytorch) ask(question string) (string, error) {
	if _, err := io.WriteString(t.in, question); err != nil {
		return "", err
	}
	line, err := t.line()
	if err != nil {
		return "", fmt.Errorf("PyTorch ended: %v", t.command.Stderr)
	}
	return line, nil
}

func (t *pytorch) line() (string, error) {
	line, err := t.out.ReadString('\n')
	return strings.TrimSpace(line), err
}

func (t *pytorch) close() {
	t.in.Close()
	t.command.Wait()
}
