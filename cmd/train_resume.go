package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/urfave/cli/v2"

	"sml/cmd/internal/rowio"
	"sml/evaluation/experiment"
	"sml/internal/strict"
)

// resumeTraining returns the interrupted training of the model in the folder out, as it began, with the states of its
// checkpoint. It returns an error if there is none, or if the table has changed since.
func resumeTraining(c *cli.Context, out string) (*training, error) {
	if err := checkResumeFlags(c); err != nil {
		return nil, err
	}
	job, states, err := readCheckpoint(checkpointDir(out))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no interrupted training to resume: %w", err)
	case err != nil:
		return nil, fmt.Errorf("%w; to train anew instead, leave out --resume and discard it with --force", err)
	}
	var s startedTraining
	if err := strict.Unmarshal(job, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", checkpointDir(out), err)
	}
	if c.IsSet("data-dir") {
		s.DataDir = c.String("data-dir")
	}
	if err := s.chooseInput(c); err != nil {
		return nil, err
	}
	t, err := s.prepare(c)
	if err != nil {
		return nil, err
	}
	t.states = states
	return t, nil
}

// checkResumeFlags returns a usage error for a flag that would change the result of a resumed training. --data is
// allowed here: chooseInput checks it.
func checkResumeFlags(c *cli.Context) error {
	// These flags choose files, output and speed.
	allowed := []string{"resume", "out", "force", "json", "quiet", "data-dir", "data", "track", "threads"}
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(allowed, name) {
			return usageErrorf("--%s cannot be changed by --resume: the training goes on with the settings it began with", name)
		}
	}
	return nil
}

// chooseInput takes --data for the table of a training that began with standard input, which has no name
// to read it by again. It returns a usage error if --data is missing then, or set otherwise.
func (s *startedTraining) chooseInput(c *cli.Context) error {
	file := c.String("data")
	isUnnamed := s.Settings.Table.Name == experiment.StandardInput
	switch {
	case !isUnnamed && file != "":
		return usageErrorf("--data cannot be changed by --resume: the training goes on with the table it began with")
	case isUnnamed && file == "":
		return usageErrorf("--resume: the table of this training has no name: %w; name the same table with --data, or give it again with --data -", experiment.ErrStandardInput)
	case isUnnamed:
		s.Settings.Table.ReadStandardInput = rowio.FileSource(c.App.Reader, file)
	}
	return nil
}

// prepare reads the table of the training and prepares its experiments as they began. It returns an error if the table
// has changed since.
func (s startedTraining) prepare(c *cli.Context) (*training, error) {
	read, err := readTable(c, s.Settings, s.DataDir)
	if errors.Is(err, experiment.ErrChanged) {
		return nil, fmt.Errorf("%w since the training began: train anew without --resume", err)
	}
	if err != nil {
		return nil, err
	}
	table := experiment.NewTable(read)
	t := &training{dataDir: s.DataDir}
	t.experiment, err = experiment.Prepare(c.Context, s.Settings, table)
	if err != nil {
		return nil, err
	}
	if o := s.Origin; o != nil {
		if err := t.experiment.Resume(o.Preparation, o.Inputs, o.Targets, o.Parent); err != nil {
			return nil, fmt.Errorf("%w: train anew without --resume", err)
		}
	}
	if s.Alternative != nil {
		t.alternative, err = experiment.Prepare(c.Context, *s.Alternative, table)
	}
	return t, err
}
