package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Largest output of a cluster's program that is kept, in bytes.
const (
	maxOutput = 256 << 20 // standard output: a million tasks, with a line of about 60 bytes each, fit
	maxErrors = 64 << 10  // standard error
)

// missingProgramError says that a cluster's program is not installed.
type missingProgramError struct {
	program string // such as sbatch
	engine  string // such as slurm
}

func (e missingProgramError) Error() string {
	return fmt.Sprintf("the program %s is not installed here; run the command where the programs of %s are, such as a login node", e.program, e.engine)
}

// isMissingProgram reports whether err says that the cluster's programs are not installed.
func isMissingProgram(err error) bool {
	var missing missingProgramError
	return errors.As(err, &missing)
}

// runProgram runs a program of an engine with the given standard input and returns its standard
// output. It returns an error with the program's error output if the program fails, a
// missingProgramError if it is not installed, and ctx's error if ctx ended.
func runProgram(ctx context.Context, engine, input, program string, args ...string) (string, error) {
	if _, err := exec.LookPath(program); err != nil {
		return "", missingProgramError{program, engine}
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Stdin = strings.NewReader(input)
	command.WaitDelay = time.Second // after ctx ends, do not wait longer for children that keep the pipes open
	out := &boundedBuffer{maxBytes: maxOutput}
	errOut := &boundedBuffer{maxBytes: maxErrors}
	command.Stdout = out
	command.Stderr = errOut
	err := command.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		reason := strings.TrimSpace(errOut.text.String())
		if reason == "" {
			reason = err.Error()
		}
		return "", fmt.Errorf("%s: %s", program, reason)
	}
	if out.isCut {
		return "", fmt.Errorf("%s printed more than %d bytes", program, maxOutput)
	}
	return out.text.String(), nil
}

// boundedBuffer keeps the first maxBytes bytes written to it and drops the others.
type boundedBuffer struct {
	text     bytes.Buffer
	maxBytes int
	isCut    bool // whether bytes were dropped
}

// Write never fails: an error would end the program that writes.
func (b *boundedBuffer) Write(p []byte) (int, error) {
	n := min(len(p), b.maxBytes-b.text.Len())
	b.text.Write(p[:n])
	if n < len(p) {
		b.isCut = true
	}
	return len(p), nil
}
