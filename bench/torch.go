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

// pytorch is a running Python script with torch. It answers each line that it reads with a line.
type pytorch struct {
	python  string // path of the Python
	version string // version of PyTorch
	threads int

	sgemmAddress uint64 // place of the BLAS function sgemm_ in the process's memory; 0 if it is hidden
	aboutBLAS    string // description of the BLAS by the script; "" if it does not know

	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// startPyTorch starts the script with the first Python that has torch: $PYTHON, python3, or
// /usr/bin/python3, which has Debian's packages. It returns the errors of all if none has.
func startPyTorch(script string, threads int) (*pytorch, error) {
	var errs []error
	for _, python := range []string{os.Getenv("PYTHON"), "python3", "/usr/bin/python3"} {
		if python == "" {
			continue
		}
		t, err := startPython(python, script, threads)
		if err == nil {
			return t, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// startPython starts the script with one Python and reads its first line.
func startPython(python, script string, threads int) (*pytorch, error) {
	t := &pytorch{
		python:  python,
		threads: threads,
		command: exec.Command(python, script, strconv.Itoa(threads)),
	}
	t.command.Env = threadEnv(threads)
	var err error
	t.in, err = t.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	t.out = bufio.NewReader(out)
	var errOut strings.Builder
	t.command.Stderr = &errOut
	if err := t.command.Start(); err != nil {
		return nil, err
	}
	if err := t.readIntroduction(); err != nil {
		t.in.Close() // ends the script if it still runs
		t.command.Wait()
		lines := strings.Split(strings.TrimSpace(errOut.String()), "\n")
		lastLine := lines[len(lines)-1] // of Python's traceback: the error itself
		return nil, fmt.Errorf("%s %s: %w: %s (on Debian, install python3-torch and libopenblas0-pthread)", python, script, err, lastLine)
	}
	return t, nil
}

// threadEnv returns the environment in which all libraries of Python use a number of threads.
func threadEnv(threads int) []string {
	env := os.Environ()
	for _, library := range []string{"OMP", "MKL", "OPENBLAS", "BLIS"} {
		env = append(env, fmt.Sprintf("%s_NUM_THREADS=%d", library, threads))
	}
	if os.Getenv("OMP_WAIT_POLICY") == "" {
		// Idle threads of OpenMP would keep cores busy that the threads of the BLAS need.
		env = append(env, "OMP_WAIT_POLICY=passive")
	}
	return env
}

// readIntroduction reads the script's first line: the version of PyTorch, the address of sgemm_ and a
// description of the BLAS, with tabs between them.
func (t *pytorch) readIntroduction() error {
	line, err := t.readLine()
	if err != nil {
		return err
	}
	fields := append(strings.Split(line, "\t"), "", "", "") // trailing empty fields were trimmed
	t.version = fields[0]
	t.aboutBLAS = fields[2]
	t.sgemmAddress, err = strconv.ParseUint(fields[1], 10, 64)
	return err
}

// describeBLAS describes the library of PyTorch's matrix products. It returns an error for a library
// with which no comparison should be made.
func (t *pytorch) describeBLAS() (string, error) {
	maps, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(t.command.Process.Pid), "maps"))
	if err != nil && t.sgemmAddress != 0 { // with an address of 0, maps are not needed
		return "", err
	}
	blas, err := describeBLAS(string(maps), t.sgemmAddress, t.aboutBLAS)
	if err != nil {
		return "", fmt.Errorf("PyTorch of %s: %w", t.python, err)
	}
	return blas, nil
}

// spinTime is how long the threads of a BLAS may spin after their work. They would slow down the side
// whose turn is next.
const spinTime = 40 * time.Millisecond

// timer returns a function that times training steps of a benchmark in PyTorch and returns the microseconds of one step of
// one network. The engine torch trains a single network. Every other engine trains a stack, stackedNetworks equal
// networks in the same operations; its time is divided by their number.
func (t *pytorch) timer(b benchmark, engine string) timer {
	name := b.Case
	networks := 1.0
	if engine != torch {
		name = b.method() + "-" + engine
		networks = stackedNetworks
	}
	return func(repetitions int) (float64, error) {
		// The script answers the request with the time in microseconds.
		line, err := t.ask(fmt.Sprintln(name, b.Width, b.Inputs, b.Rows, b.batches(), repetitions))
		if err != nil {
			return 0, err
		}
		if t.threads > 1 { // the next measurement must not compete with threads that still spin
			time.Sleep(spinTime)
		}
		microseconds, err := strconv.ParseFloat(line, 64)
		return microseconds / networks, err
	}
}

// steps trains the networks in a file, which has networkSteps as JSON, on their batches.
func (t *pytorch) steps(file string) (found torchSteps, err error) {
	line, err := t.ask("agree " + file + "\n")
	if err != nil {
		return found, err
	}
	return found, json.Unmarshal([]byte(line), &found)
}

// ask writes a line to the script and returns its answer. It returns an error with the script's error
// output if the script has ended.
func (t *pytorch) ask(question string) (string, error) {
	if _, err := io.WriteString(t.in, question); err != nil {
		return "", err
	}
	line, err := t.readLine()
	if err != nil {
		return "", fmt.Errorf("PyTorch ended: %v", t.command.Stderr)
	}
	return line, nil
}

// readLine reads a line of the script's output, without spaces at its ends.
func (t *pytorch) readLine() (string, error) {
	line, err := t.out.ReadString('\n')
	return strings.TrimSpace(line), err
}

// close ends the script, which runs until the end of its input.
func (t *pytorch) close() {
	t.in.Close()
	t.command.Wait()
}
