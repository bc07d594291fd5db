package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"sml/internal/strict"
	"sml/trainers"
)

// readAlternative returns the states of the interrupted training of j.Alternative, or nil if there is none. A checkpoint of
// another job does not count: a training that this one replaces has left it.
func (j job) readAlternative(out string) ([]trainers.State, error) {
	encodedJob, states, err := trainers.ReadCheckpoint(alternativeDir(out), programVersion())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, describeUnreadable(out, err)
	}
	var other job
	if err := strict.Unmarshal(encodedJob, &other); err != nil {
		return nil, fmt.Errorf("%s: %w", alternativeDir(out), err)
	}
	other.Replace = j.Replace
	other.Dir = j.Dir
	if !bytes.Equal(mustJSON(other), mustJSON(j)) {
		return nil, nil
	}
	return states, nil
}

// describeUnreadable returns an error for a checkpoint of the model directory out that is missing, or that no training can
// resume.
func describeUnreadable(out string, err error) error {
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case isMissing && fileExists(out): // the training may be complete
		return fmt.Errorf("there is no interrupted training to resume: %s exists, and %s does not", out, checkpointDir(out))
	case isMissing:
		return fmt.Errorf("there is no interrupted training to resume: %w", err)
	}
	return fmt.Errorf("%w; to train anew instead, leave out --resume and discard it with --force", err)
}
