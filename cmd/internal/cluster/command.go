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
	out, err := command.Output()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		reason := err.Error()
		var exit *exec.ExitError
		if errors.As(err, &exit) && len(bytes.TrimSpace(exit.Stderr)) > 0 {
			reason = string(bytes.TrimSpace(exit.Stderr))
		}
		return "", fmt.Errorf("%s: %s", program, reason)
	}
	return string(out), nil
}
