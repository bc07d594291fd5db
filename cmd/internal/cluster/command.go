package cluster

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// isInstalled reports whether a program is on PATH.
func isInstalled(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// runProgram runs a program of an engine with the given standard input and returns its standard
// output. It returns an error with the program's error output if the program fails, an error with
// advice if it is not installed, and ctx's error if ctx ended.
func runProgram(ctx context.Context, engine, input, program string, args ...string) (string, error) {
	if !isInstalled(program) {
		return "", fmt.Errorf("the program %s is not installed here; run the command where the programs of %s are, such as a login node", program, engine)
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Stdin = strings.NewReader(input)
	command.WaitDelay = time.Second // after ctx ends, do not wait longer for children that keep the pipes open
	out, err := command.Output()    // which keeps the beginning and the end of a long error output
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	var failure *exec.ExitError
	if errors.As(err, &failure) && len(failure.Stderr) > 0 {
		return "", fmt.Errorf("%s: %s", program, strings.TrimSpace(string(failure.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", program, err)
	}
	return string(out), nil
}
