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

// maxOutput and maxErrors bound, in bytes, the standard output and standard error of a cluster's
// program. A line of a task has about 60 bytes, so the output of a million tasks
// fits.
const (
	maxOutput = 256 << 20
	maxErrors = 64 << 10
)

// missingProgram is the error of calling a missing program.
type missingProgram struct {
	program, engine string
}

func (m missingProgram) Error() string {
	return fmt.Sprintf("there is no %s here: call this where the programs of %s are, such as a login node", m.program, m.engine)
}

// isMissing reports whether an error says that the cluster's programs are not installed.
func isMissing(err error) bool {
	var m missingProgram
	return errors.As(err, &m)
}

// ask runs a program of an engine with an input and returns its output. If the program
// fails, the error has its error output.
func ask(ctx context.Context, engine, input, program string, args ...string) (string, error) {
	if _, err := exec.LookPath(program); err != nil {
		return "", missingProgram{program, engine}
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Stdin = strings.NewReader(input)
	c.WaitDelay = time.Second
	out, errOut := &boundedBuffer{limit: maxOutput}, &boundedBuffer{limit: maxErrors}
	c.Stdout, c.Stderr = out, errOut
	err := c.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		text := strings.TrimSpace(errOut.text.String())
		if text == "" {
			text = err.Error()
		}
		return "", fmt.Errorf("%s: %s", program, text)
	}
	if out.cut {
		return "", fmt.Errorf("%s printed more than %d bytes", program, maxOutput)
	}
	return out.text.String(), nil
}

// boundedBuffer keeps the first bytes written to it, at most limit.
type boundedBuffer struct {
	text  bytes.Buffer
	limit int
	cut   bool // something was written beyond the limit
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	n := min(len(p), b.limit-b.text.Len())
	b.text.Write(p[:n])
	b.cut = b.cut || n < len(p)
	return len(p), nil
}
