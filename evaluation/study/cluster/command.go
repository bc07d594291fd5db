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

// maxAnswer bounds, in bytes, what a cluster's program may print: a line of a million
// tasks has about 60.
const maxAnswer = 256 << 20

// missing is the error of a program that there is not.
type missing struct {
	program, engine string
}

func (m missing) Error() string {
	return fmt.Sprintf("there is no %s here: call this where the programs of %s are, such as a login node", m.program, m.engine)
}

// IsMissing tells whether an error is that the cluster's programs are not here.
func IsMissing(err error) bool {
	var m missing
	return errors.As(err, &m)
}

// ask runs one of an engine's programs and returns what it printed. Its error has
// what it said.
func ask(ctx context.Context, engine, input, program string, args ...string) (string, error) {
	if _, err := exec.LookPath(program); err != nil {
		return "", missing{program, engine}
	}
	c := exec.CommandContext(ctx, program, args...)
	c.Stdin = strings.NewReader(input)
	c.WaitDelay = time.Second
	out, said := &bounded{most: maxAnswer}, &bounded{most: 64 << 10}
	c.Stdout, c.Stderr = out, said
	err := c.Run()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		text := strings.TrimSpace(said.text.String())
		if text == "" {
			text = err.Error()
		}
		return "", fmt.Errorf("%s: %s", program, text)
	}
	if out.cut {
		return "", fmt.Errorf("%s printed more than %d bytes", program, maxAnswer)
	}
	return out.text.String(), nil
}

// bounded keeps what is written to it up to a number of bytes.
type bounded struct {
	text bytes.Buffer
	most int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.most-b.text.Len())
	b.text.Write(p[:n])
	b.cut = b.cut || n < len(p)
	return len(p), nil
}
